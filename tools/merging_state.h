/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the parts of bm_merging_write share. merging.c finds what profiles
 * have in common and numbers it; merging_records.c writes what each adds.
 */
#ifndef BENCHMEM_TOOLS_MERGING_STATE_H
#define BENCHMEM_TOOLS_MERGING_STATE_H

#include "base/str.h"
#include "profile/put.h"
#include "tools/intern.h"
#include "tools/merging.h"

#include <stdbool.h>
#include <stdint.h>

struct bm_merged_entry {
    uint64_t number;
};

struct bm_merged_module {
    const struct bm_module *info;  /* where it was first met */
    enum bm_symbol_source symbols; /* the worst of all: its frames lack that */
};

struct bm_merged_site {
    const struct bm_site_info *info; /* where it was first met */
    uint64_t frame, module;          /* numbers */
    uint64_t peak;                   /* sum of its own peaks */
    uint64_t peak_ordinal;           /* of several runs: of the first */
    bool elided;                     /* everywhere */
};

struct bm_merger {
    enum bm_merging kind;
    struct bm_sink sink;

    struct bm_intern keys;
    struct bm_merged_entry *entries; /* by the number of their key */
    size_t nr_entries, entry_room;
    struct bm_str key;
    uint64_t nr_modules, nr_frames, nr_sites, nr_paths;
    struct bm_merged_module *merged_modules;
    struct bm_merged_site *merged_sites;
    size_t module_room, site_room;

    /* Numbers of what is in the profile at hand, by its place there. */
    uint64_t *modules, *frames, *sites, *paths;
    uint64_t first_thread;    /* number of its first thread */
    uint64_t first_benchmark; /* number of its first benchmark */

    uint64_t nr_threads, nr_processes, nr_benchmarks, nr_passes;
    uint64_t nr_profiles, nr_groups;
    uint64_t peak; /* of the whole: a sum, or the first's */
};

/*
 * The entry of some numbers, of a kind of its own; made if it is new, with the
 * number 0. Valid until the next one is asked for.
 */
struct bm_merged_entry *bm_merger_entry(struct bm_merger *merger, char kind,
                                        const uint64_t *numbers, size_t nr);

/* In this order: of all profiles, then of each. */
void bm_merger_put_head(struct bm_merger *merger,
                        const struct bm_profile *const *profiles, size_t nr,
                        const char *who);
void bm_merger_put_threads(struct bm_merger *merger, const struct bm_profile *p,
                           bool counted);
void bm_merger_put_processes(struct bm_merger *merger,
                             const struct bm_profile *p, bool counted);
void bm_merger_put_benchmarks(struct bm_merger *merger,
                              const struct bm_profile *p);
void bm_merger_put_nodes(struct bm_merger *merger, const struct bm_profile *p,
                         bool counted);
void bm_merger_put_savings(struct bm_merger *merger, const struct bm_profile *p,
                           bool counted);

/* Whether a saving of a profile goes on being one. */
bool bm_merger_keeps_saves(const struct bm_merger *merger,
                           const struct bm_saving_info *info, bool counted);

#endif
