/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The metrics that rows can be ranked by, under the names of the option
 * --worst, which are the same in every tool.
 */
#ifndef BENCHMEM_TOOLS_METRIC_H
#define BENCHMEM_TOOLS_METRIC_H

#include "base/table.h"
#include "profile/profile.h"

enum bm_metric {
    BM_METRIC_PEAK,        /* of a row: what it held at the peak (at_peak) */
    BM_METRIC_ALLOCATED,   /* bytes */
    BM_METRIC_ALLOCATIONS, /* calls */
    BM_METRIC_LEAKED,      /* live at the end; of a benchmark: retained */
    BM_METRIC_TEMPORARY,   /* blocks freed at once */
    BM_NR_METRICS,
    BM_METRIC_SAVES = BM_NR_METRICS, /* of reports' rows alone: it has no sum */
    /* Of profiles with bm_profile.has_access, and of whole processes alone. */
    BM_METRIC_UNTOUCHED, /* neither written nor read */
    BM_METRIC_NEVER_WRITTEN,
    BM_METRIC_NEVER_READ, /* written and not read */
    BM_METRIC_IDLE,       /* bytes of blocks that were kept long after use */
    BM_NR_RANKS
};

static inline bool bm_metric_is_of_access(enum bm_metric metric)
{
    return metric >= BM_METRIC_UNTOUCHED;
}

/* Names for --worst, in their order; NULL at the end. */
extern const char *const bm_metric_names[];
extern const char *const bm_rank_names[]; /* with those of reports */

/* The one that wholes are compared by: of saves, the peak. */
enum bm_metric bm_metric_of_wholes(enum bm_metric metric);

/* "bytes held at the peak", for headings. */
const char *bm_metric_meaning(enum bm_metric metric);

/* The metric of one row of figures; rows add up to bm_metric_total. */
uint64_t bm_metric_of(const struct bm_figures *figures, enum bm_metric metric);

/* The metric of a whole process or benchmark. */
uint64_t bm_metric_total(const struct bm_figures *totals,
                         enum bm_metric metric);

/*
 * The headline of a benchmark: the minimum over its passes. What is not kept
 * by pass (temporary) is that of all passes together.
 */
uint64_t bm_metric_headline(const struct bm_benchmark_info *benchmark,
                            enum bm_metric metric);

/* A size or a count, as the metric is one. */
struct bm_cell bm_metric_cell(uint64_t value, enum bm_metric metric);

/* Number of passes of a benchmark, kept singly or not. */
uint64_t bm_nr_passes(const struct bm_benchmark_info *benchmark);

#endif
