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
void bm_record_kept(void *memory, const struct bm_block *block);

static inline void bm_recent_add(struct bm_thread *thread, void *memory)
{
    thread->recent[thread->recent_at] = (uintptr_t)memory;
    if (++thread->recent_at >= bm_options.temporary)
        thread->recent_at = 0;
}

/* Whether memory is among the thread's last blocks; it no longer is then. */
static inline bool bm_recent_take(struct bm_thread *thread, void *memory)
{
    for (uint32_t i = 0; i < bm_options.temporary; i++)
        if (thread->recent[i] == (uintptr_t)memory) {
            thread->recent[i] = 0;
            return true;
        }
    return false;
}

static inline void bm_record_alloc(struct bm_thread *thread, void *memory,
                                   uint64_t size, uint32_t key, uintptr_t sp)
{
    struct bm_node *node = bm_node_of(thread, key);
    struct bm_block block = {.size = size}, old;

    if (__builtin_expect(!node, 0)) {
        bm_record_dropped(thread);
        return;
    }
    block.key = node->key;
    if (__builtin_expect(bm_window_is_open(), 0))
        block.birth = bm_window_alloc(thread, node, size, sp);
    if (__builtin_expect(
            bm_block_learn(memory, &block, &old) == BM_LEARNED_OVER, 0))
        bm_record_vanished(thread, &old, sp);
    bm_count_alloc(node, size);
    bm_recent_add(thread, memory);
}

static inline void bm_record_free(struct bm_thread *thread, void *memory,
                                  uintptr_t sp)
{
    struct bm_block block;

    if (__builtin_expect(bm_block_forget(memory, &block), 1))
        bm_record_gone(thread, &block, memory, sp);
    else
        bm_record_unknown(thread, sp);
}

#endif
