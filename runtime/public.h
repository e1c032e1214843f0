/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Names under which a program finds what the recorder interposes: libc's own,
 * which come before libc's in the dynamic linker's order. Weak: a program
 * that defines such a function itself keeps it. A static program's calls come
 * by the linker's --wrap instead.
 */
#ifndef BENCHMEM_RUNTIME_PUBLIC_H
#define BENCHMEM_RUNTIME_PUBLIC_H

#ifdef BM_STATIC
#define BM_PUBLIC(symbol) __wrap_##symbol
#define BM_REAL(symbol) __real_##symbol
#else
#define BM_PUBLIC(symbol) symbol
#define BM_REAL(symbol) bm_next.symbol
#endif

#define BM_EXPORT_AS(name, target)                                             \
    extern __typeof(target) name                                               \
        __attribute__((weak, alias(#target), visibility("default")))

/* What a definition of the program's own jumps to (own.h): this copy's. */
#define BM_OWN_AS(name, target)                                                \
    extern __typeof(target) name                                               \
        __attribute__((alias(#target), visibility("hidden")))

#endif
