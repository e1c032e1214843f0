/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the parts of bm_load_benchmarks share while they put benchmarks
 * together. */
#ifndef BENCHMEM_PROFILE_BENCHMARKS_H
#define BENCHMEM_PROFILE_BENCHMARKS_H

#include "load.h"

/* A raw benchmark's latest pass, as its nodes and its passes show it. */
struct bm_latest {
    uint64_t serial;   /* of the latest pass that a node was in */
    uint64_t live;     /* what the nodes hold of it */
    uint64_t held;     /* what they hold of all passes */
    uint64_t retained; /* by passes that have ended */
    uint64_t open;     /* serial of the open pass, 0 if none is */
    uint64_t nr_recorded;
};

struct bm_making {
    struct bm_load *load;
    struct bm_named named;
    struct bm_latest *latest;             /* of each raw benchmark */
    const struct bm_raw_benchmark **best; /* of the largest peak, by number */
    uint64_t *begun;                      /* passes, by number */
    struct bm_groups nodes, marks, passes, more_passes;
    uint32_t *owners; /* of each site: 1 plus the number it was last used by */
    uint32_t *rows;   /* and its row there */
    bool has_idle;    /* nodes that turned out to have done nothing */
};

/* Whether the process ended within a pass of benchmark `number` (from 0). */
bool bm_has_open_pass(const struct bm_making *making, size_t number);

/* The passes of a benchmark whose figures are known. False without memory. */
bool bm_make_passes(struct bm_making *making, size_t number,
                    struct bm_benchmark_info *info);

/* What benchmarks declare, of all at once. False without memory. */
bool bm_make_declared(struct bm_making *making);

#endif
