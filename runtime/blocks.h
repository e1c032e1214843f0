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
 * and entries are taken by compare and exchange (bm_blocks.packed).
 * What fits nowhere (sizes from 2^38, addresses beyond 2^47) is kept in a
 * short list of odd blocks.
 *
 * Any thread, guard held. A block is forgotten before it is really freed and
 * learned after it was really allocated, so that its address is always its
 * thread's own. Without memory for the table a block is not learned, and its
 * free is one of an unknown block.
 */
#ifndef BENCHMEM_RUNTIME_BLOCKS_H
#define BENCHMEM_RUNTIME_BLOCKS_H

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

/* An entry: key in the high 24 bits, offset in the granule, size. 0: none. */
#define BM_ENTRY_SIZE_BITS 38
#define BM_ENTRY_KEY_SHIFT 40
#define BM_ENTRY_MAX_SIZE (((uint64_t)1 << BM_ENTRY_SIZE_BITS) - 1)

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
    _Atomic bool births; /* some block was born in a pass */
    bool packed;         /* two blocks may share a granule; set at start */
};
extern struct bm_blocks bm_blocks;

static inline uint64_t bm_entry_of(uintptr_t address, uint32_t key,
                                   uint64_t size)
{
    uint64_t offset = address >> 3 & (BM_GRANULE_OFFSETS - 1);

    return (uint64_t)key << BM_ENTRY_KEY_SHIFT | offset << BM_ENTRY_SIZE_BITS |
           size;
}

static inline bool bm_entry_is_of(uint64_t entry, uintptr_t address)
{
    return ((entry >> BM_ENTRY_SIZE_BITS ^ address >> 3) &
            (BM_GRANULE_OFFSETS - 1)) == 0;
}

static inline struct bm_leaf *bm_leaf_find(uintptr_t address)
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

static inline _Atomic uint64_t *bm_leaf_entry(struct bm_leaf *leaf,
                                              uintptr_t address)
{
    return &leaf->entries[address >> BM_GRANULE_BITS & (BM_LEAF_ENTRIES - 1)];
}

enum bm_learned {
    BM_LEARNED,
    BM_LEARNED_OVER, /* a block was known there: it must have been freed
                        unseen; it is in *old */
    BM_NOT_LEARNED,  /* no memory */
};

enum bm_learned bm_block_learn_slow(uintptr_t address,
                                    const struct bm_block *block,
                                    struct bm_block *old);
bool bm_block_forget_slow(uintptr_t address, struct bm_block *out);

static inline enum bm_learned
bm_block_learn(void *memory, const struct bm_block *block, struct bm_block *old)
{
    uintptr_t address = (uintptr_t)memory;
    struct bm_leaf *leaf = bm_leaf_find(address);

    if (__builtin_expect(
            leaf && block->size <= BM_ENTRY_MAX_SIZE && !bm_blocks.packed &&
                !atomic_load_explicit(&bm_blocks.births, memory_order_relaxed),
            1)) {
        _Atomic uint64_t *entry = bm_leaf_entry(leaf, address);

        if (atomic_load_explicit(entry, memory_order_relaxed) == 0) {
            atomic_store_explicit(entry,
                                  bm_entry_of(address, block->key, block->size),
                                  memory_order_relaxed);
            return BM_LEARNED;
        }
    }
    return bm_block_learn_slow(address, block, old);
}

/* Takes the block out; false if it is not known. */
static inline bool bm_block_forget(void *memory, struct bm_block *out)
{
    uintptr_t address = (uintptr_t)memory;
    struct bm_leaf *leaf = bm_leaf_find(address);

    if (__builtin_expect(leaf && !atomic_load_explicit(&bm_blocks.births,
                                                       memory_order_relaxed),
                         1)) {
        _Atomic uint64_t *entry = bm_leaf_entry(leaf, address);
        uint64_t value = atomic_load_explicit(entry, memory_order_relaxed);

        if (__builtin_expect(value && bm_entry_is_of(value, address), 1)) {
            atomic_store_explicit(entry, 0, memory_order_relaxed);
            out->key = (uint32_t)(value >> BM_ENTRY_KEY_SHIFT);
            out->birth = 0;
            out->size = value & BM_ENTRY_MAX_SIZE;
            return true;
        }
    }
    return bm_block_forget_slow(address, out);
}

/* Calls visit for each block. For a process with one thread. */
void bm_blocks_each(void (*visit)(void *context, const struct bm_block *block),
                    void *context);

#endif
