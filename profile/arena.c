/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "arena.h"
#include "text.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK ((size_t)64 << 10)
#define ALIGNMENT alignof(max_align_t)

struct bm_arena_chunk {
    struct bm_arena_chunk *next;
    size_t size; /* of bytes */
    max_align_t bytes[];
};

static struct bm_arena_chunk *new_chunk(size_t size)
{
    struct bm_arena_chunk *chunk = NULL;

    if (size < SIZE_MAX - sizeof(*chunk))
        chunk = malloc(sizeof(*chunk) + size);
    if (chunk)
        chunk->size = size;
    return chunk;
}

/* What is too large for the rest of a chunk, and of any chunk. */
static void *take_alone(struct bm_arena *arena, size_t size)
{
    struct bm_arena_chunk *chunk = new_chunk(size);

    if (!chunk)
        return NULL;
    if (!arena->chunks) {
        chunk->next = NULL;
        arena->chunks = chunk;
        arena->left = 0;
        return chunk->bytes;
    }
    chunk->next = arena->chunks->next;
    arena->chunks->next = chunk;
    return chunk->bytes;
}

static void *take(struct bm_arena *arena, size_t size, size_t alignment)
{
    struct bm_arena_chunk *chunk = arena->chunks;
    size_t left = arena->left & ~(alignment - 1);

    if (size > left) {
        if (size > CHUNK / 4)
            return take_alone(arena, size);
        chunk = new_chunk(CHUNK);
        if (!chunk)
            return NULL;
        chunk->next = arena->chunks;
        arena->chunks = chunk;
        left = CHUNK;
    }
    /* Cut from the end, so that aligning means rounding down. */
    arena->left = (left - size) & ~(alignment - 1);
    return (char *)chunk->bytes + arena->left;
}

void *bm_arena_take(struct bm_arena *arena, size_t size)
{
    return take(arena, size, ALIGNMENT);
}

static uint32_t hash(const char *text, size_t size)
{
    uint64_t value = size;
    uint64_t word;

    for (; size >= sizeof(word); text += sizeof(word), size -= sizeof(word)) {
        memcpy(&word, text, sizeof(word));
        value = (value ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        value ^= value >> 32;
    }
    for (word = 0; size > 0; size--)
        word = word << 8 | (unsigned char)text[size - 1];
    value = (value ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(value >> 32);
}

static void escape_into(char *out, const char *text, size_t size)
{
    size_t done = 0;

    while (done < size) {
        size_t valid = bm_text_valid_prefix(text + done, size - done);

        memcpy(out, text + done, valid);
        out += valid;
        done += valid;
        if (done == size)
            break;
        bm_text_escape(out, (unsigned char)text[done++]);
        out += BM_TEXT_ESCAPE_SIZE;
    }
    *out = '\0';
}

static const char *copy_text(struct bm_arena *arena, const char *text,
                             size_t size)
{
    char *copy;

    if (bm_text_valid_prefix(text, size) == size) {
        copy = take(arena, size + 1, 1);
        if (copy) {
            memcpy(copy, text, size);
            copy[size] = '\0';
        }
        return copy;
    }
    copy = take(arena, bm_text_escaped_size(text, size) + 1, 1);
    if (copy)
        escape_into(copy, text, size);
    return copy;
}

const char *bm_arena_text(struct bm_arena *arena, const char *text, size_t size)
{
    struct bm_arena_recent *recent;
    const char *copy;

    if (!arena->recent) {
        arena->recent = calloc(BM_ARENA_NR_RECENT, sizeof(*arena->recent));
        if (!arena->recent)
            return NULL;
    }
    recent = &arena->recent[hash(text, size) & (BM_ARENA_NR_RECENT - 1)];
    if (recent->text && recent->size == size &&
        memcmp(recent->text, text, size) == 0)
        return recent->text;
    copy = copy_text(arena, text, size);
    /* An escaped copy differs from what it is looked up by. */
    if (copy && strlen(copy) == size)
        *recent = (struct bm_arena_recent){copy, size};
    return copy;
}

void bm_arena_clear(struct bm_arena *arena)
{
    struct bm_arena_chunk *chunk = arena->chunks;

    while (chunk) {
        struct bm_arena_chunk *next = chunk->next;

        free(chunk);
        chunk = next;
    }
    free(arena->recent);
    *arena = (struct bm_arena){0};
}
