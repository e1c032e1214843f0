/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A file of largest values, committed beside the code that they are of:
 *
 *   # subject                   metric       limit
 *   bench.c::bench_sort[n=100]  peak         12800
 *   bench.c::bench_sort[n=*]    allocations  1000
 *   site:parser.c:88            peak         1 MiB
 *   function:parse_*            leaked       0
 *
 * One limit a line; from # to the end of a line is a comment where a blank or
 * nothing stands before it. The subject is what comes before the metric: an
 * id, a pattern for ids, or a site or function as in results/gate.h.
 */
#ifndef BENCHMEM_RESULTS_BUDGET_H
#define BENCHMEM_RESULTS_BUDGET_H

#include "results/gate.h"

struct bm_budget {
    const char *path; /* borrowed */
    struct bm_budget_line *lines;
    size_t nr_lines;

    /* private */
    size_t room;
    struct bm_arena arena;
};

/*
 * Adds a largest value to gates for each line. -1 after an error. With
 * may_miss a file that is not there is an empty one.
 */
int bm_budget_read(struct bm_budget *budget, struct bm_gates *gates,
                   bool may_miss);

/*
 * Writes the file anew: the values of the last series in place of its limits,
 * headroom (millionths of a percent) more than they are, rounded up. Comments
 * and order stay; lines of benchmarks that are gone are left out, and new
 * benchmarks come last, with the metrics that the file has of others, or else
 * those given. Says what it did in *what. -1 after an error.
 */
int bm_budget_update(struct bm_budget *budget, const struct bm_gates *gates,
                     struct bm_joined *joined, const enum bm_measure *measures,
                     size_t nr_measures, uint64_t headroom,
                     struct bm_str *what);

/* "10" or "10%" in millionths of a percent. */
bool bm_budget_headroom(const char *text, uint64_t *headroom);

void bm_budget_clear(struct bm_budget *budget);

#endif
