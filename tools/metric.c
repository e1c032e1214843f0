/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/metric.h"

#include "base/error.h"

#include <stddef.h>

#define AT(type, member) offsetof(struct type, member)

static const struct {
    const char *meaning;
    bool bytes;
    size_t row;   /* in struct bm_figures, or bm_access */
    size_t total; /* likewise */
} metrics[BM_NR_RANKS] = {
    [BM_METRIC_PEAK] = {"bytes held at the peak", true,
                        AT(bm_figures, at_peak_bytes),
                        AT(bm_figures, peak_bytes)},
    [BM_METRIC_ALLOCATED] = {"bytes allocated", true,
                             AT(bm_figures, allocated_bytes),
                             AT(bm_figures, allocated_bytes)},
    [BM_METRIC_ALLOCATIONS] = {"allocations", false,
                               AT(bm_figures, allocations),
                               AT(bm_figures, allocations)},
    [BM_METRIC_LEAKED] = {"bytes live at exit", true,
                          AT(bm_figures, live_bytes),
                          AT(bm_figures, live_bytes)},
    [BM_METRIC_TEMPORARY] = {"temporary allocations", false,
                             AT(bm_figures, temporary),
                             AT(bm_figures, temporary)},
    [BM_METRIC_SAVES] = {"bytes that the peak falls by without them", true,
                         AT(bm_figures, saves_bytes),
                         AT(bm_figures, peak_bytes)},
    [BM_METRIC_UNTOUCHED] = {"bytes neither written nor read", true,
                             AT(bm_access, untouched_bytes),
                             AT(bm_access, untouched_bytes)},
    [BM_METRIC_NEVER_WRITTEN] = {"bytes never written", true,
                                 AT(bm_access, never_written_bytes),
                                 AT(bm_access, never_written_bytes)},
    [BM_METRIC_NEVER_READ] = {"bytes written but never read", true,
                              AT(bm_access, never_read_bytes),
                              AT(bm_access, never_read_bytes)},
    [BM_METRIC_IDLE] = {"bytes of blocks that were kept long after use", true,
                        AT(bm_access, idle_bytes), AT(bm_access, idle_bytes)},
};

#define NAMES                                                                  \
    [BM_METRIC_PEAK] = "peak", [BM_METRIC_ALLOCATED] = "allocated",            \
    [BM_METRIC_ALLOCATIONS] = "allocations", [BM_METRIC_LEAKED] = "leaked",    \
    [BM_METRIC_TEMPORARY] = "temporary"

const char *const bm_metric_names[] = {
    NAMES,
    [BM_NR_METRICS] = NULL,
};

const char *const bm_rank_names[] = {
    NAMES,
    [BM_METRIC_SAVES] = "saves",
    [BM_METRIC_UNTOUCHED] = "untouched",
    [BM_METRIC_NEVER_WRITTEN] = "never-written",
    [BM_METRIC_NEVER_READ] = "never-read",
    [BM_METRIC_IDLE] = "idle",
    [BM_NR_RANKS] = NULL,
};

enum bm_metric bm_metric_of_wholes(enum bm_metric metric)
{
    return metric == BM_METRIC_SAVES ? BM_METRIC_PEAK : metric;
}

const char *bm_metric_meaning(enum bm_metric metric)
{
    return metrics[metric].meaning;
}

static uint64_t member(const struct bm_figures *figures, enum bm_metric metric,
                       size_t offset)
{
    const char *from = bm_metric_is_of_access(metric)
                           ? (const char *)bm_access_of(figures)
                           : (const char *)figures;

    return *(const uint64_t *)(from + offset);
}

uint64_t bm_metric_of(const struct bm_figures *figures, enum bm_metric metric)
{
    return member(figures, metric, metrics[metric].row);
}

uint64_t bm_metric_total(const struct bm_figures *totals, enum bm_metric metric)
{
    return member(totals, metric, metrics[metric].total);
}

static uint64_t pass_metric(const struct bm_pass_info *pass,
                            enum bm_metric metric)
{
    switch (metric) {
    case BM_METRIC_PEAK:
        return pass->peak_bytes;
    case BM_METRIC_ALLOCATED:
        return pass->allocated_bytes;
    case BM_METRIC_ALLOCATIONS:
        return pass->allocations;
    case BM_METRIC_LEAKED:
        return pass->retained_bytes;
    default:
        BM_BUG("metric %d is not kept by pass", metric);
    }
}

static uint64_t least_of_more(const struct bm_benchmark_info *benchmark,
                              enum bm_metric metric)
{
    switch (metric) {
    case BM_METRIC_PEAK:
        return benchmark->more_peak.min;
    case BM_METRIC_ALLOCATED:
        return benchmark->more_allocated.min;
    case BM_METRIC_ALLOCATIONS:
        return benchmark->more_allocations.min;
    case BM_METRIC_LEAKED:
        return benchmark->more_retained.min;
    default:
        BM_BUG("metric %d is not kept by pass", metric);
    }
}

uint64_t bm_metric_headline(const struct bm_benchmark_info *benchmark,
                            enum bm_metric metric)
{
    if (metric >= BM_METRIC_TEMPORARY || !bm_nr_passes(benchmark))
        return bm_metric_total(&benchmark->figures, metric);

    uint64_t least = UINT64_MAX;
    for (size_t i = 0; i < benchmark->nr_passes; i++) {
        uint64_t value = pass_metric(&benchmark->passes[i], metric);
        least = value < least ? value : least;
    }
    if (benchmark->nr_more_passes) {
        uint64_t value = least_of_more(benchmark, metric);
        least = value < least ? value : least;
    }
    return least;
}

struct bm_cell bm_metric_cell(uint64_t value, enum bm_metric metric)
{
    return metrics[metric].bytes ? bm_cell_bytes(value) : bm_cell_count(value);
}

uint64_t bm_nr_passes(const struct bm_benchmark_info *benchmark)
{
    return benchmark->nr_passes + benchmark->nr_more_passes;
}
