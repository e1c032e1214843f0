/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The blocks that the process holds: for each its key and requested size,
 * found by its address, and the benchmark pass that it was born in.
 *
 * A radix tree over the address whose leaves have one 8-byte entry for each
 * 32 bytes of heap. No allocator of the GNU C library places two blocks
 * closer than that, so that only the thread that owns a block touches its
 * entry and plain loads and stores do. Other allocators pack 8-byte blocks:
 * the second block of a granule goes aside, into a leaf of its own offset,
 * and entries are taken by compare and exchange (BM_CAREFUL_PACKED).
 * What fits nowhere (sizes from 2^35, addresses beyond 2^47) is kept in a
 * short list of odd blocks.
 *
 * Any thread, guard held. A block is forgotten before it is really freed and
 * learned after it was really allocated, so that its address is always its
 * thread's own. Without memory for the table a block is not learned, and its
 * free is one of an unknown block.
 */
#ifndef BENCHMEM_RUNTIME_BLOCKS_H
#define BENCHMEM_RUNTIME_BLOCKS_H

#include "hidden.h"
#include "mode.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bm_block {
    uint32_t key;
    uint32_t birth; /* serial of the pass, 0 outside any */
    uint64_t size;
};

#define BM_GRANULE_BITS 5
#define BM_LEAF_BITS 22 /* 4 MiB of heap under one leaf */
#define BM_MIDDLE_BITS 34
#define BM_ADDRESS_BITS 47
#define BM_LEAF_ENTRIES ((size_t)1 << (BM_LEAF_BITS - BM_GRANULE_BITS))
#define BM_MIDDLE_ENTRIES ((size_t)1 << (BM_MIDDLE_BITS - BM_LEAF_BITS))
#define BM_TOP_ENTRIES ((size_t)1 << (BM_ADDRESS_BITS - BM_MIDDLE_BITS))
#define BM_GRANULE_OFFSETS 4 /* blocks are 8-byte aligned at least */

/*
 * An entry: size in the high 35 bits, key in 24, then the address's bits
 * within the granule. 0: none.
 */
#define BM_ENTRY_SIZE_BITS 35
#define BM_ENTRY_SIZE_SHIFT 29
#define BM_ENTRY_KEY_SHIFT BM_GRANULE_BITS
#define BM_ENTRY_TAG_MASK (((uint32_t)1 << BM_ENTRY_SIZE_SHIFT) - 1)
#define BM_ENTRY_MAX_SIZE (((uint64_t)1 << BM_ENTRY_SIZE_BITS) - 1)
#define BM_GRANULE_MASK (((uintptr_t)1 << BM_GRANULE_BITS) - 1)

struct bm_leaf {
    _Atomic uint64_t entries[BM_LEAF_ENTRIES];
    _Atomic(_Atomic uint32_t *) births; /* parallel; once one is not 0 */
    _Atomic(struct bm_leaf *) aside[BM_GRANULE_OFFSETS];
};

struct bm_middle {
    _Atomic(struct bm_leaf *) leaves[BM_MIDDLE_ENTRIES];
};

struct bm_blocks {
    _Atomic(struct bm_middle *) top[BM_TOP_ENTRIES];
};
extern struct bm_blocks bm_blocks BM_HIDDEN;

/*
 * What the short ways must not be taken for, as bits of one word that is 0
 * for an ordinary program.
 */
enum bm_careful {
    BM_CAREFUL_PACKED = 1,    /* two blocks may share a granule */
    BM_CAREFUL_ODD = 2,       /* there are odd blocks */
    BM_CAREFUL_BIRTHS = 4,    /* a window was opened: births are kept */
    BM_CAREFUL_RECENT = 8,    /* more than the last block is remembered */
    BM_CAREFUL_TIMELINE = 16, /* each event is looked at */
    BM_CAREFUL_STOP = 32,     /* likewise, to stop at one */
    BM_CAREFUL_SAVES = 64,    /* likewise, and all are in one order */
    BM_CAREFUL_ACCESS = 128,  /* what is read and written is followed */
    BM_CAREFUL_ALL = 255,
    /* Each event asks what the process holds. */
    BM_CAREFUL_LIVE = BM_CAREFUL_TIMELINE | BM_CAREFUL_STOP,
};
extern _Atomic uint32_t bm_careful BM_HIDDEN;

