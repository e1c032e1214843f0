/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Annotations for code that is measured with benchmem: C and C++, any
 * compiler. Nothing here needs benchmem at run time: built with plain gcc or
 * clang the annotations are empty and the barriers stay barriers.
 *
 * No annotation is needed for functions whose names start with bench_,
 * benchmark_ or BM_.
 */
#ifndef BENCHMEM_BENCHMEM_H
#define BENCHMEM_BENCHMEM_H

/*
 * Before a function's definition: it is a benchmark, whatever its name. Each
 * entry opens a window, its scalar arguments are its parameters.
 *
 *     BENCHMEM_BENCHMARK void sort_words(size_t n) { ... }
 *
 * BENCHMEM_NO_BENCHMARK: it is none, though its name would match.
 */
#if defined(__clang__)
#define BENCHMEM_BENCHMARK __attribute__((annotate("benchmem.benchmark")))
#define BENCHMEM_NO_BENCHMARK __attribute__((annotate("benchmem.ignore")))
#else
#define BENCHMEM_BENCHMARK
#define BENCHMEM_NO_BENCHMARK
#endif

/*
 * Optimizer barriers: the memory that pointer points to counts as read and
 * written, so that an allocation is not removed because nobody looks at it.
 */
static inline void benchmem_keep(const void *pointer)
{
    __asm__ volatile("" : : "g"(pointer) : "memory");
}

#endif
