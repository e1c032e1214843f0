/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Live bytes over allocated bytes of whole programs, with the passes of their
 * benchmarks. It shows the process, whatever the metric of the other views.
 */
#include "tools/plot.h"

#include "base/error.h"

#include <stdlib.h>

/* More bands than this are no help to anyone. */
#define MAX_BANDS 400

static const struct bm_profile *profile_of(struct bm_run *run)
{
    size_t count = 0;
    struct bm_profile *const *profiles = bm_run_profiles(run, &count);

    if (!profiles && count)
        exit(BM_EXIT_USAGE);
    for (size_t i = 0; i < count; i++) {
        if (profiles[i]->nr_moments)
            return profiles[i];
    }
    bm_die("%s has no timeline: record it with BENCHMEM_OPTIONS=timeline=1, or "
           "with benchmem-run --timeline",
           run->label);
}

static void add_moment(json_t *rows, const char *run, uint64_t allocated,
                       uint64_t live)
{
    struct bm_str x = BM_STR_INIT, y = BM_STR_INIT;

    bm_value_print(&x, (long double)allocated, BM_UNIT_BYTES);
    bm_value_print(&y, (long double)live, BM_UNIT_BYTES);
    json_array_append_new(rows,
                          bm_plot_pack("{s:s, s:f, s:f, s:o, s:s, s:s}", "kind",
                                       "moment", "x", (double)allocated, "y",
                                       (double)live, "run", bm_plot_string(run),
                                       "allocated", x.data, "live", y.data));
    bm_str_clear(&x);
    bm_str_clear(&y);
}

static void add_course(json_t *rows, const char *run,
                       const struct bm_profile *profile)
{
    add_moment(rows, run, 0, 0);
    for (size_t i = 0; i < profile->nr_moments; i++)
        add_moment(rows, run, profile->moments[i].allocated_bytes,
                   profile->moments[i].live_bytes);
    add_moment(rows, run, profile->totals.allocated_bytes,
               profile->totals.live_bytes);
}

/*
 * Of several runs, the process is the first (BM_STATE_RUNS). Passes are in the
 * order of the runs, and each run begins anew.
 */
static bool is_of_later_run(const struct bm_profile *profile,
                            const struct bm_pass_info *pass,
                            const struct bm_pass_info *before)
{
    return profile->flags & BM_STATE_RUNS &&
           (!before->ended_bytes || pass->began_bytes < before->ended_bytes);
}

static void add_bands(struct bm_plot *plot, json_t *rows,
                      const struct bm_profile *profile, size_t *nr_bands)
{
    for (size_t i = 0; i < profile->nr_benchmarks; i++) {
        const struct bm_benchmark_info *benchmark = &profile->benchmarks[i];

        for (size_t j = 0; j < benchmark->nr_passes; j++) {
            const struct bm_pass_info *pass = &benchmark->passes[j];
            uint64_t end = pass->ended_bytes ? pass->ended_bytes
                                             : profile->totals.allocated_bytes;

            if (j > 0 && is_of_later_run(profile, pass, pass - 1))
                break;
            if (++*nr_bands > MAX_BANDS)
                continue;
            json_array_append_new(
                rows,
                bm_plot_pack("{s:s, s:f, s:f, s:o, s:o}", "kind", "band", "x",
                             (double)pass->began_bytes, "x2", (double)end,
                             "benchmark", bm_plot_string(benchmark->id), "name",
                             bm_plot_string(benchmark->name)));
        }
    }
    if (*nr_bands > MAX_BANDS)
        bm_strvec_pushf(&plot->notes, "%zu more passes not drawn",
                        *nr_bands - MAX_BANDS);
}

static struct bm_plot_axis axis_of(const struct bm_plot *plot,
                                   const char *title, bool is_x)
{
    struct bm_plot_axis axis = {
        .title = title,
        .unit = BM_UNIT_BYTES,
        .own_ticks = true,
        .from_zero = true,
    };
    enum bm_plot_scale wanted =
        is_x ? plot->options->x_scale : plot->options->y_scale;

    for (size_t i = 0; i < plot->nr_runs; i++) {
        const struct bm_profile *profile = profile_of(plot->runs[i]);

        bm_plot_axis_add(&axis,
                         (long double)(is_x ? profile->totals.allocated_bytes
                                            : profile->totals.peak_bytes));
    }
    /* A course begins at nothing: linear, unless asked for. */
    bm_plot_axis_finish(
        &axis, wanted == BM_PLOT_SCALE_AUTO ? BM_PLOT_SCALE_LINEAR : wanted);
    return axis;
}

static json_t *drawing(const struct bm_plot *plot)
{
    struct bm_plot_axis x = axis_of(plot, "allocated so far", true);
    struct bm_plot_axis y = axis_of(plot, "live bytes", false);
    json_t *band = bm_plot_pack(
        "{s:[{s:s}], s:{s:s, s:f}, s:{s:{s:s, s:s}, s:{s:s}, s:{s:s, s:s, s:s},"
        " s:{s:s}}}",
        "transform", "filter", "datum.kind == 'band'", "mark", "type", "rect",
        "opacity", 0.18, "encoding", "x", "field", "x", "type", "quantitative",
        "x2", "field", "x2", "fill", "field", "name", "type", "nominal",
        "title", "benchmark", "tooltip", "field", "benchmark");
    json_t *line = bm_plot_pack(
        "{s:[{s:s}], s:{s:s, s:s, s:f, s:b}, s:{s:o, s:o, "
        "s:[{s:s}, {s:s}, {s:s}]}}",
        "transform", "filter", "datum.kind == 'moment'", "mark", "type", "line",
        "interpolate", "step-before", "strokeWidth", 1.4, "tooltip", 1,
        "encoding", "x", bm_plot_axis_channel(&x, "x"), "y",
        bm_plot_axis_channel(&y, "y"), "tooltip", "field", "run", "field",
        "allocated", "field", "live");

    if (plot->nr_runs > 1)
        json_object_set_new(json_object_get(line, "encoding"), "stroke",
                            bm_plot_pack("{s:s, s:s, s:n}", "field", "run",
                                         "type", "nominal", "sort"));
    return bm_plot_pack("{s:i, s:i, s:[o, o]}", "width", 760, "height", 400,
                        "layer", band, line);
}

void bm_plot_timeline(struct bm_plot *plot, json_t *rows, json_t **unit)
{
    size_t nr_bands = 0;

    for (size_t i = 0; i < plot->nr_runs; i++) {
        const struct bm_profile *profile = profile_of(plot->runs[i]);

        add_course(rows, plot->runs[i]->label, profile);
        /* Bands of several runs would lie over each other. */
        if (plot->nr_runs == 1)
            add_bands(plot, rows, profile, &nr_bands);
    }
    *unit = drawing(plot);
}
