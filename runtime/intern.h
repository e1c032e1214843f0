/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Numbers for things: a table from a 16-byte key to an index from 1, that
 * only grows. Lock-free on any thread: entries are filled before they are
 * linked, and never move. Memory comes from bm_map, never from the heap.
 *
 * Two threads that meet the same new key may both make an entry; one of them
 * is linked, the other is left over and never seen again.
 */
#ifndef BENCHMEM_RUNTIME_INTERN_H
#define BENCHMEM_RUNTIME_INTERN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct bm_intern_key {
    uint64_t a, b;
};

struct bm_intern_entry {
    struct bm_intern_key key;
    uint32_t next;           /* of the chain; fixed once linked */
    _Atomic uint32_t aux[3]; /* the owner's */
};

#define BM_INTERN_CHUNK 1024u   /* entries mapped at a time */
#define BM_INTERN_CHUNKS 16384u /* at most 2^24 entries */

struct bm_intern {
    uint32_t max;      /* entries; beyond, nothing new is found room for */
    uint32_t nr_heads; /* a power of two */
    _Atomic uint32_t nr;
    _Atomic(_Atomic uint32_t *) heads;
    _Atomic(struct bm_intern_entry *) chunks[BM_INTERN_CHUNKS];
};

/*
 * Makes what an index stands for known outside (a record in the profile)
 * before others can find it. False: there is no room, forget it.
 */
typedef bool (*bm_intern_publish)(void *context, uint32_t index,
                                  struct bm_intern_entry *entry);

/* The index of key, 0 if it is not there. */
uint32_t bm_intern_find(struct bm_intern *table, struct bm_intern_key key);

/* The index of key, added if it is new; 0 if there is no room. */
uint32_t bm_intern_add(struct bm_intern *table, struct bm_intern_key key,
                       bm_intern_publish publish, void *context);

/* The entry of an index that this module gave out. */
static inline struct bm_intern_entry *bm_intern_get(struct bm_intern *table,
                                                    uint32_t index)
{
    /* Pairs with the release in the function that maps a chunk. */
    struct bm_intern_entry *chunk = atomic_load_explicit(
        &table->chunks[index / BM_INTERN_CHUNK], memory_order_acquire);
    return &chunk[index % BM_INTERN_CHUNK];
}

#endif
