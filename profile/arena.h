/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Memory that lives as long as one profile: small pieces cut from chunks,
 * freed all at once. Equal strings that come close together (the file and
 * folder of a thousand frames) are kept once.
 *
 * All zero is an empty arena. A failure is an answer of NULL; the arena
 * stays usable.
 */
#ifndef BENCHMEM_PROFILE_ARENA_H
#define BENCHMEM_PROFILE_ARENA_H

#include <stddef.h>

#define BM_ARENA_NR_RECENT 1024 /* a power of two */

struct bm_arena_chunk;

struct bm_arena {
    struct bm_arena_chunk *chunks;
    size_t left; /* in the first chunk */
    struct bm_arena_recent {
        const char *text;
        size_t size;
    } * recent; /* BM_ARENA_NR_RECENT of them, by hash */
};

/* size bytes for any type, not cleared. */
void *bm_arena_take(struct bm_arena *arena, size_t size);

/* A terminated copy, invalid bytes escaped as text.h says. */
const char *bm_arena_text(struct bm_arena *arena, const char *text,
                          size_t size);

void bm_arena_clear(struct bm_arena *arena);

#endif
