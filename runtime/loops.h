/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Functions of Google Benchmark: the loop over its State is the window, and
 * the State's arguments are parameters arg0, arg1, ... of the benchmark.
 *
 * A function that gets a State waits as the thread's candidate until its loop
 * begins, there or in what it calls; the outermost one counts. Any thread,
 * guard held; caller is the function's, at its entry.
 */
#ifndef BENCHMEM_RUNTIME_LOOPS_H
#define BENCHMEM_RUNTIME_LOOPS_H

#include "attribute.h"

#include <stdint.h>

void bm_loop_enter(struct bm_thread *thread, const struct bm_caller *caller,
                   const struct bm_bench *bench, const uint64_t *values,
                   const void *range);
void bm_loop_leave(struct bm_thread *thread, const struct bm_bench *bench);

void bm_loop_begin(struct bm_thread *thread);
void bm_loop_end(struct bm_thread *thread, uint64_t now);

#endif
