/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * BM_HIDDEN: a variable of the recorder. -fvisibility=hidden covers what is
 * defined, not what is only declared; without this, position-independent
 * code reaches each variable through a table.
 */
#ifndef BENCHMEM_RUNTIME_HIDDEN_H
#define BENCHMEM_RUNTIME_HIDDEN_H

#define BM_HIDDEN __attribute__((visibility("hidden")))

/*
 * BM_RARE: a rare way out of a short one. Where the compiler can, it saves
 * every register that it uses, so that the short way need not.
 */
#if defined(__clang__) && defined(__x86_64__)
#define BM_RARE __attribute__((noinline, preserve_most))
#else
#define BM_RARE __attribute__((noinline))
#endif

#endif
