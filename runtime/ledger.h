/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The process's exact account: what an event changes in its node, in the
 * totals and in its site's mark.
 *
 * at_peak without a look at every site: each value of the peak is an epoch.
 * A node keeps the peak for which its at_peak was taken (`seen`). At an event
 * that finds another peak, the node has not changed since that peak was set,
 * so its live is what it held then: it is taken over before it changes. A
 * node that never changes after the last peak holds it still. So the sum of
 * at_peak over all nodes is the peak, to the byte.
 *
 * Kill at any instant. One thread: nodes change before the peak, so the
 * peak lags by the event in flight. Many threads: the gauge changes first (it
 * gives the event its epoch), then the profile's peak, the nodes last. Either
 * way readers add up nodes; if the sum of live is above the peak, that sum
 * is the peak and every node's live its at_peak.
 *
 * Allocations are numbered, and where a peak rises (the process's, a pass's,
 * a site's) it keeps the number. With one thread that is exact. With many, it
 * may belong to another call that was under way at the same time.
 *
 * Guard held; `thread` is the calling thread's.
 */
#ifndef BENCHMEM_RUNTIME_LEDGER_H
#define BENCHMEM_RUNTIME_LEDGER_H

#include "nodes.h"
#include "purse.h"

#include "../profile/profile.h"
#include "../profile/records.h"

extern struct bm_ledger bm_process BM_HIDDEN; /* words are set at start */

/* What the process holds, and how many allocations it made. */
struct bm_total {
    struct bm_gauge gauge;
    uint64_t allocations; /* without what is in open purses' `made` */
};
extern struct bm_total bm_total BM_HIDDEN;

/* Writes the process's ledger; nothing is live. False if there is no room. */
bool bm_process_begin(struct bm_thread *thread);

/* Before the first event; without it, every process counts as threaded. */
void bm_ledgers_start(void);

/*
 * How many allocations the process has made: the number of the last, which is
 * kept where a peak rises.
 */
uint64_t bm_ordinal_now(void);

/* As a round of the process's gauge has ended: no purse is open. */
void bm_ordinals_collect(void);

/* Blocks that the node holds; of a benchmark, over all its passes. */
static inline uint64_t bm_node_blocks(const uint64_t *node)
{
    return bm_word_own(&node[BM_NODE_allocations]) -
           bm_word_own(&node[BM_NODE_frees]);
}

/* What a node of the process holds; its word `live` is not kept. */
static inline uint64_t bm_node_live(const uint64_t *node)
{
    return bm_word_own(&node[BM_NODE_allocated]) -
           bm_word_own(&node[BM_NODE_freed]);
}

/*
 * Another peak was set: the node has held since then what it holds now. The
 * first argument only stays in its register, see bm_record_free_rest.
 */
BM_RARE void bm_node_see(const void *memory, uint64_t *node, uint64_t peak);

/* A change of one node: blocks that came or went. */
static inline void bm_node_seen(const void *memory, uint64_t *node,
                                uint64_t peak)
{
    if (bm_word_own(&node[BM_NODE_seen]) != peak)
        bm_node_see(memory, node, peak);
}

static inline void bm_node_alloc(uint64_t *node, uint64_t size)
{
    bm_word_add(&node[BM_NODE_allocations], 1);
    bm_word_add(&node[BM_NODE_allocated], size);
}

static inline void bm_node_free(uint64_t *node, uint64_t size)
{
    bm_word_add(&node[BM_NODE_frees], 1);
    bm_word_add(&node[BM_NODE_freed], size);
}

/* For one thread. */
static inline void bm_count_alloc_alone(const void *memory,
                                        struct bm_node *node, uint64_t size)
{
    bm_node_seen(memory, node->words, bm_total.gauge.published);
    bm_node_alloc(node->words, size);
    bm_word_add(&bm_total.allocations, 1);
    bm_gauge_take_alone(&bm_total.gauge, size);
    bm_gauge_take_alone(&node->mark->gauge, size);
}

static inline void bm_count_free_alone(const void *memory, struct bm_node *node,
                                       uint64_t size)
{
    bm_node_seen(memory, node->words, bm_total.gauge.published);
    bm_node_free(node->words, size);
    bm_gauge_give_alone(&bm_total.gauge, size);
    bm_gauge_give_alone(&node->mark->gauge, size);
}

/* For many; memory as above. */
BM_RARE void bm_count_alloc_shared(struct bm_thread *thread,
                                   struct bm_node *node, uint64_t size);
BM_RARE void bm_count_free_shared(const void *memory, struct bm_thread *thread,
                                  struct bm_node *node, uint64_t size);

/*
 * Whether an event of a node goes into the batch as it is; it is in it then,
 * but for the batch's and the node's words.
 */
static inline bool bm_batch_takes(struct bm_thread *thread,
                                  const struct bm_node *node, uint64_t size)
{
    struct bm_batch *batch = &thread->batch;
    uint64_t moved = batch->moved + size;

    if (moved > batch->share || node->batch != batch->number)
        return false;
    batch->moved = moved;
    return true;
}

/* For one or many. */
static inline void bm_count_alloc(struct bm_thread *thread,
                                  struct bm_node *node, uint64_t size)
{
    if (bm_is_threaded())
        bm_count_alloc_shared(thread, node, size);
    else
        bm_count_alloc_alone(NULL, node, size);
}

static inline void bm_count_free(struct bm_thread *thread, struct bm_node *node,
                                 uint64_t size)
{
    if (bm_is_threaded())
        bm_count_free_shared(NULL, thread, node, size);
    else
        bm_count_free_alone(NULL, node, size);
}

/*
 * One block in place of another: the two are never live together. For one
 * thread, and for one or many.
 */
static inline __attribute__((always_inline)) void
bm_count_realloc_alone(struct bm_node *old, uint64_t old_size,
                       struct bm_node *node, uint64_t size)
{
    uint64_t peak = bm_total.gauge.published;

    bm_node_seen(NULL, old->words, peak);
    bm_node_seen(NULL, node->words, peak);
    bm_node_free(old->words, old_size);
    bm_node_alloc(node->words, size);
    bm_word_add(&bm_total.allocations, 1);
    bm_gauge_give_alone(&bm_total.gauge, old_size);
    bm_gauge_take_alone(&bm_total.gauge, size);
    bm_gauge_give_alone(&old->mark->gauge, old_size);
    bm_gauge_take_alone(&node->mark->gauge, size);
}

BM_RARE void bm_count_realloc(struct bm_thread *thread, struct bm_node *old,
                              uint64_t old_size, struct bm_node *node,
                              uint64_t size);

/* A block that a forked child was born with. Before its first event. */
void bm_count_inherited(struct bm_node *node, uint64_t size);

#endif
