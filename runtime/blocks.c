/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "blocks.h"

#include "memory.h"

struct bm_blocks bm_blocks;
_Atomic uint32_t bm_careful;

/*
 * Odd blocks: too large or too high for an entry. An address space holds few
 * of them, so they stand in chunks that are searched from end to end.
 */
#define ODD_CHUNK 252 /* fills two pages */

struct odd {
    _Atomic uintptr_t address; /* 0: free, 1: being filled */
    uint32_t key;
    uint32_t birth;
    uint64_t size;
};
#define ODD_FILLING ((uintptr_t)1)

struct odd_chunk {
    _Atomic(struct odd_chunk *) next;
    struct odd blocks[ODD_CHUNK];
};

static _Atomic(struct odd_chunk *) odd_chunks;

/* Links `new` where nothing is linked yet; what is linked then. */
#define LINK_ONCE(where, type, size)                                           \
    /* Acquire, here as where others look, pairs with the release below: the   \
     * memory is zero before it is found. */                                   \
    type *have_ = atomic_load_explicit(where, memory_order_acquire);           \
    type *made_ = have_ ? NULL : bm_map(size);                                 \
    if (made_ &&                                                               \
        !atomic_compare_exchange_strong_explicit(                              \
            where, &have_, made_, memory_order_acq_rel, memory_order_acquire)) \
        bm_unmap(made_, size);                                                 \
    return have_ ? have_ : made_

static struct bm_leaf *link_leaf(_Atomic(struct bm_leaf *) *where)
{
    LINK_ONCE(where, struct bm_leaf, sizeof(struct bm_leaf));
}

static struct bm_middle *link_middle(_Atomic(struct bm_middle *) *where)
{
    LINK_ONCE(where, struct bm_middle, sizeof(struct bm_middle));
}

static _Atomic uint32_t *link_births(struct bm_leaf *leaf)
{
    LINK_ONCE(&leaf->births, _Atomic uint32_t,
              BM_LEAF_ENTRIES * sizeof(uint32_t));
}

static struct odd_chunk *link_odd(_Atomic(struct odd_chunk *) *where)
{
    LINK_ONCE(where, struct odd_chunk, sizeof(struct odd_chunk));
}

static struct bm_leaf *leaf_find(uintptr_t address)
{
    if (address >> BM_ADDRESS_BITS)
        return NULL;
    /* Acquire pairs with the release that links what was mapped. */
    struct bm_middle *middle = atomic_load_explicit(
        &bm_blocks.top[address >> BM_MIDDLE_BITS], memory_order_acquire);
    if (!middle)
        return NULL;
    return atomic_load_explicit(
        &middle->leaves[address >> BM_LEAF_BITS & (BM_MIDDLE_ENTRIES - 1)],
        memory_order_acquire);
}

static struct bm_leaf *leaf_make(uintptr_t address)
{
    if (address >> BM_ADDRESS_BITS)
        return NULL;
    struct bm_middle *middle =
        link_middle(&bm_blocks.top[address >> BM_MIDDLE_BITS]);
    return middle ? link_leaf(&middle->leaves[address >> BM_LEAF_BITS &
                                              (BM_MIDDLE_ENTRIES - 1)])
                  : NULL;
}

static _Atomic(struct bm_leaf *) *aside_of(struct bm_leaf *leaf,
                                           uintptr_t address)
{
    return &leaf->aside[address >> 3 & (BM_GRANULE_OFFSETS - 1)];
}

/* False if there is no memory for a birth that must be kept. */
static bool set_birth(struct bm_leaf *leaf, uintptr_t address, uint32_t birth)
{
    /* Pairs with LINK_ONCE. */
    _Atomic uint32_t *births =
        atomic_load_explicit(&leaf->births, memory_order_acquire);

    if (!births && birth == 0)
        return true;
    if (!births)
        births = link_births(leaf);
    if (!births)
        return false;
    atomic_store_explicit(&births[bm_leaf_index(address)], birth,
                          memory_order_relaxed);
    return true;
}

static void read_entry(struct bm_leaf *leaf, uintptr_t address, uint64_t value,
                       struct bm_block *out)
{
    out->key = bm_granule_key(value);
    out->birth = bm_is_careful(BM_CAREFUL_BIRTHS)
                     ? bm_block_birth(leaf, (const void *)address)
                     : 0;
    out->size = bm_granule_size(value);
}

