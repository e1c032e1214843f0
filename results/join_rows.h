/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the ways of joining share (join.c by runs, join_pivot.c by a
 * dimension); for these alone.
 */
#ifndef BENCHMEM_RESULTS_JOIN_ROWS_H
#define BENCHMEM_RESULTS_JOIN_ROWS_H

#include "results/join.h"

/* No rows; labels and runs have room but are not set. */
void bm_joined_init(struct bm_joined *joined, size_t nr_series);

/* A row without cells, valid until the next one is added. */
struct bm_joined_row *bm_joined_add_row(struct bm_joined *joined);

/* The row is called as the benchmark that was put there last. */
void bm_joined_put(struct bm_joined_row *row, size_t series,
                   const struct bm_run_benchmark *benchmark);

/* Status and count of all rows, once each cell is there. */
void bm_joined_judge(struct bm_joined *joined);

/* Both are borrowed. */
void bm_joined_name(struct bm_joined *joined, const char *from, const char *to,
                    bool certain);

/* Names those that are gone and new at once. */
void bm_joined_guess_renamed(struct bm_joined *joined);

void bm_joined_sites_free(struct bm_joined *joined);

#endif
