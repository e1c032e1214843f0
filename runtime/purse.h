/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A gauge: what is live and the largest value that it ever had, exact for
 * many threads although most of their events write no word that they share.
 *
 * It keeps `room`, the bytes that may come before there is a new peak. What a
 * thread frees goes into its own *purse*, and what it allocates is paid from
 * there; only what the purse has not is taken from the room. So
 *
 *     live = peak - room - what all purses hold,
 *
 * and while each allocation is paid there is no new peak. The allocation that
 * room cannot pay ends the *round*: its thread closes all purses, adds up
 * what they hold, and in one 128-bit exchange takes that into the room and
 * the next round begins. Only what is missing then raises the peak.
 *
 * Why that is exact:
 * - A purse belongs to a round. It is open from its owner's exchange that
 *   counts it in (`nr_open`) until someone sets its closed bit, in the same
 *   word as its bytes, so each of the owner's events is before that or takes
 *   the way of the gauge itself.
 * - A closed purse of a round keeps its bytes as long as the round lasts. So
 *   once all are closed their sum stands, and the exchange, which fails if
 *   the gauge has changed, is one instant at which all of it is true: events
 *   paid from purses were before, and what a thread did later is in the gauge.
 *   A purse that was opened meanwhile has changed `nr_open`.
 * - A purse of a round that is over holds nothing; its owner opens it anew.
 * - So the peak is constant while any purse is open, and an event paid from a
 *   purse has the peak of its opening as its epoch (see ledger.h).
 *
 * Nobody waits for anybody: who was interrupted while it ended a round leaves
 * purses closed, whose owners then use the gauge. While the process has one
 * thread, room and peak are plain words.
 *
 * The word in the profile has the peak before any event that knows it is in
 * its node. Guard held.
 */
#ifndef BENCHMEM_RUNTIME_PURSE_H
#define BENCHMEM_RUNTIME_PURSE_H

#include "gauge.h"
#include "hidden.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct bm_thread;

struct bm_purse {
    /* bytes << BM_PURSE_SHIFT | round; the top bit: closed */
    _Alignas(64) _Atomic uint64_t word;
    /* The owner's: */
    uint64_t epoch;  /* the peak while it is open */
    uint32_t served; /* events that it paid or took since it was opened */
    uint32_t wait;   /* frees before it is opened again */
    uint32_t next_wait;
    bool has_served;         /* it was opened, and not judged since */
    struct bm_thread *owner; /* NULL: it is never opened */
    struct bm_purse *next;   /* of the gauge */
    uint64_t made; /* allocations of the owner, in a purse of the process */
    _Atomic uint64_t handed_in; /* of these, to bm_total */
};

struct bm_gauge {
    _Alignas(16) uint64_t room;
    uint64_t top; /* peak, round and number of purses opened in it */
    uint64_t *peak, *peak_ordinal; /* words in the profile */
    /* What the first says at least; for one thread, the peak. */
    uint64_t published;
    _Atomic(struct bm_purse *) purses; /* all that were ever opened */
};

#define BM_PURSE_SHIFT 16
#define BM_PURSE_CLOSED ((uint64_t)1 << 63)
/* Nothing, of the round before the first. */
#define BM_PURSE_EMPTY (BM_PURSE_CLOSED | 1023)

#define BM_TOP_OPEN_BITS 6
#define BM_TOP_ROUND_BITS 10
#define BM_TOP_SHIFT (BM_TOP_OPEN_BITS + BM_TOP_ROUND_BITS)
#define BM_TOP_OPEN_MASK (((uint64_t)1 << BM_TOP_OPEN_BITS) - 1)

/* In place of a purse that there is not: closed for ever. */
extern struct bm_purse bm_no_purse BM_HIDDEN;

/* Nothing is live. The words are those of a new record. */
void bm_gauge_init(struct bm_gauge *gauge, uint64_t *peak,
                   uint64_t *peak_ordinal);

