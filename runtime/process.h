/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How the process ends, as far as it can be known from inside without a
 * system call: exit and the return from main, with their status.
 */
#ifndef BENCHMEM_RUNTIME_PROCESS_H
#define BENCHMEM_RUNTIME_PROCESS_H

/* From a constructor: libc may allocate to remember the handler. */
void bm_process_watch_exit(void);

#endif
