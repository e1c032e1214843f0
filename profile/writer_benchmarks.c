/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "writer.h"

static void write_params(struct bm_writer *writer, size_t benchmark,
                         const struct bm_benchmark_info *info)
{
    for (size_t i = 0; i < info->nr_params; i++) {
        const struct bm_param_info *param = &info->params[i];
        bool is_string = param->kind == BM_VALUE_STRING;

        BM_WRITE(writer, param, .benchmark = benchmark,
                 .name = bm_write_text(param->name), .type = param->kind,
                 .bits = is_string ? 0 : param->value.u,
                 .text = bm_write_text(is_string ? param->value.s : NULL));
    }
}

static void write_passes(struct bm_writer *writer, size_t benchmark,
                         const struct bm_benchmark_info *info)
{
    for (size_t i = 0; i < info->nr_passes; i++) {
        const struct bm_pass_info *pass = &info->passes[i];
        uint64_t words[BM_NR_WORDS_pass] = {
            [BM_PASS_serial] = i + 1,
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

        BM_WRITE(writer, pass, .benchmark = benchmark,
                 .pass = BM_WRITE_WORDS(words));
    }
}

static void write_more_passes(struct bm_writer *writer, size_t benchmark,
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
        BM_WRITE(writer, passes, .benchmark = benchmark,
                 .passes = BM_WRITE_WORDS(words));
}

/* Of a benchmark that says something of itself. */
static void write_declared(struct bm_writer *writer, size_t benchmark,
                           const struct bm_benchmark_info *info)
{
    const struct bm_declared_info *d = &info->declared;

    if (d->group || d->suite || d->flags || d->calls > 1)
        BM_WRITE(writer, declared, .benchmark = benchmark,
                 .group = bm_write_text(d->group),
                 .suite = bm_write_text(d->suite), .calls = d->calls,
                 .flags = d->flags, .max_peak = d->max_peak_bytes,
                 .max_allocated = d->max_allocated_bytes,
                 .max_allocations = d->max_allocations);
    for (size_t i = 0; i < info->nr_labels; i++) {
        const struct bm_param_info *label = &info->labels[i];
        bool is_string = label->kind == BM_VALUE_STRING;

        BM_WRITE(writer, label, .benchmark = benchmark,
                 .name = bm_write_text(label->name), .type = label->kind,
                 .bits = is_string ? 0 : label->value.u,
                 .text = bm_write_text(is_string ? label->value.s : NULL));
    }
    for (size_t i = 0; i < info->nr_failures; i++)
        BM_WRITE(writer, failure, .benchmark = benchmark,
                 .text = bm_write_text(info->failures[i]));
}

void bm_write_benchmarks(struct bm_writer *writer)
{
    const struct bm_profile *p = writer->profile;

    for (size_t i = 0; i < p->nr_benchmarks; i++) {
        const struct bm_benchmark_info *info = &p->benchmarks[i];

        BM_WRITE(writer, benchmark, .index = i + 1,
                 .name = bm_write_text(info->name),
                 .frame = BM_WRITE_INDEX(info->frame, p->frames));
        write_params(writer, i + 1, info);
        write_declared(writer, i + 1, info);
        bm_write_ledger(writer, i + 1, &info->figures,
                        info->nr_passes + info->nr_more_passes);
        write_passes(writer, i + 1, info);
        write_more_passes(writer, i + 1, info);
        for (size_t s = 0; s < info->nr_sites; s++) {
            const struct bm_figures *figures = &info->sites[s].figures;

            if (figures->peak_ordinal ||
                figures->peak_bytes > figures->at_peak_bytes)
                bm_write_mark(writer, i + 1, info->sites[s].site, figures);
        }
    }
}
