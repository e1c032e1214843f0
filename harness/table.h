/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The table on standard output: a row for each case, as soon as it was run.
 * Memory is each metric's minimum over the passes, time minimum, mean and
 * maximum, RSS minimum and maximum. Only what was measured is shown.
 */
#ifndef BENCHMEM_HARNESS_TABLE_H
#define BENCHMEM_HARNESS_TABLE_H

#include "passes.h"

struct bm_table {
    enum bm_mode mode;
    int id_width;
    bool has_head;
};

void bm_table_init(struct bm_table *table, const struct bm_cases *cases,
                   enum bm_mode mode);
void bm_table_row(struct bm_table *table, const struct bm_case *c,
                  const struct bm_passes *passes);

/* Bytes as in all of benchmem's tables: 1.5 KiB. */
#define BM_BYTES_SIZE 24
void bm_bytes_text(char out[BM_BYTES_SIZE], uint64_t bytes);

#endif
