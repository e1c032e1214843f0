/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "record.h"

#include "access.h"
#include "saves.h"
#include "stamps.h"
#include "stop.h"
#include "timeline.h"

void bm_recent_add(struct bm_thread *thread, void *memory)
{
    thread->recent[thread->recent_at] = (uintptr_t)memory;
    if (++thread->recent_at >= bm_options.temporary)
        thread->recent_at = 0;
}

bool bm_recent_take(struct bm_thread *thread, void *memory)
{
    for (uint32_t i = 0; i < bm_options.temporary; i++)
        if (thread->recent[i] == (uintptr_t)memory) {
            thread->recent[i] = 0;
            return true;
        }
    return false;
}

BM_RARE void bm_record_failure(struct bm_thread *thread)
{
    bm_word_add_shared(&thread->words[BM_THREAD_failed_allocations], 1);
}

BM_RARE void bm_record_dropped(struct bm_thread *thread)
{
    bm_word_add_shared(&thread->words[BM_THREAD_dropped], 1);
}

void bm_record_unknown(struct bm_thread *thread, uintptr_t sp)
{
    bm_word_add_shared(&thread->words[BM_THREAD_unknown_frees], 1);
    if (bm_window_is_open())
        bm_window_look(thread, sp);
}

/*
 * The node where a block's end is to be counted. A block is never counted
 * down elsewhere than it was counted up, so where there is no room for that
 * node the event is dropped and the block stays live.
 */
static struct bm_node *node_of_block(struct bm_thread *thread,
                                     const struct bm_block *block)
{
    struct bm_node *node = bm_node_near(thread, block->key);

    if (!node)
        node = bm_node_get(thread, block->key);
    if (!node)
        bm_record_dropped(thread);
    return node;
}

void bm_record_vanished(struct bm_thread *thread, const struct bm_block *block,
                        uintptr_t sp)
{
    struct bm_node *node = node_of_block(thread, block);

    if (!node)
        return;
    bool has_turn = bm_saves_begin(thread);
    if (bm_window_is_open())
        bm_window_free(thread, node, block, sp);
    bm_count_free(thread, node, block->size);
    bm_saves_free(thread, node, block->size);
    bm_saves_end(has_turn);
}

void bm_record_gone(struct bm_thread *thread, const struct bm_block *block,
                    void *memory, uintptr_t sp)
{
    struct bm_node *node = node_of_block(thread, block);

    if (!node)
        return;
    bool has_turn = bm_saves_begin(thread);
    if (bm_window_is_open())
        bm_window_free(thread, node, block, sp);
    bm_count_free(thread, node, block->size);
    bm_saves_free(thread, node, block->size);
    bm_saves_end(has_turn);
    if (bm_recent_take(thread, memory))
        bm_word_add(&node->words[BM_NODE_temporary], 1);
    if (bm_is_careful(BM_CAREFUL_ACCESS))
        bm_access_gone(thread, node, memory, block->size);
}

void bm_record_renew(struct bm_thread *thread)
{
    /* Acquire pairs with the release in bm_mode_change. */
    uint32_t mode =
        atomic_load_explicit(&bm_state_page.mode, memory_order_acquire);

    thread->guard.seen = mode ? mode : BM_MODE_NEVER;
    if (thread->guard.mode != BM_MODE_INSIDE)
        thread->guard.mode = thread->guard.seen;
    thread->by_site = !bm_options.paths;
    bm_short_leaves_clear(&thread->short_leaves);
    bm_routes_forget(&thread->routes);
    bm_known_forget(thread);
    bm_attribute_renew(thread);
}

/* The next event at this address takes the short way, if none is careful. */
static void shorten(struct bm_thread *thread, const void *memory)
{
    if (!bm_is_careful(BM_CAREFUL_ALL))
        bm_short_leaves_take(&thread->short_leaves, &thread->leaves, memory);
}

/* The stack pointer of the caller of the entry that is inside. */
static uintptr_t sp_inside(const struct bm_thread *thread)
{
    return thread->inside_frame + 2 * sizeof(uintptr_t);
}

/* The entry of an address where births may be kept and that is all. */
static _Atomic uint64_t *entry_at_hand(struct bm_thread *thread,
                                       const void *memory)
{
    struct bm_leaf *leaf;

    if (bm_short_has(&thread->short_leaves, memory))
        return bm_short_entry(&thread->short_leaves, memory);
    leaf = bm_leaf_at_hand(&thread->leaves, memory);
    return leaf && bm_is_careful(BM_CAREFUL_ALL) == BM_CAREFUL_BIRTHS
               ? bm_leaf_entry(leaf, (uintptr_t)memory)
               : NULL;
}

/* The entry is the block's own, and empty. */
static void alloc_at(struct bm_thread *thread, void *memory, uint64_t size,
                     struct bm_node *node, _Atomic uint64_t *entry,
                     uintptr_t sp)
{
    uint32_t birth = 0;

    if (bm_window_is_open())
        birth = bm_window_alloc(thread, node, size, sp);
    if (bm_is_careful(BM_CAREFUL_BIRTHS))
        bm_block_set_birth(bm_leaf_of_entry(entry, memory), memory, birth);
    atomic_store_explicit(entry,
                          bm_granule_of((uintptr_t)memory, node->tag, size),
                          memory_order_relaxed);
    bm_count_alloc(thread, node, size);
    bm_count_size(thread, size);
    thread->recent[0] = (uintptr_t)memory;
}

