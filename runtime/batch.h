/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Batches, with slack=BYTES: where threads work at once, a thread adds to the
 * totals not each event but some of its events together, so that the words
 * that all of them write are written seldom. What the process holds is then
 * known to within what the batches hold back: BM_BATCH_THREADS threads hold
 * back a share each, half of the slack together; further ones hold back
 * nothing. Figures of nodes never wait.
 *
 * A batch is one event to the rest: it happens when it ends. So at_peak of a
 * node is what it held when its thread's last batch ended before the peak;
 * each node that a batch touches has that kept until the end (see ledger.h).
 * So at_peak sums to the peak still.
 *
 * The last batch of a thread may have no end, as threads end unnoticed. Then
 * readers take the peak for what at_peak sums to (BM_STATE_SLACK), which is
 * off by no more than the other half of the slack.
 *
 * Windows are not batched: their figures are exact at all times. Calling
 * thread's own, guard held.
 */
#ifndef BENCHMEM_RUNTIME_BATCH_H
#define BENCHMEM_RUNTIME_BATCH_H

#include "hidden.h"

#include <stdbool.h>
#include <stdint.h>

struct bm_node;
struct bm_thread;

#define BM_BATCH_THREADS 32u
#define BM_BATCH_NODES 64u /* a batch that touches more ends */

/* What a node held when the batch began. */
struct bm_touched {
    struct bm_node *node;
    uint64_t live, blocks, allocations;
};

struct bm_batch {
    uint64_t share;  /* bytes that a batch may move, 0: nothing is batched */
    uint64_t moved;  /* came and went in it */
    uint64_t live;   /* came less went */
    uint32_t number; /* of the batch; nodes keep that of their last */
    uint32_t nr_nodes;
    bool is_said; /* that the profile has slack */
    struct bm_touched nodes[BM_BATCH_NODES];
};

/* As a thread's record is made: its share of the slack. */
void bm_batch_begin(struct bm_thread *thread);

/* One event: blocks that come and go in the nodes, which may be NULL. */
void bm_batch_event(struct bm_thread *thread, struct bm_node *made,
                    uint64_t made_size, struct bm_node *gone,
                    uint64_t gone_size);

/* Ends the batch; before the thread's nodes become another thread's. */
void bm_batch_end(struct bm_thread *thread);

/* In a forked child: what the parent held back is the parent's. */
void bm_batch_forget(struct bm_thread *thread);

#endif
