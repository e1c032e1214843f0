/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "intern.h"

#include "memory.h"

/* Finalizer of MurmurHash3, over both words. */
static uint32_t hash(struct bm_intern_key key)
{
    uint64_t x = key.a ^ (key.b * UINT64_C(0x9e3779b97f4a7c15));
    x = (x ^ (x >> 33)) * UINT64_C(0xff51afd7ed558ccd);
    x = (x ^ (x >> 33)) * UINT64_C(0xc4ceb9fe1a85ec53);
    return (uint32_t)(x >> 32);
}

/* The array of chain heads, mapped by whoever needs it first. */
static _Atomic uint32_t *heads_of(struct bm_intern *table)
{
    /* Pairs with the release half of the exchange below. */
    _Atomic uint32_t *heads =
        atomic_load_explicit(&table->heads, memory_order_acquire);
    if (heads)
        return heads;
    /* Release: the heads are zero before they are found. */
    size_t size = table->nr_heads * sizeof(*heads);
    _Atomic uint32_t *fresh = bm_map(size);
    if (!fresh)
        return NULL;
    if (atomic_compare_exchange_strong_explicit(&table->heads, &heads, fresh,
                                                memory_order_acq_rel,
                                                memory_order_acquire))
        return fresh;
    bm_unmap(fresh, size);
    return heads;
}

static struct bm_intern_entry *chunk_of(struct bm_intern *table, uint32_t index)
{
    _Atomic(struct bm_intern_entry *) *slot =
        &table->chunks[index / BM_INTERN_CHUNK];
    /* Pairs with the release half of the exchange below. */
    struct bm_intern_entry *chunk =
        atomic_load_explicit(slot, memory_order_acquire);
    if (chunk)
        return chunk;
    size_t size = BM_INTERN_CHUNK * sizeof(*chunk);
    struct bm_intern_entry *fresh = bm_map(size);
    if (!fresh)
        return NULL;
    /* Release, for bm_intern_get too: a chunk is zero before it is found. */
    if (atomic_compare_exchange_strong_explicit(
            slot, &chunk, fresh, memory_order_acq_rel, memory_order_acquire))
        return fresh;
    bm_unmap(fresh, size);
    return chunk;
}

/* Looks through a chain from one index up to, not including, another. */
static uint32_t search(struct bm_intern *table, uint32_t from, uint32_t until,
                       struct bm_intern_key key)
{
    for (uint32_t i = from; i != until;) {
        const struct bm_intern_entry *entry = bm_intern_get(table, i);
        if (entry->key.a == key.a && entry->key.b == key.b)
            return i;
        i = entry->next;
    }
    return 0;
}

uint32_t bm_intern_find(struct bm_intern *table, struct bm_intern_key key)
{
    _Atomic uint32_t *heads = heads_of(table);
    if (!heads)
        return 0;
    /* Pairs with the release of the exchange in bm_intern_add. */
    uint32_t first = atomic_load_explicit(
        &heads[hash(key) & (table->nr_heads - 1)], memory_order_acquire);
    return search(table, first, 0, key);
}

/* An index of its own for a new entry, 0 if the table is full. */
static uint32_t new_index(struct bm_intern *table)
{
    if (atomic_load_explicit(&table->nr, memory_order_relaxed) >= table->max)
        return 0;
    uint32_t index =
        atomic_fetch_add_explicit(&table->nr, 1, memory_order_relaxed) + 1;
    if (index > table->max || index >= BM_INTERN_CHUNK * BM_INTERN_CHUNKS ||
        !chunk_of(table, index))
        return 0;
    return index;
}

uint32_t bm_intern_add(struct bm_intern *table, struct bm_intern_key key,
                       bm_intern_publish publish, void *context)
{
    _Atomic uint32_t *heads = heads_of(table);
    if (!heads)
        return 0;
    _Atomic uint32_t *head = &heads[hash(key) & (table->nr_heads - 1)];
    /* Acquire, as of the failing exchange: pairs with the release of it. */
    uint32_t first = atomic_load_explicit(head, memory_order_acquire);
    uint32_t found = search(table, first, 0, key);
    if (found)
        return found;

    uint32_t index = new_index(table);
    if (!index)
        return 0;
    struct bm_intern_entry *entry = bm_intern_get(table, index);
    entry->key = key;
    if (publish && !publish(context, index, entry))
        return 0;
    for (;;) {
        uint32_t seen = first;
        entry->next = first;
        /* Release: the entry is whole before it can be found. */
        if (atomic_compare_exchange_weak_explicit(head, &first, index,
                                                  memory_order_acq_rel,
                                                  memory_order_acquire))
            return index;
        found = search(table, first, seen, key);
        if (found)
            return found;
    }
}
