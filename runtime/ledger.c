/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ledger.h"

extern const char __libc_single_threaded __attribute__((weak));

static const char never_single;
const char *bm_single_threaded = &never_single;

struct bm_ledger bm_process;
_Alignas(64) struct bm_total bm_total;

void bm_ledgers_start(void)
{
    if (&__libc_single_threaded)
        bm_single_threaded = &__libc_single_threaded;
}

bool bm_process_begin(struct bm_thread *thread)
{
    if (!bm_ledger_begin(thread, &bm_process))
        return false;
    bm_gauge_init(&bm_total.gauge, &bm_process.words[BM_LEDGER_peak],
                  &bm_process.words[BM_LEDGER_peak_ordinal]);
    bm_total.allocations = 0;
    return true;
}

BM_RARE void bm_node_see(const void *memory, uint64_t *node, uint64_t peak)
{
    (void)memory;
    bm_word_set(&node[BM_NODE_at_peak], bm_node_live(node));
    bm_node_set_peak_blocks(node, bm_node_blocks(node));
    bm_word_set(&node[BM_NODE_seen], peak);
}

/* A thread's allocations since it, or who ended a round, did so before. */
static void hand_in(struct bm_purse *purse)
{
    uint64_t made = bm_word_get(&purse->made);
    uint64_t before =
        atomic_load_explicit(&purse->handed_in, memory_order_relaxed);

    if (made != before && atomic_compare_exchange_strong_explicit(
                              &purse->handed_in, &before, made,
                              memory_order_relaxed, memory_order_relaxed))
        bm_word_add_shared(&bm_total.allocations, made - before);
}

void bm_ordinals_collect(void)
{
    /* Acquire pairs with the release in bm_purse_init. */
    struct bm_purse *purse =
        atomic_load_explicit(&bm_total.gauge.purses, memory_order_acquire);

    for (; purse; purse = purse->next)
        hand_in(purse);
}

uint64_t bm_ordinal_now(void)
{
    if (bm_gauge_has_open(&bm_total.gauge))
        bm_ordinals_collect();
    return bm_word_get(&bm_total.allocations);
}

/*
 * An allocation is numbered before the totals change: among the thread's own
 * while its purse may pay, else among all.
 */
static bool number(struct bm_purse *purse)
{
    if (bm_purse_is_open(purse)) {
        bm_word_add(&purse->made, 1);
        return true;
    }
    hand_in(purse);
    bm_word_add_shared(&bm_total.allocations, 1);
    return false;
}

static uint64_t take(struct bm_thread *thread, uint64_t size)
{
    struct bm_purse *purse = &thread->purse;

    if (number(purse)) {
        if (bm_purse_take(purse, size))
            return purse->epoch;
        hand_in(purse);
    }
    return bm_gauge_take_shared(&bm_total.gauge, size);
}

/* A smaller block in place of a larger one. */
static uint64_t take_less(struct bm_thread *thread, uint64_t size)
{
    struct bm_purse *purse = &thread->purse;

    if (number(purse)) {
        if (bm_purse_give(purse, size))
            return purse->epoch;
        hand_in(purse);
    }
    return bm_gauge_give_shared(&bm_total.gauge, purse, size);
}

static uint64_t give(struct bm_thread *thread, uint64_t size)
{
    return bm_gauge_give(&bm_total.gauge, &thread->purse, size);
}

/* A site's own mark: its peak is no epoch. */
static void take_of_mark(struct bm_node *node, uint64_t size)
{
    bm_gauge_take(&node->mark->gauge, node->purse, size);
}

static void give_to_mark(struct bm_thread *thread, struct bm_node *node,
                         uint64_t size)
{
    /* A site that a run may stop at shows what it holds at each event. */
    if (__builtin_expect(node->purse == &bm_no_purse, 0) &&
        !bm_is_careful(BM_CAREFUL_STOP))
        node->purse = bm_purse_get(&node->mark->gauge, thread);
    bm_gauge_give(&node->mark->gauge, node->purse, size);
}

BM_RARE void bm_count_alloc_shared(struct bm_thread *thread,
                                   struct bm_node *node, uint64_t size)
{
    if (thread->batch.share) {
        bm_batch_event(thread, node, size, NULL, 0);
        return;
    }
    bm_node_seen(NULL, node->words, take(thread, size));
    bm_node_alloc(node->words, size);
    take_of_mark(node, size);
}

BM_RARE void bm_count_free_shared(const void *memory, struct bm_thread *thread,
                                  struct bm_node *node, uint64_t size)
{
    (void)memory;
    if (thread->batch.share) {
        bm_batch_event(thread, NULL, 0, node, size);
        return;
    }
    bm_node_seen(NULL, node->words, give(thread, size));
    bm_node_free(node->words, size);
    give_to_mark(thread, node, size);
}

static void realloc_shared(struct bm_thread *thread, struct bm_node *old,
                           uint64_t old_size, struct bm_node *node,
                           uint64_t size)
{
    uint64_t peak = size > old_size ? take(thread, size - old_size)
                                    : take_less(thread, old_size - size);

    bm_node_seen(NULL, old->words, peak);
    bm_node_seen(NULL, node->words, peak);
    bm_node_free(old->words, old_size);
    bm_node_alloc(node->words, size);
    if (old->mark != node->mark) {
        give_to_mark(thread, old, old_size);
        take_of_mark(node, size);
    } else if (size > old_size) {
        take_of_mark(node, size - old_size);
    } else {
        give_to_mark(thread, node, old_size - size);
    }
}

BM_RARE void bm_count_realloc(struct bm_thread *thread, struct bm_node *old,
                              uint64_t old_size, struct bm_node *node,
                              uint64_t size)
{
    if (!bm_is_threaded())
        bm_count_realloc_alone(old, old_size, node, size);
    else if (thread->batch.share)
        bm_batch_event(thread, node, size, old, old_size);
    else
        realloc_shared(thread, old, old_size, node, size);
}

void bm_count_inherited(struct bm_node *node, uint64_t size)
{
    bm_word_add(&node->words[BM_NODE_inherited_blocks], 1);
    bm_word_add(&node->words[BM_NODE_inherited_bytes], size);
    bm_word_add(&node->words[BM_NODE_frees], (uint64_t)-1);
    bm_word_add(&node->words[BM_NODE_freed], -size);
    bm_gauge_take_alone(&bm_total.gauge, size);
    bm_gauge_take_alone(&node->mark->gauge, size);
}
