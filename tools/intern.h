/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Numbers for strings: equal strings get the same one, counted from 0 in the
 * order in which they first came. Profiles have hundreds of thousands, so a
 * look-up touches little memory: slots hold hashes beside numbers.
 */
#ifndef BENCHMEM_TOOLS_INTERN_H
#define BENCHMEM_TOOLS_INTERN_H

#include "base/memory.h"

#include <stddef.h>
#include <stdint.h>

struct bm_intern {
    struct bm_intern_slot *slots;
    const struct bm_intern_entry **entries; /* by number */
    size_t room;                            /* of entries */
    unsigned bits;                          /* 2^bits slots, if there are any */
    uint32_t count;
    struct bm_arena arena;
};
#define BM_INTERN_INIT                                                         \
    {                                                                          \
        NULL, NULL, 0, 0, 0, BM_ARENA_INIT                                     \
    }

/* The string is copied. */
uint32_t bm_intern(struct bm_intern *intern, const char *text);

/* The same for bytes, as of a struct without padding. */
uint32_t bm_intern_bytes(struct bm_intern *intern, const void *data,
                         size_t size);

/* The bytes of a number, as long as the intern is there. */
const void *bm_intern_get(const struct bm_intern *intern, uint32_t number,
                          size_t *size);

void bm_intern_clear(struct bm_intern *intern);

#endif
