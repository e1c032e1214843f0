/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The account that the recorder should keep, kept by brute force: at each
 * new peak every site is looked at. For one order of events; callers
 * serialize.
 */
#ifndef BENCHMEM_TEST_RECORDER_MODEL_H
#define BENCHMEM_TEST_RECORDER_MODEL_H

#include "recorder_core.h"

#define MODEL_SITES (CORE_SITES + 1)

struct model_site {
    uint64_t allocations, frees, allocated, freed;
    uint64_t live, peak, peak_ordinal, at_peak;
    uint64_t blocks, at_peak_blocks;
};

struct model {
    struct model_site sites[MODEL_SITES];
    uint64_t live, peak, peak_ordinal;
};

/*
 * site 0: nothing on that side. One event: both sides change at once. ordinal
 * is the number of the process's last allocation, this one included.
 */
void model_change(struct model *model, unsigned gone_site, uint64_t gone,
                  unsigned made_site, uint64_t made, uint64_t ordinal);

/* A new pass: nothing is live, peaks stay. */
void model_begin_pass(struct model *model);

/* Whether the figures of one site, but the ordinal, are those of the model. */
bool model_site_is(const struct model_site *site,
                   const struct bm_figures *figures);

/* A pseudo-random number below n; *state is anything. */
uint64_t model_random(uint64_t *state, uint64_t n);

#endif
