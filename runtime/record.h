/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Events: what the entries tell the rest of the recorder. Each function is
 * called with the guard held, after the real call succeeded; `sp` is the
 * caller's stack pointer, by which windows that were left are noticed.
 */
#ifndef BENCHMEM_RUNTIME_RECORD_H
#define BENCHMEM_RUNTIME_RECORD_H

#include "blocks.h"
#include "ledger.h"
#include "options.h"
#include "windows.h"

/* A call that returned no block. */
BM_RARE void bm_record_failure(struct bm_thread *thread);

/* A free or realloc of a block that was never seen. */
void bm_record_unknown(struct bm_thread *thread, uintptr_t sp);

/* An event that cannot be counted. */
BM_RARE void bm_record_dropped(struct bm_thread *thread);

/* A block that went without a free that was seen. */
void bm_record_vanished(struct bm_thread *thread, const struct bm_block *block,
                        uintptr_t sp);

/* A block that was forgotten (bm_block_forget) and is freed now. */
void bm_record_gone(struct bm_thread *thread, const struct bm_block *block,
                    void *memory, uintptr_t sp);

/*
 * realloc took `old` (forgotten before the call) and gave `memory`. node is
 * where that counts, NULL where there is no room.
 */
void bm_record_moved(struct bm_thread *thread, const struct bm_block *old,
                     void *old_memory, void *memory, uint64_t size,
                     struct bm_node *node, uintptr_t sp);

/* realloc failed: the block is where it was. */
void bm_record_kept(struct bm_thread *thread, void *memory,
                    const struct bm_block *block);

/* Takes out a block that realloc is given; false if it is not known. */
static inline bool bm_record_take(struct bm_thread *thread, void *memory,
                                  struct bm_block *block)
{
    _Atomic uint64_t *entry;
    uint64_t value;

    if (__builtin_expect(!bm_short_has(&thread->short_leaves, memory), 0))
        return bm_block_forget(&thread->leaves, memory, block);
    entry = bm_short_entry(&thread->short_leaves, memory);
    value = atomic_load_explicit(entry, memory_order_relaxed);
    if (__builtin_expect(!value || !bm_granule_is_of(value, (uintptr_t)memory),
                         0))
        return bm_block_forget(&thread->leaves, memory, block);
    *block = (struct bm_block){.key = bm_granule_key(value),
                               .size = bm_granule_size(value)};
    atomic_store_explicit(entry, 0, memory_order_relaxed);
    return true;
}

/* The last blocks of a thread: for `temporary`. */
void bm_recent_add(struct bm_thread *thread, void *memory);

/* Whether memory is among the thread's last blocks; it no longer is then. */
bool bm_recent_take(struct bm_thread *thread, void *memory);

/* The general way, for a block that a key is counted for. */
BM_RARE void bm_record_alloc_slow(struct bm_thread *thread, void *memory,
                                  uint64_t size, uint32_t key, uintptr_t sp);

/*
 * All but the shortest ways, from the entry that is inside. A block may be
 * NULL here, where the call failed. free has its block
 * in the register of the first argument, and wants it there for the real one.
 */
BM_RARE void bm_record_alloc_rest(struct bm_thread *thread, void *memory,
                                  uint64_t size, struct bm_node *node);
BM_RARE void bm_record_free_rest(void *memory, struct bm_thread *thread);

/* 0 for 0, else the number of bits of a size, which is far below 2^63. */
static inline size_t bm_size_bits(uint64_t size)
{
    return 63 ^ (size_t)__builtin_clzll(2 * size + 1);
}

/* Another block of so many bits of size; see `sizes_0` of schema.inc. */
static inline void bm_count_bits(struct bm_thread *thread, size_t bits)
{
    bm_word_add(&thread->words[BM_THREAD_sizes_0 + bits], 1);
}

static inline void bm_count_size(struct bm_thread *thread, uint64_t size)
{
    bm_count_bits(thread, bm_size_bits(size));
}

/* The thread's short ways are empty, and as the recorder's mode wants them. */
void bm_record_renew(struct bm_thread *thread);

