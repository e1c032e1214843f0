/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/plot.h"

#include "base/error.h"
#include "base/escape.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* The language of the specification; nothing is fetched from there. */
#define SCHEMA "https://vega.github.io/schema/vega-lite/v6.json"

struct view {
    void (*make)(struct bm_plot *plot, json_t *rows, json_t **unit);
    size_t least_series;
    const char *needs;
};

static const struct view views[BM_NR_PLOT_VIEWS] = {
    [BM_PLOT_SCALING] = {bm_plot_scaling, 1, NULL},
    [BM_PLOT_SCATTER] = {bm_plot_scatter, 2,
                         "two runs, or --pivot with two values"},
    [BM_PLOT_COMPARE] = {bm_plot_compare, 2,
                         "two runs, or --pivot with two values"},
    [BM_PLOT_SWEEP] = {bm_plot_sweep, 2,
                       "several runs, or --pivot with several values"},
    [BM_PLOT_TIMELINE] = {bm_plot_timeline, 1, NULL},
};

/* An option that the view cannot follow is refused, not ignored. */
static void check_options(const struct bm_plot_options *o,
                          enum bm_plot_view view)
{
    enum {
        SCALING = 1 << BM_PLOT_SCALING,
        SCATTER = 1 << BM_PLOT_SCATTER,
        COMPARE = 1 << BM_PLOT_COMPARE,
        SWEEP = 1 << BM_PLOT_SWEEP,
        TIMELINE = 1 << BM_PLOT_TIMELINE,
        BENCHMARKS = SCALING | SCATTER | COMPARE | SWEEP,
    };
    const struct {
        bool given;
        unsigned views;
        const char *option;
    } rules[] = {
        {o->measure_given, BENCHMARKS, "--columns"},
        {o->stat != BM_STAT_MIN, BENCHMARKS, "--stat"},
        {o->where.count > 0, BENCHMARKS, "--where"},
        {o->pivot != NULL, BENCHMARKS, "--pivot"},
        {o->facet != NULL, BENCHMARKS, "--facet"},
        {o->x != NULL, SCALING, "--x"},
        {o->color != NULL, SCALING, "--color"},
        {o->band, SCALING, "--band"},
        {o->y_zero, SCALING, "--y-zero"},
        {o->clip > 0, SCATTER | SWEEP, "--clip"},
        {o->top != UINT64_MAX, SCALING | COMPARE | SWEEP, "--top"},
        {o->x_scale == BM_PLOT_SCALE_LOG, SCALING | SCATTER | TIMELINE,
         "--log-x"},
        {o->y_scale == BM_PLOT_SCALE_LOG, SCALING | TIMELINE, "--log-y"},
    };

    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        if (rules[i].given && !(rules[i].views & 1u << view))
            bm_die("%s means nothing to the view %s", rules[i].option,
                   bm_plot_view_names[view]);
    }
}

enum bm_plot_view bm_plot_choose_view(const struct bm_plot *plot)
{
    const struct bm_plot_options *o = plot->options;
    size_t nr_series = plot->series.count;
    enum bm_plot_view view = o->view;

    if (!o->view_given)
        view = nr_series > 2    ? BM_PLOT_SWEEP
               : nr_series == 2 ? BM_PLOT_SCATTER
                                : BM_PLOT_SCALING;
    if (nr_series < views[view].least_series)
        bm_die("--view %s needs %s", bm_plot_view_names[view],
               views[view].needs);
    if (o->pivot && view == BM_PLOT_SCALING)
        bm_die("--pivot %s has one value, so nothing stands side by side; "
               "scaling tells values apart with --color %s",
               o->pivot, o->pivot);
    check_options(o, view);
    return view;
}

json_t *bm_plot_pack(const char *format, ...)
{
    json_error_t error;
    va_list args;

    va_start(args, format);
    json_t *made = json_vpack_ex(&error, 0, format, args);
    va_end(args);
    if (!made)
        BM_BUG("%s in %s", error.text, format);
    return made;
}

json_t *bm_plot_order(const struct bm_plot_matrix *matrix)
{
    json_t *keys = json_array();

    for (size_t i = 0; i < matrix->nr_rows; i++)
        json_array_append_new(keys, bm_plot_string(matrix->rows[i].key));
    return keys;
}

json_t *bm_plot_string(const char *text)
{
    struct bm_str valid = BM_STR_INIT, safe = BM_STR_INIT;

    /* Control characters and turned writing would garble labels. */
    bm_escape_invalid(&valid, text);
    bm_escape_terminal(&safe, valid.data);
    json_t *string = json_string(safe.data);
    bm_str_clear(&valid);
    bm_str_clear(&safe);
    return string;
}

json_t *bm_plot_value_text(const struct bm_plot *plot, long double value)
{
    struct bm_str text = BM_STR_INIT;

    bm_value_print(&text, value, plot->unit);
    if (plot->unit == BM_UNIT_BYTES && value >= 1024) {
        bm_str_puts(&text, " (");
        bm_value_print_exact(&text, value);
        bm_str_puts(&text, " B)");
    }
    json_t *string = json_string(text.data);
    bm_str_clear(&text);
    return string;
}