/* Takes the block's own entry out of one leaf, if it is in it. */
static bool forget_in(struct bm_leaf *leaf, uintptr_t address,
                      struct bm_block *out)
{
    _Atomic uint64_t *entry = bm_leaf_entry(leaf, address);
    uint64_t value = atomic_load_explicit(entry, memory_order_relaxed);

    if (!value || !bm_granule_is_of(value, address))
        return false;
    read_entry(leaf, address, value, out);
    atomic_store_explicit(entry, 0, memory_order_relaxed);
    return true;
}

static struct odd *odd_find(uintptr_t address)
{
    /* Chunks: pairs with LINK_ONCE. */
    struct odd_chunk *chunk =
        atomic_load_explicit(&odd_chunks, memory_order_acquire);

    for (; chunk;
         chunk = atomic_load_explicit(&chunk->next, memory_order_acquire))
        for (size_t i = 0; i < ODD_CHUNK; i++)
            /* Acquire pairs with the release in odd_learn. */
            if (atomic_load_explicit(&chunk->blocks[i].address,
                                     memory_order_acquire) == address)
                return &chunk->blocks[i];
    return NULL;
}

static bool odd_forget(uintptr_t address, struct bm_block *out)
{
    struct odd *odd = bm_is_careful(BM_CAREFUL_ODD) ? odd_find(address) : NULL;

    if (!odd)
        return false;
    *out = (struct bm_block){odd->key, odd->birth, odd->size};
    /* Release: the slot's next user fills it after it was read. */
    atomic_store_explicit(&odd->address, 0, memory_order_release);
    return true;
}

static struct odd *odd_claim(void)
{
    _Atomic(struct odd_chunk *) *where = &odd_chunks;
    struct odd_chunk *chunk;

    while ((chunk = link_odd(where))) {
        for (size_t i = 0; i < ODD_CHUNK; i++) {
            uintptr_t empty = 0;

            /* Acquire pairs with the release in odd_forget. */
            if (atomic_compare_exchange_strong_explicit(
                    &chunk->blocks[i].address, &empty, ODD_FILLING,
                    memory_order_acquire, memory_order_relaxed))
                return &chunk->blocks[i];
        }
        where = &chunk->next;
    }
    return NULL;
}

static bool odd_learn(uintptr_t address, const struct bm_block *block)
{
    struct odd *odd = odd_claim();

    if (!odd)
        return false;
    odd->key = block->key;
    odd->birth = block->birth;
    odd->size = block->size;
    bm_be_careful(BM_CAREFUL_ODD);
    /* Release: whoever finds the address finds the rest. */
    atomic_store_explicit(&odd->address, address, memory_order_release);
    return true;
}

static bool is_odd(uintptr_t address, uint64_t size)
{
    return size > BM_ENTRY_MAX_SIZE || address >> BM_ADDRESS_BITS ||
           (address & 7);
}

/* Puts the entry into the leaf if its granule is free there. */
static bool take_entry(struct bm_leaf *leaf, uintptr_t address, uint64_t value)
{
    _Atomic uint64_t *entry = bm_leaf_entry(leaf, address);
    uint64_t seen = atomic_load_explicit(entry, memory_order_relaxed);

    if (seen)
        return false;
    if (bm_is_careful(BM_CAREFUL_PACKED))
        return atomic_compare_exchange_strong_explicit(
            entry, &seen, value, memory_order_relaxed, memory_order_relaxed);
    atomic_store_explicit(entry, value, memory_order_relaxed);
    return true;
}

static bool learn_in(struct bm_leaf *leaf, uintptr_t address,
                     const struct bm_block *block)
{
    if (!take_entry(leaf, address,
                    bm_granule_pack(address, block->key, block->size)))
        return false;
    if (!bm_is_careful(BM_CAREFUL_BIRTHS) ||
        set_birth(leaf, address, block->birth))
        return true;
    atomic_store_explicit(bm_leaf_entry(leaf, address), 0,
                          memory_order_relaxed);
    return false;
}

void bm_block_set_birth_slow(struct bm_leaf *leaf, const void *memory,
                             uint32_t birth)
{
    set_birth(leaf, (uintptr_t)memory, birth);
}

