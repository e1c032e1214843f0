/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Pairs the places of two versions of a source. Lines move, files are renamed
 * and build folders change, so a place is known by a text that says what it is
 * (its function, what it calls and how that is written) and, among places of
 * equal text, by its order.
 *
 * Rounds go from the strictest text to the loosest; each takes what the ones
 * before left over. Within a group of one text, equal numbers of places are
 * paired in order; where some came or went, the shift of lines that pairs
 * most decides, again and again until no pair is left.
 */
#ifndef BENCHMEM_RESULTS_MATCH_H
#define BENCHMEM_RESULTS_MATCH_H

#include "base/str.h"

#include <stddef.h>
#include <stdint.h>

#define BM_NO_MATCH UINT32_MAX

struct bm_match_place {
    uint32_t line;
    uint32_t column;
};

/* Side 0 is the base, side 1 the head. */
struct bm_match_sides {
    size_t nr[2];
    /* The place of an item of one side. */
    struct bm_match_place (*place)(const void *context, unsigned side,
                                   size_t item);
    /* Appends its text for one round. */
    void (*text)(const void *context, unsigned side, size_t item,
                 unsigned round, struct bm_str *text);
    unsigned nr_rounds;
    const void *context;
};

/* For each base item its head item or BM_NO_MATCH; the caller's to free. */
uint32_t *bm_match(const struct bm_match_sides *sides);

#endif