static inline uint32_t bm_is_careful(uint32_t what)
{
    return atomic_load_explicit(&bm_careful, memory_order_relaxed) & what;
}

static inline void bm_be_careful(uint32_t what)
{
    if (bm_is_careful(what))
        return;
    atomic_fetch_or_explicit(&bm_careful, what, memory_order_relaxed);
    bm_mode_change();
}

static inline uint64_t bm_granule_pack(uintptr_t address, uint32_t key,
                                       uint64_t size)
{
    return size << BM_ENTRY_SIZE_SHIFT | (uint64_t)key << BM_ENTRY_KEY_SHIFT |
           (address & BM_GRANULE_MASK);
}

/* The same; tag has the key where an entry has it. */
static inline uint64_t bm_granule_of(uintptr_t address, uint64_t tag,
                                     uint64_t size)
{
    return size << BM_ENTRY_SIZE_SHIFT | tag | (address & BM_GRANULE_MASK);
}

static inline bool bm_granule_is_of(uint64_t entry, uintptr_t address)
{
    return ((entry ^ address) & BM_GRANULE_MASK) == 0;
}

/* Whether an entry is that of an address and has the tag's key. */
static inline bool bm_granule_has(uint64_t entry, uintptr_t address,
                                  uint64_t tag)
{
    uint32_t wanted = (uint32_t)(address & BM_GRANULE_MASK) | (uint32_t)tag;

    return (((uint32_t)entry ^ wanted) & BM_ENTRY_TAG_MASK) == 0;
}

static inline uint32_t bm_granule_key(uint64_t entry)
{
    return ((uint32_t)entry & BM_ENTRY_TAG_MASK) >> BM_ENTRY_KEY_SHIFT;
}

static inline uint64_t bm_granule_size(uint64_t entry)
{
    return entry >> BM_ENTRY_SIZE_SHIFT;
}

static inline size_t bm_leaf_index(uintptr_t address)
{
    return address >> BM_GRANULE_BITS & (BM_LEAF_ENTRIES - 1);
}

static inline _Atomic uint64_t *bm_leaf_entry(struct bm_leaf *leaf,
                                              uintptr_t address)
{
    return &leaf->entries[bm_leaf_index(address)];
}

/* The leaf, not one aside, that has an address's entry. */
static inline struct bm_leaf *bm_leaf_of_entry(_Atomic uint64_t *entry,
                                               const void *memory)
{
    return (struct bm_leaf *)(void *)(entry - bm_leaf_index((uintptr_t)memory));
}

/*
 * A thread's own short way to the leaves that it used last. All zero at
 * first.
 */
#define BM_LEAF_CACHE 64u /* 256 MiB of heap that lies together */

struct bm_leaf_cache {
    uintptr_t tags[BM_LEAF_CACHE]; /* the leaf's addresses, 0 also for none */
    struct bm_leaf *leaves[BM_LEAF_CACHE];
};

/* The leaf of an address, NULL if it is not at hand. */
static inline struct bm_leaf *bm_leaf_at_hand(const struct bm_leaf_cache *cache,
                                              const void *memory)
{
    uintptr_t tag = (uintptr_t)memory >> BM_LEAF_BITS;
    size_t i = tag % BM_LEAF_CACHE;

    return cache->tags[i] == tag ? cache->leaves[i] : NULL;
}

/*
 * The shortest way, for one thread while nothing asks for care: where the
 * entry of address 0 would be, were its leaf as large as the address space.
 */
struct bm_short_leaves {
    uintptr_t tags[BM_LEAF_CACHE];
    /* Numbers: arithmetic of pointers ends where the leaf does. */
    uintptr_t origins[BM_LEAF_CACHE];
};

/*
 * Tag 0 is that of slot 0 alone, so another there makes all of them empty. It
 * is never the tag of a leaf at hand, so NULL has none.
 */
#define BM_TAG_NONE ((uintptr_t)1)