/* The leaf of an address, by way of the thread's cache. */
static struct bm_leaf *leaf_of(struct bm_leaf_cache *cache, uintptr_t address,
                               bool make)
{
    uintptr_t tag = address >> BM_LEAF_BITS;
    size_t i = tag % BM_LEAF_CACHE;
    struct bm_leaf *leaf;

    if (cache->tags[i] == tag && cache->leaves[i])
        return cache->leaves[i];
    leaf = make ? leaf_make(address) : leaf_find(address);
    if (leaf) {
        cache->tags[i] = tag;
        cache->leaves[i] = leaf;
    }
    return leaf;
}

static bool learn_new(struct bm_leaf *leaf, uintptr_t address,
                      const struct bm_block *block)
{
    if (is_odd(address, block->size))
        return odd_learn(address, block);
    if (!leaf)
        return false;
    if (learn_in(leaf, address, block))
        return true;
    leaf = link_leaf(aside_of(leaf, address));
    return leaf && learn_in(leaf, address, block);
}

static bool forget_from(struct bm_leaf *leaf, uintptr_t address,
                        struct bm_block *out)
{
    if (leaf && forget_in(leaf, address, out))
        return true;
    if (leaf && bm_is_careful(BM_CAREFUL_PACKED)) {
        /* Pairs with LINK_ONCE. */
        leaf =
            atomic_load_explicit(aside_of(leaf, address), memory_order_acquire);
        if (leaf && forget_in(leaf, address, out))
            return true;
    }
    return odd_forget(address, out);
}

enum bm_learned bm_block_learn(struct bm_leaf_cache *cache, void *memory,
                               const struct bm_block *block,
                               struct bm_block *old)
{
    uintptr_t address = (uintptr_t)memory;
    struct bm_leaf *leaf = leaf_of(cache, address, true);
    bool over = forget_from(leaf, address, old);
    bool ok = learn_new(leaf, address, block);

    if (over)
        return BM_LEARNED_OVER;
    return ok ? BM_LEARNED : BM_NOT_LEARNED;
}

bool bm_block_forget(struct bm_leaf_cache *cache, void *memory,
                     struct bm_block *out)
{
    uintptr_t address = (uintptr_t)memory;

    return forget_from(leaf_of(cache, address, false), address, out);
}

/*
 * A visit of all looks at what others may link and fill meanwhile. Its acquires
 * pair with LINK_ONCE and, of an odd block's address, with odd_learn.
 */

/* base: the first address under the leaf. */
static void each_in_leaf(struct bm_leaf *leaf, uintptr_t base,
                         bm_visit_block *visit, void *context)
{
    for (size_t i = 0; i < BM_LEAF_ENTRIES; i++) {
        uint64_t value =
            atomic_load_explicit(&leaf->entries[i], memory_order_relaxed);
        uintptr_t granule = base + ((uintptr_t)i << BM_GRANULE_BITS);
        struct bm_block block;

        if (!value)
            continue;
        read_entry(leaf, granule, value, &block);
        visit(context, granule | (value & BM_GRANULE_MASK), &block);
    }
    for (size_t i = 0; i < BM_GRANULE_OFFSETS; i++) {
        struct bm_leaf *aside =
            atomic_load_explicit(&leaf->aside[i], memory_order_acquire);

        if (aside)
            each_in_leaf(aside, base, visit, context);
    }
}

static void each_odd(bm_visit_block *visit, void *context)
{
    struct odd_chunk *chunk =
        atomic_load_explicit(&odd_chunks, memory_order_acquire);

    for (; chunk;
         chunk = atomic_load_explicit(&chunk->next, memory_order_acquire))
        for (size_t i = 0; i < ODD_CHUNK; i++) {
            const struct odd *odd = &chunk->blocks[i];
            uintptr_t address =
                atomic_load_explicit(&odd->address, memory_order_acquire);

            if (address > ODD_FILLING)
                visit(context, address,
                      &(struct bm_block){odd->key, odd->birth, odd->size});
        }
}

void bm_blocks_each(bm_visit_block *visit, void *context)
{
    for (size_t i = 0; i < BM_TOP_ENTRIES; i++) {
        struct bm_middle *middle =
            atomic_load_explicit(&bm_blocks.top[i], memory_order_acquire);

        for (size_t j = 0; middle && j < BM_MIDDLE_ENTRIES; j++) {
            struct bm_leaf *leaf =
                atomic_load_explicit(&middle->leaves[j], memory_order_acquire);
            uintptr_t base =
                (uintptr_t)i << BM_MIDDLE_BITS | (uintptr_t)j << BM_LEAF_BITS;

            if (leaf)
                each_in_leaf(leaf, base, visit, context);
        }
    }
    each_odd(visit, context);
}
