/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Benchmarks that no pass made a table for: those of benchmem.h. The same
 * tables are put together here, once for each file, line, name and list of
 * parameters, and kept for ever. Any thread, guard held.
 */
#ifndef BENCHMEM_RUNTIME_MADE_BENCH_H
#define BENCHMEM_RUNTIME_MADE_BENCH_H

#include "abi.h"

struct benchmem_window;

/* NULL if there is no memory for it. */
const struct bm_bench *bm_made_bench(const struct benchmem_window *window);

/* The values of the window's parameters as __benchmem_enter has them. */
void bm_made_values(uint64_t *out, const struct benchmem_window *window);

#endif
