/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * saves=1: how far the peak falls if a site, line, function or type had held
 * nothing at any time, for the process and each benchmark. maxima.h has the
 * method, groups.h says what counts for what; here is when: at each event, in
 * the order in which the ledgers count them.
 *
 * That order is made by a turn, which one thread has at a time from before an
 * event is counted until after. It is a lock, the only one in the recorder, and
 * there with the option alone. It spins, then yields, then sleeps. Whoever has
 * it makes no call that waits but for the growing of the profile, and signals
 * that come meanwhile find the guard taken, so it is given back soon: unless
 * the thread is stopped or killed alone, or a handler jumps out of the event.
 * If that comes to nothing for some seconds, or the thread that jumped comes
 * back, saves are given up for good and the profile says so (BM_STATE_UNSAVED);
 * everything else goes on.
 *
 * Events take the long ways with the option on; those call this. Guard held.
 */
#ifndef BENCHMEM_RUNTIME_SAVES_H
#define BENCHMEM_RUNTIME_SAVES_H

#include "benchmarks.h"
#include "hidden.h"
#include "maxima.h"
#include "nodes.h"
#include "options.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Once the options are known; slack goes without an order and is turned off.
 * True if that has to be said.
 */
bool bm_saves_start(void);

/* The process's ledger, or a benchmark's, has its words. */
void bm_saves_begin_process(void);
void bm_saves_begin_benchmark(struct bm_benchmark *benchmark);

void bm_saves_after_fork(void);

/* A pass of the benchmark begins: it holds nothing. */
void bm_saves_begin_pass(struct bm_thread *thread,
                         struct bm_benchmark *benchmark);

/* The thread left an event by a jump out of a signal handler. */
void bm_saves_left(struct bm_thread *thread);

/*
 * The thread's turn, for one event; it nests. False: there is none, and
 * nothing to be given back.
 */
bool bm_saves_take_turn(struct bm_thread *thread);
void bm_saves_give_turn(void);

static inline bool bm_saves_begin(struct bm_thread *thread)
{
    return __builtin_expect(bm_options.saves != 0, 0) &&
           bm_saves_take_turn(thread);
}

static inline void bm_saves_end(bool has_turn)
{
    if (__builtin_expect(has_turn, 0))
        bm_saves_give_turn();
}

/* What came and went in one event, in nodes of one ledger; either may be NULL.
 */
struct bm_saves_change {
    struct bm_node *made, *gone;
    uint64_t made_size, gone_size;
};

/* It was counted. Without effect if it is not the thread's turn. */
void bm_saves_note(struct bm_thread *thread, struct bm_maxima *maxima,
                   const struct bm_saves_change *change);

/* The same for the process. */
void bm_saves_note_process(struct bm_thread *thread,
                           const struct bm_saves_change *change);

static inline void bm_saves_alloc(struct bm_thread *thread,
                                  struct bm_node *node, uint64_t size)
{
    const struct bm_saves_change change = {.made = node, .made_size = size};

    if (__builtin_expect(bm_options.saves != 0, 0))
        bm_saves_note_process(thread, &change);
}

static inline void bm_saves_free(struct bm_thread *thread, struct bm_node *node,
                                 uint64_t size)
{
    const struct bm_saves_change change = {.gone = node, .gone_size = size};

    if (__builtin_expect(bm_options.saves != 0, 0))
        bm_saves_note_process(thread, &change);
}

#endif
