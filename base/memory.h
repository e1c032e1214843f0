/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Memory of the commands. Every function dies (exit 2) when there is none
 * left, so that callers never check: a command that cannot allocate has
 * nothing useful to do. Not thread-safe.
 *
 * An arena holds what lives as long as the command: pieces are never freed
 * singly, bm_arena_release frees them all.
 */
#ifndef BENCHMEM_BASE_MEMORY_H
#define BENCHMEM_BASE_MEMORY_H

#include <stddef.h>

void *bm_xmalloc(size_t size);

/* Zeroed. Dies also where count * size overflows. */
void *bm_xcalloc(size_t count, size_t size);

/* NULL stays NULL. */
char *bm_xstrdup(const char *s);

/*
 * Array with room for at least one more element than count; *room is kept up
 * to date and grows by half. The new room is not initialised.
 */
void *bm_xgrow(void *array, size_t count, size_t *room, size_t size);

struct bm_arena {
    struct bm_arena_chunk *chunk;
    size_t used; /* bytes of the newest chunk */
};
#define BM_ARENA_INIT                                                          \
    {                                                                          \
        NULL, 0                                                                \
    }

/* Aligned for any type, zeroed. */
void *bm_arena_alloc(struct bm_arena *arena, size_t size);

char *bm_arena_strdup(struct bm_arena *arena, const char *s);

char *bm_arena_printf(struct bm_arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Empties it and keeps room for what comes next. */
void bm_arena_reset(struct bm_arena *arena);

void bm_arena_release(struct bm_arena *arena);

#endif
