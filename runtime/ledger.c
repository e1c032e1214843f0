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
void bm_mark_add_shared(uint64_t *mark, uint64_t amount)
{
    uint64_t live = bm_word_add_shared(&mark[BM_MARK_live], amount);

    if ((int64_t)live > 0)
        bm_word_max_shared(&mark[BM_MARK_peak], live);
}

void bm_count_alloc_shared(struct bm_thread *thread, struct bm_node *node,
                           uint64_t size)
{
    uint64_t peak;

    if (thread->batch.share) {
        bm_batch_event(thread, node, size, NULL, 0);
        return;
    }
    peak = bm_gauge_add_shared(bm_process.words, size);
    bm_node_seen(node->words, peak);
    bm_node_alloc(node->words, size);
    bm_mark_add_shared(node->mark_words, size);
}

void bm_count_free_shared(struct bm_thread *thread, struct bm_node *node,
                          uint64_t size)
{
    uint64_t peak;

    if (thread->batch.share) {
        bm_batch_event(thread, NULL, 0, node, size);
        return;
    }
    peak = bm_gauge_add_shared(bm_process.words, -size);
    bm_node_seen(node->words, peak);
    bm_node_free(node->words, size);
    bm_word_add_shared(&node->mark_words[BM_MARK_live], -size);
}

static void mark_realloc(uint64_t *old_mark, uint64_t old_size, uint64_t *mark,
                         uint64_t size, bool shared)
{
    uint64_t grown = old_mark == mark ? size - old_size : size;

    if (shared) {
        if (old_mark != mark)
            bm_word_add_shared(&old_mark[BM_MARK_live], -old_size);
        bm_mark_add_shared(mark, grown);
    } else {
        if (old_mark != mark)
            bm_word_add(&old_mark[BM_MARK_live], -old_size);
        bm_gauge_add(mark, grown);
    }
}

void bm_count_realloc(struct bm_thread *thread, struct bm_node *old,
                      uint64_t old_size, struct bm_node *node, uint64_t size)
{
    uint64_t *totals = bm_process.words;
    bool shared = bm_is_threaded();
    uint64_t peak;

    if (shared && thread->batch.share) {
        bm_batch_event(thread, node, size, old, old_size);
        return;
    }
    peak = shared ? bm_gauge_add_shared(totals, size - old_size)
                  : bm_word_get(&totals[BM_LEDGER_peak]);
    bm_node_seen(old->words, peak);
    bm_node_seen(node->words, peak);
    bm_node_free(old->words, old_size);
    bm_node_alloc(node->words, size);
    if (!shared)
        bm_gauge_add(totals, size - old_size);
    mark_realloc(old->mark_words, old_size, node->mark_words, size, shared);
}

void bm_count_inherited(struct bm_node *node, uint64_t size)
{
    bm_word_add(&node->words[BM_NODE_inherited_blocks], 1);
    bm_word_add(&node->words[BM_NODE_inherited_bytes], size);
    bm_gauge_add(bm_process.words, size);
    bm_gauge_add(node->mark_words, size);
}
