/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Numbers for strings: equal strings get the same one, counted from 0 in the
 * order in which they first came.
 */
#ifndef BENCHMEM_TOOLS_INTERN_H
#define BENCHMEM_TOOLS_INTERN_H

#include "base/memory.h"

#include <stdint.h>

struct bm_intern {
    struct bm_intern_entry *entries;
    struct bm_arena arena;
};
#define BM_INTERN_INIT                                                         \
    {                                                                          \
        NULL, BM_ARENA_INIT                                                    \
    }

/* The string is copied. */
uint32_t bm_intern(struct bm_intern *intern, const char *text);

void bm_intern_clear(struct bm_intern *intern);

#endif
