/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Names of C++ and Rust as their authors wrote them. */
#ifndef BENCHMEM_SYMBOLS_DEMANGLE_H
#define BENCHMEM_SYMBOLS_DEMANGLE_H

#include "base/memory.h"

/*
 * The qualified name with template arguments and without parameters, as the
 * pass writes names; NULL if it is no mangled name.
 */
const char *bm_demangle(struct bm_arena *arena, const char *name);

#endif