/*
 * The short ways, from the entry that is inside: where nothing asks for care
 * (see bm_short_leaves).
 */
static inline __attribute__((always_inline)) void
bm_record_alloc(struct bm_thread *thread, void *memory, uint64_t size,
                struct bm_node *node)
{
    _Atomic uint64_t *entry = bm_short_entry(&thread->short_leaves, memory);
    size_t bits = bm_size_bits(size);

    if (__builtin_expect(!bm_short_has(&thread->short_leaves, memory) ||
                             bits > BM_ENTRY_SIZE_BITS ||
                             !bm_entry_is_empty(entry),
                         0)) {
        bm_record_alloc_rest(thread, memory, size, node);
        return;
    }
    if (__builtin_expect(!bm_is_threaded(), 1)) {
        bm_count_alloc_alone(memory, node, size);
    } else if (bm_batch_takes(thread, node, size)) {
        thread->batch.live += size;
        bm_node_alloc(node->words, size);
    } else {
        bm_count_alloc_shared(thread, node, size);
    }
    atomic_store_explicit(entry,
                          bm_granule_of((uintptr_t)memory, node->tag, size),
                          memory_order_relaxed);
    bm_count_bits(thread, bits);
    thread->recent[0] = (uintptr_t)memory;
}

static inline __attribute__((always_inline)) void
bm_record_free(struct bm_thread *thread, void *memory)
{
    _Atomic uint64_t *entry = bm_short_entry(&thread->short_leaves, memory);

    if (__builtin_expect(!bm_short_has(&thread->short_leaves, memory), 0)) {
        bm_record_free_rest(memory, thread);
        return;
    }
    uint64_t value = atomic_load_explicit(entry, memory_order_relaxed);
    uint64_t size = bm_granule_size(value);
    struct bm_node *node = thread->near[bm_granule_key(value) % BM_NEAR_NODES];

    /* No node has key 0, which is that of no entry. */
    if (__builtin_expect(!bm_granule_has(value, (uintptr_t)memory, node->tag),
                         0)) {
        bm_record_free_rest(memory, thread);
        return;
    }
    if (__builtin_expect(!bm_is_threaded(), 1)) {
        bm_count_free_alone(memory, node, size);
    } else if (bm_batch_takes(thread, node, size)) {
        thread->batch.live -= size;
        bm_node_free(node->words, size);
    } else {
        bm_count_free_shared(memory, thread, node, size);
    }
    atomic_store_explicit(entry, 0, memory_order_relaxed);
    if (thread->recent[0] == (uintptr_t)memory) {
        thread->recent[0] = 0;
        bm_word_add(&node->words[BM_NODE_temporary], 1);
    }
}

/* The short way of bm_record_moved; false if that is to be taken. */
static inline __attribute__((always_inline)) bool
bm_record_moved_short(struct bm_thread *thread, const struct bm_block *old,
                      void *old_memory, void *memory, uint64_t size,
                      struct bm_node *node)
{
    _Atomic uint64_t *entry = bm_short_entry(&thread->short_leaves, memory);
    struct bm_node *old_node = thread->near[old->key % BM_NEAR_NODES];
    size_t bits = bm_size_bits(size);

    if (__builtin_expect(!bm_short_has(&thread->short_leaves, memory) ||
                             bits > BM_ENTRY_SIZE_BITS ||
                             !bm_entry_is_empty(entry) ||
                             old_node->key != old->key,
                         0))
        return false;
    if (__builtin_expect(!bm_is_threaded(), 1))
        bm_count_realloc_alone(old_node, old->size, node, size);
    else
        bm_count_realloc(thread, old_node, old->size, node, size);
    atomic_store_explicit(entry,
                          bm_granule_of((uintptr_t)memory, node->tag, size),
                          memory_order_relaxed);
    bm_count_bits(thread, bits);
    if (thread->recent[0] == (uintptr_t)old_memory)
        bm_word_add(&old_node->words[BM_NODE_temporary], 1);
    thread->recent[0] = (uintptr_t)memory;
    return true;
}

#endif
