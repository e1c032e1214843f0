/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "purse.h"

#include "ledger.h"
#include "memory.h"

#define ROUND_MASK (((uint64_t)1 << BM_TOP_ROUND_BITS) - 1)
#define TOP_MASK (((uint64_t)1 << BM_TOP_SHIFT) - 1)
#define WORD_ROUND_MASK (((uint64_t)1 << BM_PURSE_SHIFT) - 1)

/*
 * A purse that was closed again before it had served so many events was not
 * worth the exchange that opened it, and waits twice as long the next time.
 */
#define FEW_EVENTS 16u
#define LONGEST_WAIT 1023u

struct bm_purse bm_no_purse = {.word = BM_PURSE_EMPTY};

static uint64_t round_of(uint64_t top)
{
    return top >> BM_TOP_OPEN_BITS & ROUND_MASK;
}

static uint64_t nr_open(uint64_t top)
{
    return top & BM_TOP_OPEN_MASK;
}

static uint64_t peak_of(uint64_t top)
{
    return top >> BM_TOP_SHIFT;
}

/* The same peak in the next round, in which no purse is open yet. */
static uint64_t next_round(uint64_t top)
{
    return (top & ~TOP_MASK) | ((round_of(top) + 1) & ROUND_MASK)
                                   << BM_TOP_OPEN_BITS;
}

static uint64_t raise(uint64_t top, uint64_t amount)
{
    return top + (amount << BM_TOP_SHIFT);
}

static struct bm_pair look(const struct bm_gauge *gauge)
{
    /* Two words that do not belong together are refused by the exchange. */
    return (struct bm_pair){bm_word_get(&gauge->room),
                            bm_word_get(&gauge->top)};
}

void bm_gauge_init(struct bm_gauge *gauge, uint64_t *peak,
                   uint64_t *peak_ordinal)
{
    gauge->room = 0;
    gauge->top = 0;
    gauge->published = 0;
    gauge->peak = peak;
    gauge->peak_ordinal = peak_ordinal;
}

void bm_purse_init(struct bm_purse *purse, struct bm_gauge *gauge,
                   struct bm_thread *owner)
{
    atomic_init(&purse->word, BM_PURSE_EMPTY);
    purse->owner = owner;
    purse->next = atomic_load_explicit(&gauge->purses, memory_order_acquire);
    /* Release: a purse is filled before it is found, by any acquire of it. */
    while (!atomic_compare_exchange_weak_explicit(&gauge->purses, &purse->next,
                                                  purse, memory_order_release,
                                                  memory_order_acquire))
        ;
}

struct bm_purse *bm_purse_get(struct bm_gauge *gauge, struct bm_thread *owner)
{
    struct bm_purse *purse =
        atomic_load_explicit(&gauge->purses, memory_order_acquire);

    while (purse && purse->owner != owner)
        purse = purse->next;
    if (purse)
        return purse;
    purse = bm_arena_get_lines(sizeof(*purse));
    if (!purse)
        return &bm_no_purse;
    bm_purse_init(purse, gauge, owner);
    return purse;
}

/*
 * Closes one purse for the round of `top`; its word then, or 0 if the round
 * is over. What is of another round is made an empty one of this round, so
 * that no round's number comes again before all purses have forgotten it.
 */
static uint64_t close_purse(const struct bm_gauge *gauge,
                            struct bm_purse *purse, uint64_t top)
{
    /* Acquire pairs with the owner's exchanges, as below. */
    uint64_t word = atomic_load_explicit(&purse->word, memory_order_acquire);
    uint64_t closed;

    do {
        closed = word | BM_PURSE_CLOSED;
        if ((word & WORD_ROUND_MASK) != round_of(top)) {
            /* Of the next one, should this round be over. */
            if (round_of(bm_word_get(&gauge->top)) != round_of(top))
                return 0;
            closed = BM_PURSE_CLOSED | round_of(top);
        }
        if (closed == word)
            return word;
        /* Acquire and release: the owner's events are before the round's
         * end. */
    } while (!atomic_compare_exchange_weak_explicit(&purse->word, &word, closed,
                                                    memory_order_acq_rel,
                                                    memory_order_acquire));
    return closed;
}

/* Closes all purses and adds up what they hold; false if the round is over. */
static bool close_purses(const struct bm_gauge *gauge, uint64_t top,
                         uint64_t *held)
{
    struct bm_purse *purse =
        atomic_load_explicit(&gauge->purses, memory_order_acquire);

    *held = 0;
    for (; purse; purse = purse->next) {
        uint64_t word = close_purse(gauge, purse, top);

        if (!word)
            return false;
        *held += (word & ~BM_PURSE_CLOSED) >> BM_PURSE_SHIFT;
    }
    return true;
}

/* What the profile says of the peak is never less than what an event knows. */
static void publish(struct bm_gauge *gauge, uint64_t peak)
{
    if (bm_word_get(&gauge->published) >= peak)
        return;
    bm_word_max_shared(gauge->peak, peak);
    bm_word_max_shared(&gauge->published, peak);
}

