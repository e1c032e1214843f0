/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Ids of cases, by the rules that readers of profiles follow
 * (docs/metrics.md), so that both name a benchmark alike.
 */
#ifndef BENCHMEM_HARNESS_IDS_H
#define BENCHMEM_HARNESS_IDS_H

#include "recorder.h"

/* Writes a number with as few digits as read back as the same. */
#define BM_NUMBER_SIZE 40
void bm_number_text(char out[BM_NUMBER_SIZE], double value);

/*
 * The shortest end of file, of whole components, that tells it apart from
 * every other file of a benchmark; a part of file.
 */
const char *bm_file_end(const char *file);

/* The id of a benchmark with these values, allocated. */
char *bm_id_make(const struct benchmem_benchmark *benchmark,
                 const struct benchmem_value *params, uint32_t nr);

#endif
