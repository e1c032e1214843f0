/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How one event counts in the open pass: in the gauge that decides whether it
 * is a new peak, in the nodes of its blocks, the marks of their sites, and
 * the figures of the pass. windows.c alone calls bm_window_count, from each
 * kind of event; it is inlined there, where one side is known to be empty.
 *
 * Any thread, guard held. Nothing here knows which pass is open: one that
 * was closed meanwhile is told from the gauge.
 */
#ifndef BENCHMEM_RUNTIME_WINDOW_COUNT_H
#define BENCHMEM_RUNTIME_WINDOW_COUNT_H

#include "benchmarks.h"
#include "gauge.h"
#include "ledger.h"
#include "nodes.h"

#include <stdbool.h>
#include <stdint.h>

/* One event: blocks that come and go in the open pass. */
struct bm_window_change {
    struct bm_node *made, *gone; /* of the benchmark; may be NULL */
    uint64_t made_size, gone_size;
};

/* Blocks that make up what the node holds in its pass. */
static inline uint64_t bm_window_blocks(const uint64_t *node)
{
    return bm_node_blocks(node) - bm_word_own(&node[BM_NODE_before_blocks]);
}

/* What the node held at the peak, should the peak have moved since. */
static inline __attribute__((always_inline)) void
bm_window_see_peak(uint64_t *node, uint64_t peak, uint64_t peak_pass)
{
    if (bm_word_get(&node[BM_NODE_seen]) == peak)
        return;
    bool held = bm_word_get(&node[BM_NODE_pass]) == peak_pass;
    bm_word_set(&node[BM_NODE_at_peak],
                held ? bm_word_get(&node[BM_NODE_live]) : 0);
    bm_node_set_peak_blocks(node, held ? bm_window_blocks(node) : 0);
    bm_word_set(&node[BM_NODE_seen], peak);
}

/* The first event in a new pass: nothing of it is live yet. */
static inline __attribute__((always_inline)) void
bm_window_see_pass(uint64_t *node, uint32_t serial)
{
    if (bm_word_get(&node[BM_NODE_pass]) == serial)
        return;
    bm_word_set(&node[BM_NODE_live], 0);
    bm_word_set(&node[BM_NODE_before_blocks], bm_node_blocks(node));
    bm_word_set(&node[BM_NODE_pass], serial);
}

/* That of the event, which the process counts after the window. */
static inline uint64_t bm_window_next_ordinal(void)
{
    return bm_ordinal_now() + 1;
}

/* Adds to a site's mark, which starts anew with each pass. */
static inline __attribute__((always_inline)) void
bm_window_add_to_mark(struct bm_mark *mark, uint32_t serial, uint64_t amount,
                      bool threaded)
{
    struct bm_pass_gauge gauge;
    struct bm_pair seen;
    bool raised;

    do {
        seen = bm_pair_get(mark->pass.gauge);
        if (!bm_pass_unpack(seen, serial, &gauge)) {
            gauge.live = 0;
            gauge.peak = seen.high & BM_PASS_AMOUNT_MASK;
        }
        gauge.live += amount;
        raised = gauge.live > gauge.peak;
        if (raised)
            gauge.peak = gauge.live;
    } while (!bm_pair_set(mark->pass.gauge, seen, bm_pass_pack(gauge, serial),
                          threaded));
    if (raised &&
        bm_word_max_shared(&mark->pass.words[BM_MARK_peak], gauge.peak))
        bm_word_max_shared(&mark->pass.words[BM_MARK_peak_ordinal],
                           bm_window_next_ordinal());
}

static inline __attribute__((always_inline)) void
bm_window_count_nodes(const struct bm_window_change *change, uint32_t serial,
                      bool threaded)
{
    bool one_mark = change->made && change->gone &&
                    change->made->mark == change->gone->mark;

    if (change->gone) {
        bm_node_free(change->gone->words, change->gone_size);
        bm_word_add(&change->gone->words[BM_NODE_live], -change->gone_size);
        if (!one_mark)
            bm_window_add_to_mark(change->gone->mark, serial,
                                  -change->gone_size, threaded);
    }
    if (change->made) {
        bm_node_alloc(change->made->words, change->made_size);
        bm_word_add(&change->made->words[BM_NODE_live], change->made_size);
        bm_window_add_to_mark(
            change->made->mark, serial,
            change->made_size - (one_mark ? change->gone_size : 0), threaded);
    }
}

/* The figures of the pass and of the best pass, after the event. */
static inline __attribute__((always_inline)) void
bm_window_count_pass(uint64_t *ledger, uint64_t *pass,
                     const struct bm_window_change *change, uint32_t serial,
                     const struct bm_pass_gauge *after, bool threaded)
{
    if (threaded) {
        if (change->made) {
            bm_word_add_shared(&pass[BM_PASS_allocations], 1);
            bm_word_add_shared(&pass[BM_PASS_allocated], change->made_size);
        }
        bm_word_max_shared(&pass[BM_PASS_peak], after->live);
    } else {
        if (change->made) {
            bm_word_add(&pass[BM_PASS_allocations], 1);
            bm_word_add(&pass[BM_PASS_allocated], change->made_size);
        }
        bm_word_max(&pass[BM_PASS_peak], after->live);
    }
    bm_word_set(&ledger[BM_LEDGER_live], after->live);
    if (after->is_own && bm_word_get(&ledger[BM_LEDGER_peak]) < after->peak) {
        bm_word_max_shared(&ledger[BM_LEDGER_peak_pass], serial);
        bm_word_max_shared(&ledger[BM_LEDGER_peak_ordinal],
                           bm_window_next_ordinal());
        bm_word_max_shared(&ledger[BM_LEDGER_peak], after->peak);
    }
}

static inline struct bm_pass_gauge
bm_window_changed(struct bm_pass_gauge gauge,
                  const struct bm_window_change *change)
{
    gauge.live += change->made_size - change->gone_size;
    if (gauge.live > gauge.peak) {
        gauge.peak = gauge.live;
        gauge.is_own = true;
    }
    return gauge;
}

/*
 * Counts the change in the pass of that serial. False if the pass is no
 * longer open. With one thread, nodes change before the totals; see ledger.h.
 */
static inline __attribute__((always_inline)) bool
bm_window_count(struct bm_benchmark *benchmark, uint32_t serial,
                const struct bm_window_change *change)
{
    bool threaded = bm_is_threaded();
    uint64_t *pass =
        atomic_load_explicit(&benchmark->pass, memory_order_relaxed);
    uint64_t *ledger = benchmark->ledger.words;
    struct bm_pass_gauge before, after;
    struct bm_pair seen;

    do {
        seen = bm_pair_get(benchmark->gauge);
        if (!bm_pass_unpack(seen, serial, &before))
            return false;
        after = bm_window_changed(before, change);
    } while (threaded && !bm_pair_exchange(benchmark->gauge, seen,
                                           bm_pass_pack(after, serial)));

    uint64_t peak_pass =
        before.is_own ? serial : bm_word_get(&ledger[BM_LEDGER_peak_pass]);
    if (change->gone) {
        bm_window_see_peak(change->gone->words, before.peak, peak_pass);
        bm_window_see_pass(change->gone->words, serial);
    }
    if (change->made) {
        bm_window_see_peak(change->made->words, before.peak, peak_pass);
        bm_window_see_pass(change->made->words, serial);
    }
    bm_window_count_nodes(change, serial, threaded);
    if (!threaded)
        bm_pair_set(benchmark->gauge, seen, bm_pass_pack(after, serial), false);
    bm_window_count_pass(ledger, pass, change, serial, &after, threaded);
    return true;
}

#endif
