/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The summary of a manifest in Markdown: of each workload the median over its
 * repetitions and the range that was seen, by group, one section for each mode.
 * Made from the file alone, so that it can be made again.
 */
#ifndef BENCHMEM_MEASURE_SUMMARY_H
#define BENCHMEM_MEASURE_SUMMARY_H

#include <stdio.h>

/* -1 after an error: the file cannot be read, or is no manifest. */
int bm_summary_write(const char *path, FILE *file);

#endif
