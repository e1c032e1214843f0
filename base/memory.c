/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/memory.h"

#include "base/error.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Large enough that short strings cost no call of malloc of their own. */
#define CHUNK_SIZE ((size_t)64 << 10)

struct bm_arena_chunk {
    struct bm_arena_chunk *older;
    size_t size;
    alignas(max_align_t) char bytes[];
};

void *bm_xmalloc(size_t size)
{
    void *p = malloc(size ? size : 1);

    if (!p)
        bm_die("out of memory: %zu bytes", size);
    return p;
}

void *bm_xcalloc(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size ? size : 1);

    if (!p)
        bm_die("out of memory: %zu times %zu bytes", count, size);
    return p;
}

char *bm_xstrdup(const char *s)
{
    if (!s)
        return NULL;
    size_t size = strlen(s) + 1;
    return memcpy(bm_xmalloc(size), s, size);
}

void *bm_xgrow(void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return array;

    size_t larger = *room + *room / 2 + 16;
    void *p = reallocarray(array, larger, size);
    if (!p)
        bm_die("out of memory: %zu times %zu bytes", larger, size);
    *room = larger;
    return p;
}

static void new_chunk(struct bm_arena *arena, size_t size)
{
    size_t room = size > CHUNK_SIZE ? size : CHUNK_SIZE;
    struct bm_arena_chunk *chunk =
        bm_xcalloc(1, sizeof(struct bm_arena_chunk) + room);

    chunk->older = arena->chunk;
    chunk->size = room;
    arena->chunk = chunk;
    arena->used = 0;
}

void *bm_arena_alloc(struct bm_arena *arena, size_t size)
{
    if (size > SIZE_MAX / 2)
        bm_die("out of memory: %zu bytes", size);

    size_t rounded =
        (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
    if (!arena->chunk || arena->chunk->size - arena->used < rounded)
        new_chunk(arena, rounded);
    void *p = arena->chunk->bytes + arena->used;
    arena->used += rounded;
    return p;
}

char *bm_arena_strdup(struct bm_arena *arena, const char *s)
{
    size_t size = strlen(s) + 1;

    return memcpy(bm_arena_alloc(arena, size), s, size);
}

char *bm_arena_printf(struct bm_arena *arena, const char *format, ...)
{
    va_list args, again;

    va_start(args, format);
    va_copy(again, args);
    int size = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (size < 0)
        BM_BUG("format %s", format);
    char *s = bm_arena_alloc(arena, (size_t)size + 1);
    vsnprintf(s, (size_t)size + 1, format, again);
    va_end(again);
    return s;
}

void bm_arena_reset(struct bm_arena *arena)
{
    struct bm_arena_chunk *newest = arena->chunk;

    if (!newest)
        return;
    arena->chunk = newest->older;
    size_t used = arena->used;
    bm_arena_release(arena);
    memset(newest->bytes, 0, used);
    newest->older = NULL;
    arena->chunk = newest;
}

void bm_arena_release(struct bm_arena *arena)
{
    while (arena->chunk) {
        struct bm_arena_chunk *older = arena->chunk->older;

        free(arena->chunk);
        arena->chunk = older;
    }
    arena->used = 0;
}
