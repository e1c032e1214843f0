/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/intern.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define FIRST_BITS 6

/* Open addressing, at most half full. */
struct bm_intern_slot {
    uint32_t hash;
    uint32_t number; /* plus 1, 0: free */
};

struct bm_intern_entry {
    size_t size;
    char bytes[];
};

static void put_slot(struct bm_intern *intern, struct bm_intern_slot slot)
{
    size_t mask = ((size_t)1 << intern->bits) - 1;
    size_t at = slot.hash & mask;

    while (intern->slots[at].number)
        at = (at + 1) & mask;
    intern->slots[at] = slot;
}

static void grow(struct bm_intern *intern)
{
    struct bm_intern_slot *old = intern->slots;
    size_t nr_old = old ? (size_t)1 << intern->bits : 0;

    intern->bits = old ? intern->bits + 1 : FIRST_BITS;
    intern->slots =
        bm_xcalloc((size_t)1 << intern->bits, sizeof(*intern->slots));
    for (size_t i = 0; i < nr_old; i++) {
        if (old[i].number)
            put_slot(intern, old[i]);
    }
    free(old);
}

static uint32_t add(struct bm_intern *intern, const void *data, size_t size,
                    uint32_t hash)
{
    struct bm_intern_entry *entry =
        bm_arena_alloc(&intern->arena, sizeof(*entry) + size);

    entry->size = size;
    memcpy(entry->bytes, data, size);
    intern->entries = bm_xgrow(intern->entries, intern->count, &intern->room,
                               sizeof(*intern->entries));
    intern->entries[intern->count++] = entry;
    put_slot(intern, (struct bm_intern_slot){hash, intern->count});
    return intern->count - 1;
}

static bool is_equal(const struct bm_intern_entry *entry, const void *data,
                     size_t size)
{
    return entry->size == size && !memcmp(entry->bytes, data, size);
}

uint32_t bm_intern_bytes(struct bm_intern *intern, const void *data,
                         size_t size)
{
    uint32_t hash = (uint32_t)XXH3_64bits(data, size);

    if (!intern->slots || (size_t)intern->count * 2 >= (size_t)1
                                                           << intern->bits)
        grow(intern);

    size_t mask = ((size_t)1 << intern->bits) - 1;
    for (size_t at = hash & mask; intern->slots[at].number;
         at = (at + 1) & mask) {
        const struct bm_intern_slot *slot = &intern->slots[at];

        if (slot->hash == hash &&
            is_equal(intern->entries[slot->number - 1], data, size))
            return slot->number - 1;
    }
    return add(intern, data, size, hash);
}

uint32_t bm_intern(struct bm_intern *intern, const char *text)
{
    return bm_intern_bytes(intern, text, strlen(text));
}

const void *bm_intern_get(const struct bm_intern *intern, uint32_t number,
                          size_t *size)
{
    *size = intern->entries[number]->size;
    return intern->entries[number]->bytes;
}

void bm_intern_clear(struct bm_intern *intern)
{
    free(intern->slots);
    free(intern->entries);
    bm_arena_release(&intern->arena);
}