/* No round: its number has fewer bits. */
#define NO_ROUND UINT64_MAX

/*
 * What the gauge is once `size` has come; false if it must be looked at anew.
 * *ending: the round whose purses were closed; it is ended even if others have
 * made room meanwhile, lest they stay closed.
 */
static bool after_taking(const struct bm_gauge *gauge, struct bm_pair seen,
                         uint64_t size, struct bm_pair *next, uint64_t *ending)
{
    uint64_t held;

    *next = seen;
    if (nr_open(seen.high) &&
        (seen.low < size || *ending == round_of(seen.high))) {
        *ending = round_of(seen.high);
        if (!close_purses(gauge, seen.high, &held))
            return false;
        next->low += held;
        next->high = next_round(seen.high);
    }
    if (next->low >= size) {
        next->low -= size;
    } else {
        next->high = raise(next->high, size - next->low);
        next->low = 0;
    }
    return true;
}

uint64_t bm_gauge_take_shared(struct bm_gauge *gauge, uint64_t size)
{
    uint64_t ending = NO_ROUND;
    struct bm_pair seen, next;

    do {
        seen = look(gauge);
    } while (!after_taking(gauge, seen, size, &next, &ending) ||
             !bm_pair_exchange(&gauge->room, seen, next));
    if (round_of(next.high) != round_of(seen.high) && gauge == &bm_total.gauge)
        bm_ordinals_collect();
    publish(gauge, peak_of(next.high));
    if (peak_of(next.high) != peak_of(seen.high))
        bm_word_max_shared(gauge->peak_ordinal, bm_ordinal_now());
    return peak_of(seen.high);
}

/* Whether the owner opens it at this free: not if that did not pay before. */
static bool is_due(struct bm_purse *purse)
{
    if (purse->has_served) {
        purse->has_served = false;
        purse->next_wait =
            purse->served >= FEW_EVENTS ? 0 : purse->next_wait * 2 + 1;
        if (purse->next_wait > LONGEST_WAIT)
            purse->next_wait = LONGEST_WAIT;
        purse->wait = purse->next_wait;
    }
    if (purse->wait == 0)
        return true;
    purse->wait--;
    return false;
}

/*
 * Makes the purse an open one of the round, if it is of another. It may be
 * used only once the gauge has counted it in.
 */
static bool open_purse(struct bm_purse *purse, uint64_t round)
{
    uint64_t word = atomic_load_explicit(&purse->word, memory_order_relaxed);

    /* Both, as in bm_purse_take: whoever closes it finds it as it is. */
    return (word & WORD_ROUND_MASK) != round &&
           atomic_compare_exchange_strong_explicit(&purse->word, &word, round,
                                                   memory_order_acq_rel,
                                                   memory_order_relaxed);
}

static void be_counted(struct bm_purse *purse, uint64_t peak)
{
    purse->epoch = peak;
    purse->served = 0;
    purse->has_served = true;
}

uint64_t bm_gauge_give_shared(struct bm_gauge *gauge, struct bm_purse *purse,
                              uint64_t size)
{
    bool wanted = purse->owner && is_due(purse), counts;
    uint64_t opened = NO_ROUND; /* but not counted yet */
    struct bm_pair seen, next;

    do {
        seen = look(gauge);
        if (wanted && opened != round_of(seen.high) &&
            open_purse(purse, round_of(seen.high)))
            opened = round_of(seen.high);
        counts = opened == round_of(seen.high) &&
                 nr_open(seen.high) < BM_TOP_OPEN_MASK;
        next.low = seen.low + size;
        next.high = seen.high + counts;
    } while (!bm_pair_exchange(&gauge->room, seen, next));
    publish(gauge, peak_of(seen.high));
    if (counts)
        be_counted(purse, peak_of(seen.high));
    else if (opened != NO_ROUND)
        atomic_fetch_or_explicit(&purse->word, BM_PURSE_CLOSED,
                                 memory_order_relaxed);
    return peak_of(seen.high);
}

/* Apart, lest the function below save what this one may change. */
BM_RARE static void take_after_threads(struct bm_gauge *gauge, uint64_t missing)
{
    bm_gauge_take_shared(gauge, missing);
}

BM_RARE void bm_gauge_raise_alone(struct bm_gauge *gauge)
{
    uint64_t missing = -gauge->room;

    gauge->room = 0;
    if (nr_open(gauge->top)) { /* there were threads */
        take_after_threads(gauge, missing);
        return;
    }
    gauge->top = raise(gauge->top, missing);
    gauge->published = peak_of(gauge->top);
    bm_word_set(gauge->peak, gauge->published);
    bm_word_set(gauge->peak_ordinal, bm_total.allocations);
}

uint64_t bm_gauge_live(const struct bm_gauge *gauge)
{
    struct bm_pair pair;

    /* The room is of that peak, as it did not change. */
    do {
        pair = look(gauge);
    } while (bm_word_get(&gauge->top) != pair.high);
    return peak_of(pair.high) - pair.low;
}
