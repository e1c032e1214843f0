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
void bm_record_failure(struct bm_thread *thread);

/* A free or realloc of a block that was never seen. */
void bm_record_unknown(struct bm_thread *thread, uintptr_t sp);

/* An event that cannot be counted. */
void bm_record_dropped(struct bm_thread *thread);

/* A block that went without a free that was seen. */
void bm_record_vanished(struct bm_thread *thread, const struct bm_block *block,
                        uintptr_t sp);

/* A block that was forgotten (bm_block_forget) and is freed now. */
void bm_record_gone(struct bm_thread *thread, const struct bm_block *block,
                    void *memory, uintptr_t sp);

/*
 * realloc took `old` (forgotten before the call) and gave `memory`.
 */
void bm_record_moved(struct bm_thread *thread, const struct bm_block *old,
                     void *old_memory, void *memory, uint64_t size,
                     uint32_t key, uintptr_t sp);

/* realloc failed: the block is where it was. */
void bm_record_kept(struct bm_thread *thread, void *memory,
                    const struct bm_block *block);

/* The last blocks of a thread: for `temporary`. */
void bm_recent_add(struct bm_thread *thread, void *memory);

/* Whether memory is among the thread's last blocks; it no longer is then. */
bool bm_recent_take(struct bm_thread *thread, void *memory);

/* The general ways. */
void bm_record_alloc_slow(struct bm_thread *thread, void *memory, uint64_t size,
                          uint32_t key, uintptr_t sp);
void bm_record_free_slow(struct bm_thread *thread, void *memory, uintptr_t sp);

/*
 * With threads or windows, where the leaf is at hand, no other block is known
 * in the granule (alloc), or this one is (free).
 */
void bm_record_alloc_more(struct bm_thread *thread, void *memory, uint64_t size,
                          struct bm_node *node, struct bm_leaf *leaf,
                          uintptr_t sp);
void bm_record_free_more(struct bm_thread *thread, void *memory,
                         struct bm_node *node, struct bm_leaf *leaf,
                         uintptr_t sp);

/* Another block of that size; see `sizes_0` of schema.inc. */
static inline void bm_count_size(struct bm_thread *thread, uint64_t size)
{
    /* 0 for 0, else the number of bits: sizes are far below 2^63. */
    unsigned bits = 63 - (unsigned)__builtin_clzll(2 * size + 1);

    bm_word_add(&thread->words[BM_THREAD_sizes_0 + bits], 1);
}

/* The short ways, for one thread without windows. */
static inline __attribute__((always_inline)) void
bm_record_alloc(struct bm_thread *thread, void *memory, uint64_t size,
                uint32_t key, uintptr_t sp)
{
    struct bm_node *node = bm_node_find(thread, key);
    struct bm_leaf *leaf = bm_leaf_at_hand(&thread->leaves, memory);

    if (__builtin_expect(node && leaf && size <= BM_ENTRY_MAX_SIZE &&
                             !bm_is_careful(~BM_CAREFUL_BIRTHS),
                         1)) {
        _Atomic uint64_t *entry = bm_leaf_entry(leaf, (uintptr_t)memory);

        if (__builtin_expect(!atomic_load_explicit(entry, memory_order_relaxed),
                             1)) {
            if (bm_is_careful(BM_CAREFUL_BIRTHS) || bm_is_threaded()) {
                bm_record_alloc_more(thread, memory, size, node, leaf, sp);
                return;
            }
            atomic_store_explicit(entry,
                                  bm_granule_pack((uintptr_t)memory, key, size),
                                  memory_order_relaxed);
            bm_count_alloc_alone(node, size);
            bm_count_size(thread, size);
            thread->recent[0] = (uintptr_t)memory;
            return;
        }
    }
    bm_record_alloc_slow(thread, memory, size, key, sp);
}

static inline __attribute__((always_inline)) void
bm_record_free(struct bm_thread *thread, void *memory, uintptr_t sp)
{
    struct bm_leaf *leaf = bm_leaf_at_hand(&thread->leaves, memory);

    if (__builtin_expect(leaf && !bm_is_careful(~BM_CAREFUL_BIRTHS), 1)) {
        _Atomic uint64_t *entry = bm_leaf_entry(leaf, (uintptr_t)memory);
        uint64_t value = atomic_load_explicit(entry, memory_order_relaxed);
        struct bm_node *node =
            value ? bm_node_find(thread, bm_granule_key(value)) : NULL;

        if (__builtin_expect(node && bm_granule_is_of(value, (uintptr_t)memory),
                             1)) {
            if (bm_is_careful(BM_CAREFUL_BIRTHS) || bm_is_threaded()) {
                bm_record_free_more(thread, memory, node, leaf, sp);
                return;
            }
            atomic_store_explicit(entry, 0, memory_order_relaxed);
            bm_count_free_alone(node, bm_granule_size(value));
            if (thread->recent[0] == (uintptr_t)memory) {
                thread->recent[0] = 0;
                bm_word_add(&node->words[BM_NODE_temporary], 1);
            }
            return;
        }
    }
    bm_record_free_slow(thread, memory, sp);
}

#endif
