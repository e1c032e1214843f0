/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ledger.h"

extern const char __libc_single_threaded __attribute__((weak));

static const char never_single;
const char *bm_single_threaded = &never_single;

struct bm_ledger bm_process;

void bm_ledgers_start(void)
{
    if (&__libc_single_threaded)
        bm_single_threaded = &__libc_single_threaded;
}

/* A site's own mark needs no epoch: each word for itself. */
void bm_mark_add_shared(uint64_t *mark, uint64_t amount, uint64_t ordinal)
{
    uint64_t live = bm_word_add_shared(&mark[BM_MARK_live], amount);

    if ((int64_t)live > 0 && bm_word_max_shared(&mark[BM_MARK_peak], live))
        bm_word_max_shared(&mark[BM_MARK_peak_ordinal], ordinal);
}

uint64_t bm_totals_add_shared(uint64_t amount, uint64_t ordinal)
{
    bool rose;
    uint64_t peak = bm_gauge_add_shared(bm_process.words, amount, &rose);

    if (rose)
        bm_word_max_shared(&bm_process.words[BM_LEDGER_peak_ordinal], ordinal);
    return peak;
}

void bm_count_alloc_shared(struct bm_thread *thread, struct bm_node *node,
                           uint64_t size)
{
    uint64_t ordinal;

    if (thread->batch.share) {
        bm_batch_event(thread, node, size, NULL, 0);
        return;
    }
    ordinal = bm_ordinals_shared(1);
    bm_node_seen(node->words, bm_totals_add_shared(size, ordinal));
    bm_node_alloc(node->words, size);
    bm_mark_add_shared(node->mark_words, size, ordinal);
}

void bm_count_free_shared(struct bm_thread *thread, struct bm_node *node,
                          uint64_t size)
{
    if (thread->batch.share) {
        bm_batch_event(thread, NULL, 0, node, size);
        return;
    }
    bm_node_seen(node->words, bm_totals_add_shared(-size, 0));
    bm_node_free(node->words, size);
    bm_word_add_shared(&node->mark_words[BM_MARK_live], -size);
}

/* What a mark that grows from one block to the next gets more. */
static uint64_t grown(const struct bm_node *old, uint64_t old_size,
                      const struct bm_node *node, uint64_t size)
{
    return old->mark_words == node->mark_words ? size - old_size : size;
}

static void realloc_shared(struct bm_node *old, uint64_t old_size,
                           struct bm_node *node, uint64_t size)
{
    uint64_t ordinal = bm_ordinals_shared(1);
    uint64_t peak = bm_totals_add_shared(size - old_size, ordinal);

    bm_node_seen(old->words, peak);
    bm_node_seen(node->words, peak);
    bm_node_free(old->words, old_size);
    bm_node_alloc(node->words, size);
    if (old->mark_words != node->mark_words)
        bm_word_add_shared(&old->mark_words[BM_MARK_live], -old_size);
    bm_mark_add_shared(node->mark_words, grown(old, old_size, node, size),
                       ordinal);
}

static void realloc_alone(struct bm_node *old, uint64_t old_size,
                          struct bm_node *node, uint64_t size)
{
    uint64_t *totals = bm_process.words;
    uint64_t peak = bm_word_get(&totals[BM_LEDGER_peak]);

    bm_node_seen(old->words, peak);
    bm_node_seen(node->words, peak);
    bm_node_free(old->words, old_size);
    bm_node_alloc(node->words, size);
    bm_word_add(&totals[BM_LEDGER_allocations], 1);
    if (bm_gauge_add(totals, size - old_size))
        bm_word_set(&totals[BM_LEDGER_peak_ordinal], bm_last_ordinal());
    if (old->mark_words != node->mark_words)
        bm_word_add(&old->mark_words[BM_MARK_live], -old_size);
    if (bm_gauge_add(node->mark_words, grown(old, old_size, node, size)))
        bm_word_set(&node->mark_words[BM_MARK_peak_ordinal], bm_last_ordinal());
}

void bm_count_realloc(struct bm_thread *thread, struct bm_node *old,
                      uint64_t old_size, struct bm_node *node, uint64_t size)
{
    if (!bm_is_threaded())
        realloc_alone(old, old_size, node, size);
    else if (thread->batch.share)
        bm_batch_event(thread, node, size, old, old_size);
    else
        realloc_shared(old, old_size, node, size);
}

void bm_count_inherited(struct bm_node *node, uint64_t size)
{
    bm_word_add(&node->words[BM_NODE_inherited_blocks], 1);
    bm_word_add(&node->words[BM_NODE_inherited_bytes], size);
    bm_gauge_add(bm_process.words, size);
    bm_gauge_add(node->mark_words, size);
}
