/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "recorder_model.h"

static void take_peak(struct model_site *site)
{
    site->at_peak = site->live;
    site->at_peak_blocks = site->blocks;
}

static void take_peaks(struct model *model, uint64_t ordinal)
{
    for (unsigned i = 0; i < MODEL_SITES; i++)
        if (model->sites[i].live > model->sites[i].peak) {
            model->sites[i].peak = model->sites[i].live;
            model->sites[i].peak_ordinal = ordinal;
        }
    if (model->live <= model->peak)
        return;
    model->peak = model->live;
    model->peak_ordinal = ordinal;
    for (unsigned i = 0; i < MODEL_SITES; i++)
        take_peak(&model->sites[i]);
}

void model_change(struct model *model, unsigned gone_site, uint64_t gone,
                  unsigned made_site, uint64_t made, uint64_t ordinal)
{
    if (gone_site) {
        model->sites[gone_site].frees++;
        model->sites[gone_site].freed += gone;
        model->sites[gone_site].live -= gone;
        model->sites[gone_site].blocks--;
        model->live -= gone;
    }
    if (made_site) {
        model->sites[made_site].allocations++;
        model->sites[made_site].allocated += made;
        model->sites[made_site].live += made;
        model->sites[made_site].blocks++;
        model->live += made;
    }
    take_peaks(model, ordinal);
}

void model_begin_pass(struct model *model)
{
    model->live = 0;
    for (unsigned i = 0; i < MODEL_SITES; i++)
        model->sites[i].live = model->sites[i].blocks = 0;
}

bool model_site_is(const struct model_site *site,
                   const struct bm_figures *figures)
{
    return site->allocations == figures->allocations &&
           site->frees == figures->frees &&
           site->allocated == figures->allocated_bytes &&
           site->freed == figures->freed_bytes &&
           site->peak == figures->peak_bytes &&
           site->at_peak == figures->at_peak_bytes &&
           site->at_peak_blocks == figures->at_peak_blocks;
}

uint64_t model_random(uint64_t *state, uint64_t n)
{
    /* Knuth's linear congruential generator, MMIX. */
    *state =
        *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*state >> 33) % n;
}