/* A purse that is all zero becomes one of the gauge. */
void bm_purse_init(struct bm_purse *purse, struct bm_gauge *gauge,
                   struct bm_thread *owner);

/* In a forked child: of a round long over. */
static inline void bm_purse_empty(struct bm_purse *purse)
{
    atomic_store_explicit(&purse->word, BM_PURSE_EMPTY, memory_order_relaxed);
    atomic_store_explicit(&purse->handed_in, purse->made, memory_order_relaxed);
}

/* The owner's purse of a gauge, made if it is new; or bm_no_purse. */
struct bm_purse *bm_purse_get(struct bm_gauge *gauge, struct bm_thread *owner);

/*
 * Bytes come or go, for many threads; `purse` is the thread's of this gauge
 * or bm_no_purse. The peak as it was before the event.
 */
uint64_t bm_gauge_take_shared(struct bm_gauge *gauge, uint64_t size);
uint64_t bm_gauge_give_shared(struct bm_gauge *gauge, struct bm_purse *purse,
                              uint64_t size);

/* The room is overdrawn by -room: a new peak, for one thread. */
BM_RARE void bm_gauge_raise_alone(struct bm_gauge *gauge);

/* What is live, as long as no purse can be open. */
uint64_t bm_gauge_live(const struct bm_gauge *gauge);

/* Whether a purse was opened in this round. */
static inline bool bm_gauge_has_open(const struct bm_gauge *gauge)
{
    return bm_word_get(&gauge->top) & BM_TOP_OPEN_MASK;
}

static inline void bm_gauge_take_alone(struct bm_gauge *gauge, uint64_t size)
{
    gauge->room -= size;
    if ((int64_t)gauge->room < 0)
        bm_gauge_raise_alone(gauge);
}

static inline void bm_gauge_give_alone(struct bm_gauge *gauge, uint64_t size)
{
    gauge->room += size;
}

/* Whether it was open a moment ago; its owner alone opens it. */
static inline bool bm_purse_is_open(const struct bm_purse *purse)
{
    return (int64_t)atomic_load_explicit(&purse->word, memory_order_relaxed) >=
           0;
}

/* Pays from the purse; false if it is closed or has not so much. */
static inline bool bm_purse_take(struct bm_purse *purse, uint64_t size)
{
    uint64_t word = atomic_load_explicit(&purse->word, memory_order_relaxed);
    uint64_t amount = size << BM_PURSE_SHIFT;

    /* A closed word is negative. The exchange pairs with close_purses. */
    if ((int64_t)word < (int64_t)amount ||
        !atomic_compare_exchange_strong_explicit(
            &purse->word, &word, word - amount, memory_order_acq_rel,
            memory_order_relaxed))
        return false;
    purse->served++;
    return true;
}

/* Puts into the purse; false if it is closed or full. */
static inline bool bm_purse_give(struct bm_purse *purse, uint64_t size)
{
    uint64_t word = atomic_load_explicit(&purse->word, memory_order_relaxed);
    uint64_t after = word + (size << BM_PURSE_SHIFT);

    /* As in bm_purse_take. */
    if ((int64_t)(word | after) < 0 ||
        !atomic_compare_exchange_strong_explicit(&purse->word, &word, after,
                                                 memory_order_acq_rel,
                                                 memory_order_relaxed))
        return false;
    purse->served++;
    return true;
}

/* Bytes come or go; the peak as it was before. For many threads. */
static inline uint64_t bm_gauge_take(struct bm_gauge *gauge,
                                     struct bm_purse *purse, uint64_t size)
{
    return bm_purse_take(purse, size) ? purse->epoch
                                      : bm_gauge_take_shared(gauge, size);
}

static inline uint64_t bm_gauge_give(struct bm_gauge *gauge,
                                     struct bm_purse *purse, uint64_t size)
{
    return bm_purse_give(purse, size)
               ? purse->epoch
               : bm_gauge_give_shared(gauge, purse, size);
}

#endif
