/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Several profiles written as one: of the processes of a job, whose figures
 * are then sums, or of several runs of one program, of which the first stands
 * for the process and all give their passes.
 *
 * Sites are one where their ids are, `outside` sites where their module is as
 * well; frames, modules and call paths where everything about them is. So a
 * merged profile is as large as its nodes and what they share, once.
 *
 * A sum of peaks is kept in the place of the peak and flagged as the upper
 * bound that it is; each process keeps its own, in its record and, site by
 * site, in its nodes and marks. The identities of docs/metrics.md hold, which
 * bm_profile_check verifies for each process too.
 *
 * A profile that is a merged one itself counts as the processes in it.
 */
#ifndef BENCHMEM_TOOLS_MERGING_H
#define BENCHMEM_TOOLS_MERGING_H

#include "profile/profile.h"

#include <stddef.h>

enum bm_merging {
    BM_MERGING_PROCESSES,
    BM_MERGING_RUNS,
};

/*
 * Writes the profiles, at least one, in their order to the descriptor; who
 * names the program that does. 0, or -1 with errno set.
 */
int bm_merging_write(const struct bm_profile *const *profiles, size_t nr,
                     enum bm_merging kind, const char *who, int fd);

/* Why two profiles can't be in one of this kind, static; NULL if they can. */
const char *bm_merging_refuses(const struct bm_profile *profile,
                               enum bm_merging kind);

#endif
