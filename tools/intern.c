/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/intern.h"

#include <stddef.h>
#include <string.h>
#include <uthash.h>

struct bm_intern_entry {
    UT_hash_handle hh;
    uint32_t number;
    char text[];
};

uint32_t bm_intern(struct bm_intern *intern, const char *text)
{
    struct bm_intern_entry *entry;
    size_t size = strlen(text);

    HASH_FIND(hh, intern->entries, text, size, entry);
    if (entry)
        return entry->number;
    entry = bm_arena_alloc(&intern->arena, sizeof(*entry) + size + 1);
    memcpy(entry->text, text, size + 1);
    entry->number = HASH_COUNT(intern->entries);
    HASH_ADD_KEYPTR(hh, intern->entries, entry->text, size, entry);
    return entry->number;
}

void bm_intern_clear(struct bm_intern *intern)
{
    HASH_CLEAR(hh, intern->entries);
    bm_arena_release(&intern->arena);
}