static void alloc_anywhere(struct bm_thread *thread, void *memory,
                           uint64_t size, struct bm_node *node, uintptr_t sp)
{
    struct bm_block block = {.size = size, .key = node->key}, old;

    bool has_turn = bm_saves_begin(thread);
    if (bm_window_is_open())
        block.birth = bm_window_alloc(thread, node, size, sp);
    if (bm_block_learn(&thread->leaves, memory, &block, &old) ==
        BM_LEARNED_OVER)
        bm_record_vanished(thread, &old, sp);
    bm_count_alloc(thread, node, size);
    bm_saves_alloc(thread, node, size);
    bm_saves_end(has_turn);
    bm_count_size(thread, size);
    bm_timeline_alloc(thread, size);
    bm_recent_add(thread, memory);
    if (bm_is_careful(BM_CAREFUL_ACCESS))
        bm_access_born(thread, node, memory, size);
    shorten(thread, memory);
    bm_stop_alloc(node);
}

static void alloc_with(struct bm_thread *thread, void *memory, uint64_t size,
                       struct bm_node *node, uintptr_t sp)
{
    _Atomic uint64_t *entry = entry_at_hand(thread, memory);

    if (entry && size <= BM_ENTRY_MAX_SIZE &&
        !atomic_load_explicit(entry, memory_order_relaxed))
        alloc_at(thread, memory, size, node, entry, sp);
    else
        alloc_anywhere(thread, memory, size, node, sp);
}

BM_RARE void bm_record_alloc_rest(struct bm_thread *thread, void *memory,
                                  uint64_t size, struct bm_node *node)
{
    if (!memory) {
        bm_record_failure(thread);
        return;
    }
    alloc_with(thread, memory, size, node, sp_inside(thread));
}

BM_RARE void bm_record_alloc_slow(struct bm_thread *thread, void *memory,
                                  uint64_t size, uint32_t key, uintptr_t sp)
{
    struct bm_node *node = bm_node_for(thread, key);

    if (node)
        alloc_with(thread, memory, size, node, sp);
    else
        bm_record_dropped(thread);
}

/* The entry is the block's own, and its. */
static void free_at(struct bm_thread *thread, void *memory,
                    struct bm_node *node, _Atomic uint64_t *entry, uintptr_t sp)
{
    struct bm_block block = {
        .size =
            bm_granule_size(atomic_load_explicit(entry, memory_order_relaxed)),
    };

    if (bm_window_is_open()) {
        block.birth = bm_block_birth(bm_leaf_of_entry(entry, memory), memory);
        bm_window_free(thread, node, &block, sp);
    }
    atomic_store_explicit(entry, 0, memory_order_relaxed);
    bm_count_free(thread, node, block.size);
    if (thread->recent[0] == (uintptr_t)memory) {
        thread->recent[0] = 0;
        bm_word_add(&node->words[BM_NODE_temporary], 1);
    }
}

BM_RARE void bm_record_free_rest(void *memory, struct bm_thread *thread)
{
    _Atomic uint64_t *entry = entry_at_hand(thread, memory);
    uintptr_t sp = sp_inside(thread);
    struct bm_block block;

    if (entry) {
        uint64_t value = atomic_load_explicit(entry, memory_order_relaxed);
        /* No block has key 0: there is no node if there is no entry. */
        struct bm_node *node = bm_node_near(thread, bm_granule_key(value));

        if (node && bm_granule_is_of(value, (uintptr_t)memory)) {
            free_at(thread, memory, node, entry, sp);
            return;
        }
    }
    if (!bm_block_forget(&thread->leaves, memory, &block)) {
        bm_record_unknown(thread, sp);
        return;
    }
    bm_record_gone(thread, &block, memory, sp);
    shorten(thread, memory);
}

/* The end of a block alone. */
static void lose(struct bm_thread *thread, struct bm_node *node, uint64_t size)
{
    bool has_turn = bm_saves_begin(thread);

    bm_count_free(thread, node, size);
    bm_saves_free(thread, node, size);
    bm_saves_end(has_turn);
}

void bm_record_moved(struct bm_thread *thread, const struct bm_block *old,
                     void *old_memory, void *memory, uint64_t size,
                     struct bm_node *node, uintptr_t sp)
{
    struct bm_node *old_node = node_of_block(thread, old);
    struct bm_block block = {.size = size}, over;

    if (!old_node || !node) {
        if (old_node)
            lose(thread, old_node, old->size);
        if (node)
            bm_record_alloc_slow(thread, memory, size, node->key, sp);
        else
            bm_record_dropped(thread);
        return;
    }
    bool has_turn = bm_saves_begin(thread);
    block.key = node->key;
    if (bm_window_is_open())
        block.birth = bm_window_realloc(thread, old_node, old, node, size, sp);
    if (bm_block_learn(&thread->leaves, memory, &block, &over) ==
        BM_LEARNED_OVER)
        bm_record_vanished(thread, &over, sp);
    bm_count_realloc(thread, old_node, old->size, node, size);
    if (has_turn)
        bm_saves_note_process(
            thread, &(struct bm_saves_change){node, old_node, size, old->size});
    bm_saves_end(has_turn);
    bm_count_size(thread, size);
    bm_timeline_alloc(thread, size);
    if (bm_recent_take(thread, old_memory))
        bm_word_add(&old_node->words[BM_NODE_temporary], 1);
    bm_recent_add(thread, memory);
    if (bm_is_careful(BM_CAREFUL_ACCESS))
        bm_access_moved(thread, old_memory, old->size, node, memory, size);
    bm_stop_alloc(node);
}

void bm_record_kept(struct bm_thread *thread, void *memory,
                    const struct bm_block *block)
{
    struct bm_block none;

    bm_block_learn(&thread->leaves, memory, block, &none);
}
