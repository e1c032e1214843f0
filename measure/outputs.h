/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Where a measured run leaves its files. A name that ends in .json is a
 * manifest, with a summary and, of memory, the capture beside it; any other is
 * the profile of memory. What exists is refused before anything runs.
 */
#ifndef BENCHMEM_MEASURE_OUTPUTS_H
#define BENCHMEM_MEASURE_OUTPUTS_H

#include "measure/session.h"

/* Fills in profile, manifest and summary. -1 after a line that says why not. */
int bm_outputs_settle(struct bm_session *session);

/* path with another ending for its last one, owned by the caller. */
char *bm_with_ending(const char *path, const char *ending);

/*
 * The profile's path once the first process is known: what -o says, the
 * pattern of BENCHMEM_OUTPUT filled in, or .benchmem/PROGRAM.PID.bmem. -1 after
 * an error.
 */
int bm_outputs_name_profile(struct bm_session *session,
                            const struct bm_profile *first);

/* ID as a file name: what cannot be in one is replaced by _. Owned. */
char *bm_name_of_id(const char *id);

#endif