static inline void bm_short_leaves_clear(struct bm_short_leaves *all)
{
    for (size_t i = 0; i < BM_LEAF_CACHE; i++)
        all->tags[i] = 0;
    all->tags[0] = BM_TAG_NONE;
}

static inline bool bm_short_has(const struct bm_short_leaves *all,
                                const void *memory)
{
    uintptr_t tag = (uintptr_t)memory >> BM_LEAF_BITS;

    return all->tags[tag % BM_LEAF_CACHE] == tag;
}

/* The entry of an address whose leaf is at hand; else not to be used. */
static inline _Atomic uint64_t *
bm_short_entry(const struct bm_short_leaves *all, const void *memory)
{
    uintptr_t tag = (uintptr_t)memory >> BM_LEAF_BITS;
    uintptr_t index = (uintptr_t)memory >> BM_GRANULE_BITS;

    /* Else the compiler takes the two shifts for one and a mask, which is an
     * instruction more than an index of an address. */
    __asm__("" : "+r"(index));
    return (_Atomic uint64_t *)(all->origins[tag % BM_LEAF_CACHE] +
                                index * sizeof(uint64_t));
}

/* Whether nothing is there; the entry is the calling thread's own. */
static inline bool bm_entry_is_empty(const _Atomic uint64_t *entry)
{
#if defined(__x86_64__)
    bool empty;

    __asm__("cmpq $0, %1" : "=@cce"(empty) : "m"(*entry));
    return empty;
#else
    return !atomic_load_explicit(entry, memory_order_relaxed);
#endif
}

/* Takes over what the cache knows of an address. */
static inline void bm_short_leaves_take(struct bm_short_leaves *all,
                                        const struct bm_leaf_cache *cache,
                                        const void *memory)
{
    uintptr_t tag = (uintptr_t)memory >> BM_LEAF_BITS;
    struct bm_leaf *leaf = bm_leaf_at_hand(cache, memory);
    size_t i = tag % BM_LEAF_CACHE;

    if (!leaf || tag == 0)
        return;
    all->origins[i] =
        (uintptr_t)leaf->entries -
        (tag << (BM_LEAF_BITS - BM_GRANULE_BITS)) * sizeof(uint64_t);
    all->tags[i] = tag;
}

enum bm_learned {
    BM_LEARNED,
    BM_LEARNED_OVER, /* a block was known there: it must have been freed
                        unseen; it is in *old */
    BM_NOT_LEARNED,  /* no memory */
};

enum bm_learned bm_block_learn(struct bm_leaf_cache *cache, void *memory,
                               const struct bm_block *block,
                               struct bm_block *old);

/*
 * The pass that the block at an address was born in, once births are kept.
 * Setting it fails, and is without effect, where there is no memory.
 */
static inline uint32_t bm_block_birth(struct bm_leaf *leaf, const void *memory)
{
    /* Pairs with the release of who links them (blocks.c). */
    _Atomic uint32_t *births =
        atomic_load_explicit(&leaf->births, memory_order_acquire);

    return births
               ? atomic_load_explicit(&births[bm_leaf_index((uintptr_t)memory)],
                                      memory_order_relaxed)
               : 0;
}

void bm_block_set_birth_slow(struct bm_leaf *leaf, const void *memory,
                             uint32_t birth);

static inline void bm_block_set_birth(struct bm_leaf *leaf, const void *memory,
                                      uint32_t birth)
{
    /* Pairs with the release of who links them (blocks.c). */
    _Atomic uint32_t *births =
        atomic_load_explicit(&leaf->births, memory_order_acquire);

    if (births)
        atomic_store_explicit(&births[bm_leaf_index((uintptr_t)memory)], birth,
                              memory_order_relaxed);
    else if (birth)
        bm_block_set_birth_slow(leaf, memory, birth);
}

/* Takes the block out; false if it is not known. */
bool bm_block_forget(struct bm_leaf_cache *cache, void *memory,
                     struct bm_block *out);

/*
 * Calls visit for each block. What other threads do to blocks meanwhile may
 * be seen or not.
 */
typedef void bm_visit_block(void *context, uintptr_t address,
                            const struct bm_block *block);
void bm_blocks_each(bm_visit_block *visit, void *context);

#endif
