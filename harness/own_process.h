/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A case in a process of its own: this program once more, which runs that
 * one case and hands its figures back through a pipe. A crash there fails
 * that case alone.
 */
#ifndef BENCHMEM_HARNESS_OWN_PROCESS_H
#define BENCHMEM_HARNESS_OWN_PROCESS_H

#include "passes.h"

/* Runs case number `index` and adds its passes; argv is main's. */
void bm_own_process_run(struct bm_passes *out, const struct bm_case *c,
                        size_t index, enum bm_mode mode, char **argv);

/* In that process: hands passes to its parent. False if it is gone. */
bool bm_own_process_answer(int fd, const struct bm_passes *passes);

#endif
