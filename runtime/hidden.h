/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * BM_HIDDEN: a variable of the recorder. -fvisibility=hidden covers what is
 * defined, not what is only declared; without this, position-independent
 * code reaches each variable through a table.
 */
#ifndef BENCHMEM_RUNTIME_HIDDEN_H
#define BENCHMEM_RUNTIME_HIDDEN_H

#define BM_HIDDEN __attribute__((visibility("hidden")))

#endif
