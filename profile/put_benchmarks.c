/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "put.h"

static void put_params(struct bm_sink *sink, uint64_t benchmark,
                       const struct bm_benchmark_info *info)
{
    for (size_t i = 0; i < info->nr_params; i++) {
        const struct bm_param_info *param = &info->params[i];
        bool is_string = param->kind == BM_VALUE_STRING;

        BM_PUT(sink, param, .benchmark = benchmark,
               .name = bm_put_text(param->name), .type = param->kind,
               .bits = is_string ? 0 : param->value.u,
               .text = bm_put_text(is_string ? param->value.s : NULL));
    }
}

static void put_passes(struct bm_sink *sink, uint64_t benchmark,
                       const struct bm_benchmark_info *info,
                       uint64_t *nr_passes)
{
    for (size_t i = 0; i < info->nr_passes; i++) {
        const struct bm_pass_info *pass = &info->passes[i];
        uint64_t words[BM_NR_WORDS_pass] = {
            [BM_PASS_serial] = ++*nr_passes,
            [BM_PASS_open] = pass->open,
            [BM_PASS_peak] = pass->peak_bytes,
            [BM_PASS_allocated] = pass->allocated_bytes,
            [BM_PASS_allocations] = pass->allocations,
            [BM_PASS_retained] = pass->retained_bytes,
            [BM_PASS_measure] = pass->measured,
            [BM_PASS_time_ns] = pass->time_ns,
            [BM_PASS_setup_peak_rss] = pass->setup_peak_rss_bytes,
            [BM_PASS_peak_rss] = pass->peak_rss_bytes,
            [BM_PASS_began] = pass->began_bytes,
            [BM_PASS_ended] = pass->ended_bytes,
        };

        BM_PUT(sink, pass, .benchmark = benchmark, .pass = BM_PUT_WORDS(words));
    }
}

static void put_more_passes(struct bm_sink *sink, uint64_t benchmark,
                            const struct bm_benchmark_info *info)
{
#define RANGE(metric)                                                          \
    [BM_PASSES_##metric##_min] = info->more_##metric.min,                      \
    [BM_PASSES_##metric##_max] = info->more_##metric.max,                      \
    [BM_PASSES_##metric##_sum] = info->more_##metric.sum
    uint64_t words[BM_NR_WORDS_passes] = {
        [BM_PASSES_count] = info->nr_more_passes,
        RANGE(peak),
        RANGE(allocated),
        RANGE(allocations),
        RANGE(retained),
        RANGE(time),
        [BM_PASSES_measure] = info->more_measured,
    };
#undef RANGE

    if (info->nr_more_passes)
        BM_PUT(sink, passes, .benchmark = benchmark,
               .passes = BM_PUT_WORDS(words));
}

/* Of a benchmark that says something of itself. */
static void put_declared(struct bm_sink *sink, uint64_t benchmark,
                         const struct bm_benchmark_info *info)
{
    const struct bm_declared_info *d = &info->declared;

    if (d->group || d->suite || d->flags || d->calls > 1)
        BM_PUT(sink, declared, .benchmark = benchmark,
               .group = bm_put_text(d->group), .suite = bm_put_text(d->suite),
               .calls = d->calls, .flags = d->flags,
               .max_peak = d->max_peak_bytes,
               .max_allocated = d->max_allocated_bytes,
               .max_allocations = d->max_allocations);
    for (size_t i = 0; i < info->nr_labels; i++) {
        const struct bm_param_info *label = &info->labels[i];
        bool is_string = label->kind == BM_VALUE_STRING;

        BM_PUT(sink, label, .benchmark = benchmark,
               .name = bm_put_text(label->name), .type = label->kind,
               .bits = is_string ? 0 : label->value.u,
               .text = bm_put_text(is_string ? label->value.s : NULL));
    }
    for (size_t i = 0; i < info->nr_failures; i++)
        BM_PUT(sink, failure, .benchmark = benchmark,
               .text = bm_put_text(info->failures[i]));
}

static void put_ledger(struct bm_sink *sink, uint64_t benchmark,
                       const struct bm_benchmark_info *info, bool saves)
{
    uint64_t words[BM_NR_WORDS_ledger] = {
        [BM_LEDGER_live] = info->figures.live_bytes,
        [BM_LEDGER_peak] = info->figures.peak_bytes,
        [BM_LEDGER_nr_passes] = info->nr_passes + info->nr_more_passes,
        [BM_LEDGER_peak_ordinal] = info->figures.peak_ordinal,
        [BM_LEDGER_saves] = saves,
    };

    BM_PUT(sink, ledger, .benchmark = benchmark, .ledger = BM_PUT_WORDS(words));
}

void bm_put_benchmark(struct bm_sink *sink,
                      const struct bm_benchmark_info *info, bool saves,
                      uint64_t *nr_passes, const struct bm_numbers *numbers)
{
    uint64_t index = numbers->index;

    BM_PUT(sink, benchmark, .index = index, .name = bm_put_text(info->name),
           .frame = numbers->frame);
    put_params(sink, index, info);
    put_declared(sink, index, info);
    put_ledger(sink, index, info, saves);
    put_passes(sink, index, info, nr_passes);
    put_more_passes(sink, index, info);
}

void bm_put_pools(struct bm_sink *sink, const struct bm_profile *p)
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

        BM_PUT(sink, pool, .name = bm_put_text(pool->name),
               .pool = BM_PUT_WORDS(words));
    }
}

void bm_put_moments(struct bm_sink *sink, const struct bm_profile *p)
{
    for (size_t i = 0; i < p->nr_moments; i++) {
        uint64_t words[BM_NR_WORDS_moment] = {
            [BM_MOMENT_allocated] = p->moments[i].allocated_bytes,
            [BM_MOMENT_live] = p->moments[i].live_bytes,
        };

        BM_PUT(sink, moment, .moment = BM_PUT_WORDS(words));
    }
}
