/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What benchmarks say of themselves and the pools of one profile, for a
 * profile of several. Each repeats it; readers take the first.
 */
#include "tools/merging_state.h"

void bm_merger_put_declared(struct bm_merger *merger, uint64_t benchmark,
                            const struct bm_benchmark_info *info)
{
    const struct bm_declared_info *d = &info->declared;

    if (d->group || d->suite || d->flags || d->calls > 1)
        BM_PUT(merger, declared, .benchmark = benchmark,
               .group = bm_put_text(d->group), .suite = bm_put_text(d->suite),
               .calls = d->calls, .flags = d->flags,
               .max_peak = d->max_peak_bytes,
               .max_allocated = d->max_allocated_bytes,
               .max_allocations = d->max_allocations);
    for (size_t i = 0; i < info->nr_labels; i++) {
        const struct bm_param_info *label = &info->labels[i];
        bool is_string = label->kind == BM_VALUE_STRING;

        BM_PUT(merger, label, .benchmark = benchmark,
               .name = bm_put_text(label->name), .type = label->kind,
               .bits = is_string ? 0 : label->value.u,
               .text = bm_put_text(is_string ? label->value.s : NULL));
    }
    for (size_t i = 0; i < info->nr_failures; i++)
        BM_PUT(merger, failure, .benchmark = benchmark,
               .text = bm_put_text(info->failures[i]));
}

void bm_merger_put_pools(struct bm_merger *merger, const struct bm_profile *p)
{
    for (size_t i = 0; i < p->nr_pools; i++) {
        const struct bm_pool_info *pool = &p->pools[i];
        uint64_t words[BM_NR_WORDS_pool] = {
            [BM_POOL_takes] = pool->takes,
            [BM_POOL_gives] = pool->gives,
            [BM_POOL_resets] = pool->resets,
            [BM_POOL_taken] = pool->taken_bytes,
            [BM_POOL_given] = pool->given_bytes,
            [BM_POOL_live] = pool->live_bytes,
            [BM_POOL_peak] = pool->peak_bytes,
        };

        BM_PUT(merger, pool, .name = bm_put_text(pool->name),
               .pool = BM_PUT_WORDS(words));
    }
}