const char *bm_plot_title(struct bm_plot *plot)
{
    static const char *const stats[] = {
        [BM_STAT_MIN] = "minimum",
        [BM_STAT_MAX] = "maximum",
        [BM_STAT_MEAN] = "mean",
        [BM_STAT_MEDIAN] = "median",
        [BM_STAT_STDDEV] = "standard deviation",
    };
    const struct bm_measure_info *info = bm_measure_info(plot->measure);

    if (plot->view == BM_PLOT_TIMELINE)
        return "live bytes over allocated bytes";
    return bm_arena_printf(&plot->arena, "%s: %s, %s over the passes",
                           info->name, info->meaning,
                           stats[plot->options->stat]);
}

/* -- around the drawing ---------------------------------------------------- */

static json_t *title_of(struct bm_plot *plot)
{
    json_t *lines = json_array();
    struct bm_str runs = BM_STR_INIT;

    for (size_t i = 0; i < plot->nr_runs; i++)
        bm_str_printf(&runs, "%s%s", i ? " → " : "", plot->runs[i]->label);
    json_array_append_new(lines, bm_plot_string(runs.data));
    if (plot->only)
        json_array_append_new(lines, bm_plot_string(plot->only));
    for (size_t i = 0; i < plot->options->where.count; i++)
        json_array_append_new(lines,
                              bm_plot_string(plot->options->where.items[i]));
    for (size_t i = 0; i < plot->notes.count; i++)
        json_array_append_new(lines, bm_plot_string(plot->notes.items[i]));
    bm_str_clear(&runs);
    return bm_plot_pack("{s:o, s:o, s:s}", "text",
                        bm_plot_string(bm_plot_title(plot)), "subtitle", lines,
                        "anchor", "start");
}

static size_t count_facets(const struct bm_plot *plot)
{
    struct bm_strvec seen = BM_STRVEC_INIT;

    for (size_t i = 0; i < plot->nr_points; i++) {
        size_t at = 0;

        while (at < seen.count &&
               strcmp(seen.items[at], plot->points[i].facet) != 0)
            at++;
        if (at == seen.count)
            bm_strvec_push(&seen, plot->points[i].facet);
    }
    size_t count = seen.count;
    bm_strvec_clear(&seen);
    return count;
}

/* Small multiples of the drawing, on the axes that --free-axes leaves shared.
 */
static void add_facets(struct bm_plot *plot, json_t *spec, json_t *unit)
{
    const struct bm_plot_options *o = plot->options;
    json_t *header = bm_plot_pack("{s:o}", "title", bm_plot_string(o->facet));

    json_object_set_new(spec, "facet",
                        bm_plot_pack("{s:s, s:s, s:o, s:n}", "field", "facet",
                                     "type", "nominal", "header", header,
                                     "sort"));
    json_object_set_new(spec, "columns",
                        json_integer(count_facets(plot) < 3 ? 2 : 3));
    json_object_set_new(spec, "spec", unit);
    json_object_set_new(
        spec, "resolve",
        bm_plot_pack("{s:{s:s, s:s}}", "scale", "x",
                     o->free_axes & BM_PLOT_FREE_X ? "independent" : "shared",
                     "y",
                     o->free_axes & BM_PLOT_FREE_Y ? "independent" : "shared"));
}

/* Beside several panels there is no room. */
static json_t *settings(const struct bm_plot *plot)
{
    json_t *legend = bm_plot_pack("{s:i, s:i}", "labelLimit", 320, "columns",
                                  plot->options->facet ? 3 : 1);

    if (plot->options->facet)
        json_object_set_new(legend, "orient", json_string("bottom"));
    return bm_plot_pack(
        "{s:s, s:{s:i}, s:{s:i, s:i}, s:{s:i, s:b}, s:o, s:{s:i}}", "font",
        "system-ui, DejaVu Sans, sans-serif", "title", "offset", 12, "axis",
        "labelLimit", 420, "titlePadding", 8, "point", "size", 46, "filled", 1,
        "legend", legend, "header", "labelLimit", 320);
}

json_t *bm_plot_make_spec(struct bm_plot *plot)
{
    json_t *rows = json_array(), *unit = NULL, *drawing = NULL;

    views[plot->view].make(plot, rows, &drawing);
    unit = drawing;
    json_t *spec =
        bm_plot_pack("{s:s, s:o, s:s, s:o, s:{s:s, s:o}}", "$schema", SCHEMA,
                     "title", title_of(plot), "background", "white", "config",
                     settings(plot), "data", "name", "points", "values", rows);
    json_object_set_new(spec, "description",
                        bm_plot_string(bm_plot_title(plot)));
    /* A slider belongs to the whole, not to a panel. */
    json_t *params = json_object_get(unit, "params");
    if (params) {
        json_object_set(spec, "params", params);
        json_object_del(unit, "params");
    }
    if (plot->options->facet) {
        add_facets(plot, spec, unit);
        return spec;
    }
    json_object_update(spec, unit);
    json_decref(unit);
    return spec;
}
