/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the two parts of reading savings share: saves.c has the records and
 * closes their intervals, savings.c makes of them what the profile has.
 */
#ifndef BENCHMEM_PROFILE_SAVES_H
#define BENCHMEM_PROFILE_SAVES_H

#include "load.h"

#define BM_SETS_A_PART 2

/* A record `saving`. */
struct bm_raw_saving {
    size_t benchmark; /* index of its record, 0 for the process */
    uint64_t index;
    size_t ledger; /* its place, once they are known */
    struct bm_saving_info info;
    uint64_t live, others, set;
    uint64_t most[BM_SETS_A_PART], above[BM_SETS_A_PART];
};

static inline int bm_compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* The profile's savings, of rows whose intervals are closed. */
bool bm_make_savings(struct bm_load *load);

#endif
