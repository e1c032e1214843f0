/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How far a peak falls without one of many parts: for each part the largest
 * value that all others together ever had. The parts (sites, lines, functions
 * and types of one ledger) hold bytes; `live` is what the whole holds, which
 * is no sum of them, as they overlap.
 *
 * One pass, exact. What a part holds is constant between two of its own
 * changes, so of the time between them only the largest `live` matters. For
 * all parts at once these largest values are a stack: the part that changed
 * last has the smallest one, on top. Parts with the same one form a set. A
 * change of `live` to a value that is as large as that of sets on the
 * stack unites those; else a new set goes on top. Then the parts that changed
 * are in the top set. Sets are trees (union-find, with paths halved), so that
 * a change costs near O(1), amortized.
 *
 * Memory is linear in the parts: there are two sets for each. A set that no
 * part is left in is dropped from the top or lies idle; once all are used up
 * the ones in use are numbered anew, at most once in as many changes as there
 * are parts.
 *
 * What a reader needs is in the parts' words (list `saving`), so that it can
 * tell after any end: the last, open interval of a part is in the tree that
 * its set leads to. `*state` is 2 while they change by one event and 3 while
 * they are numbered anew (word `saves` of the list `ledger`).
 *
 * Pure: no lock, no clock, nothing global. One thread at a time. Memory is
 * that of bm_arena_get and never given back.
 */
#ifndef BENCHMEM_RUNTIME_MAXIMA_H
#define BENCHMEM_RUNTIME_MAXIMA_H

#include "hidden.h"

#include <stdbool.h>
#include <stdint.h>

enum bm_maxima_state {
    BM_MAXIMA_NONE,
    BM_MAXIMA_SETTLED,
    BM_MAXIMA_CHANGING,
    BM_MAXIMA_MOVING,
};

struct bm_maxima {
    uint64_t live, peak; /* of the whole */
    uint64_t *state;
    uint64_t **words; /* of each part */
    uint32_t *sizes;  /* of each set: parts in it; of roots alone */
    uint32_t *stack;  /* roots; the value of each is above the next one's */
    uint32_t *moved;  /* while sets are numbered anew: a root's new number */
    uint64_t *most;   /* likewise, by new number */
    uint32_t nr, room;
    uint32_t nr_sets;
    uint32_t depth;
};

/* All zero but for the state's word. */
static inline void bm_maxima_init(struct bm_maxima *maxima, uint64_t *state)
{
    *maxima = (struct bm_maxima){.state = state};
}

/*
 * A new part, which held nothing so far, with its words, all 0. Its number
 * from 1, or 0 if there is no memory.
 */
uint32_t bm_maxima_add(struct bm_maxima *maxima, uint64_t *words);

/* One event: what some parts hold now in addition, modulo 2^64. */
struct bm_maxima_change {
    uint32_t part; /* 0: none; may come twice */
    uint64_t grown;
};

/* grown: what the whole holds in addition. */
void bm_maxima_change(struct bm_maxima *maxima,
                      const struct bm_maxima_change *changes, unsigned nr,
                      uint64_t grown);

/* A new pass: from now on nothing is held, by any part. */
void bm_maxima_restart(struct bm_maxima *maxima);

#endif
