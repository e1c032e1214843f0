/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a file holds: the windows of it, their trees and figures.
 */
#include "base/escape.h"
#include "base/memory.h"
#include "tools/export.h"

#include <stdlib.h>

static const struct {
    const char *key;
    const char *unit;
} metrics[BM_NR_METRICS] = {
    [BM_METRIC_PEAK] = {"at_peak_bytes", "bytes"},
    [BM_METRIC_ALLOCATED] = {"allocated_bytes", "bytes"},
    [BM_METRIC_ALLOCATIONS] = {"allocations", "count"},
    [BM_METRIC_LEAKED] = {"live_bytes", "bytes"},
    [BM_METRIC_TEMPORARY] = {"temporary", "count"},
};

const char *bm_export_key(enum bm_metric metric)
{
    return metrics[metric].key;
}

const char *bm_export_unit(enum bm_metric metric)
{
    return metrics[metric].unit;
}

void bm_export_choose(struct bm_export *export, enum bm_export_scope scope,
                      const struct bm_benchmark_info *benchmark)
{
    const struct bm_profile *profile = export->profile;
    bool process = scope != BM_EXPORT_BENCHMARKS || !profile->nr_benchmarks;

    export->nr_windows = 0;
    export->windows =
        bm_xcalloc(profile->nr_benchmarks + 1, sizeof(*export->windows));
    if (benchmark) {
        export->windows[export->nr_windows++] = benchmark;
        return;
    }
    if (process)
        export->windows[export->nr_windows++] = NULL;
    for (size_t i = 0; scope != BM_EXPORT_PROCESS && i < profile->nr_benchmarks;
         i++)
        export->windows[export->nr_windows++] = &profile->benchmarks[i];
    if (export->nr_windows > 1)
        bm_call_sources_init(&export->sources, profile);
}

void bm_export_release(struct bm_export *export)
{
    free(export->windows);
    bm_call_sources_clear(&export->sources);
}

void bm_export_tree(const struct bm_export *export, size_t window,
                    struct bm_call_tree *tree)
{
    const struct bm_call_options options = {
        .native = bm_call_is_native(export->profile),
        .depth_first = true,
        .sources = export->sources.order ? &export->sources : NULL,
        .metrics = export->metrics,
    };

    bm_call_tree_init(tree, export->profile, export->windows[window], options);
}

const struct bm_figures *bm_export_figures(const struct bm_export *export,
                                           size_t window)
{
    return export->windows[window] ? &export->windows[window]->figures
                                   : &export->profile->totals;
}

const char *bm_export_title(const struct bm_export *export, size_t window)
{
    return export->windows[window] ? export->windows[window]->id
                                   : export->profile->program;
}

void bm_put_number(struct bm_str *out, uint64_t number)
{
    char digits[20]; /* 2^64 has that many */
    size_t at = sizeof(digits);

    /* Most fit into 32 bits, whose division is the faster one. */
    for (; number > UINT32_MAX; number /= 10)
        digits[--at] = (char)('0' + number % 10);
    uint32_t rest = (uint32_t)number;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    bm_str_add(out, digits + at, sizeof(digits) - at);
}

uint64_t bm_export_peak_clock(const struct bm_figures *figures)
{
    if (figures->peak_bytes < figures->inherited_bytes)
        return 0;
    return figures->peak_bytes - figures->inherited_bytes;
}

void bm_export_command(const struct bm_export *export, struct bm_str *out)
{
    const struct bm_profile *profile = export->profile;

    if (!profile->nr_arguments)
        bm_escape_terminal(out, profile->program);
    for (size_t i = 0; i < profile->nr_arguments; i++) {
        if (i)
            bm_str_putc(out, ' ');
        bm_escape_terminal(out, profile->arguments[i]);
    }
}
