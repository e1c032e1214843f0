/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "batch.h"

#include "ledger.h"
#include "options.h"

#include <stdatomic.h>

static _Atomic uint32_t nr_sharing;

void bm_batch_begin(struct bm_thread *thread)
{
    uint64_t share = (uint64_t)bm_options.slack / (2 * BM_BATCH_THREADS);

    if (share && atomic_fetch_add_explicit(
                     &nr_sharing, 1, memory_order_relaxed) < BM_BATCH_THREADS)
        thread->batch.share = share;
    thread->batch.number = 1; /* nodes are made with 0 */
}

static void touch(struct bm_thread *thread, struct bm_node *node)
{
    struct bm_batch *batch = &thread->batch;

    if (node->batch == batch->number)
        return;
    node->batch = batch->number;
    if (!batch->is_said)
        bm_file_flag(BM_STATE_SLACK);
    batch->is_said = true;
    batch->nodes[batch->nr_nodes++] = (struct bm_touched){
        .node = node,
        .live = bm_node_live(node->words),
        .blocks = bm_node_blocks(node->words),
        .allocations = bm_word_own(&node->words[BM_NODE_allocations]),
    };
}

void bm_batch_event(struct bm_thread *thread, struct bm_node *made,
                    uint64_t made_size, struct bm_node *gone,
                    uint64_t gone_size)
{
    struct bm_batch *batch = &thread->batch;

    if (batch->moved + made_size + gone_size > batch->share ||
        batch->nr_nodes + 2 > BM_BATCH_NODES)
        bm_batch_end(thread);
    if (gone) {
        touch(thread, gone);
        bm_node_free(gone->words, gone_size);
    }
    if (made) {
        touch(thread, made);
        bm_node_alloc(made->words, made_size);
    }
    batch->moved += made_size + gone_size;
    batch->live += made_size - gone_size;
    if (batch->moved > batch->share)
        bm_batch_end(thread);
}

static void begin(struct bm_batch *batch)
{
    batch->moved = 0;
    batch->live = 0;
    batch->nr_nodes = 0;
    batch->number++;
}

/* What the node held at a peak that was set since the batch before. */
static void see_peak(const struct bm_touched *touched, uint64_t peak)
{
    uint64_t *words = touched->node->words;

    if (bm_word_own(&words[BM_NODE_seen]) == peak)
        return;
    bm_word_set(&words[BM_NODE_at_peak], touched->live);
    bm_node_set_peak_blocks(words, touched->blocks);
    bm_word_set(&words[BM_NODE_seen], peak);
}

/* Numbers the batch's allocations. */
static void number_batch(const struct bm_batch *batch)
{
    uint64_t nr = 0;

    for (uint32_t i = 0; i < batch->nr_nodes; i++)
        nr += bm_word_own(&batch->nodes[i].node->words[BM_NODE_allocations]) -
              batch->nodes[i].allocations;
    bm_word_add_shared(&bm_total.allocations, nr);
}

/* Purses are for threads without batches. */
static uint64_t change(struct bm_gauge *gauge, uint64_t amount)
{
    return (int64_t)amount > 0
               ? bm_gauge_take_shared(gauge, amount)
               : bm_gauge_give_shared(gauge, &bm_no_purse, -amount);
}

void bm_batch_end(struct bm_thread *thread)
{
    struct bm_batch *batch = &thread->batch;
    uint64_t peak;

    if (batch->nr_nodes == 0)
        return;
    number_batch(batch);
    peak = change(&bm_total.gauge, batch->live);
    for (uint32_t i = 0; i < batch->nr_nodes; i++) {
        const struct bm_touched *touched = &batch->nodes[i];
        struct bm_node *node = touched->node;

        see_peak(touched, peak);
        change(&node->mark->gauge, bm_node_live(node->words) - touched->live);
    }
    begin(batch);
}

void bm_batch_forget(struct bm_thread *thread)
{
    begin(&thread->batch);
    thread->batch.is_said = false;
}
