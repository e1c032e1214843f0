/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/plot.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* -- dimensions ------------------------------------------------------------ */

static _Noreturn void die_of_unknown(const struct bm_plot *plot,
                                     const char *option, const char *text)
{
    struct bm_str own = BM_STR_INIT;

    bm_dimension_list(&own, plot->runs, plot->nr_runs);
    bm_die("%s %s: no benchmark has this dimension; there are run, fullname, "
           "name, function, file, group, suite%s%s",
           option, text, own.size ? ", " : "", own.size ? own.data : "");
}

struct bm_plot_dimension bm_plot_find_dimension(const struct bm_plot *plot,
                                                const char *option,
                                                const char *text)
{
    struct bm_plot_dimension found = {.text = text};

    if (bm_dimension_parse(text, &found.of) &&
        bm_dimension_is_known(&found.of, plot->runs, plot->nr_runs))
        return found;
    if (strcmp(text, "run") != 0)
        die_of_unknown(plot, option, text);
    found.is_run = true;
    return found;
}

const char *bm_plot_dimension_text(const struct bm_plot *plot,
                                   const struct bm_plot_dimension *dimension,
                                   size_t run,
                                   const struct bm_run_benchmark *benchmark)
{
    if (dimension->is_run)
        return plot->runs[run]->label;
    return bm_dimension_text(&dimension->of, benchmark);
}

bool bm_plot_dimension_number(const struct bm_plot_dimension *dimension,
                              const struct bm_run_benchmark *benchmark,
                              long double *number)
{
    const struct bm_param_info *value =
        dimension->is_run ? NULL
                          : bm_dimension_value(&dimension->of, benchmark);

    if (!value)
        return false;
    switch (value->kind) {
    case BM_VALUE_SIGNED:
        *number = (long double)value->value.i;
        return true;
    case BM_VALUE_UNSIGNED:
        *number = (long double)value->value.u;
        return true;
    case BM_VALUE_DOUBLE:
        *number = (long double)value->value.d;
        return true;
    default:
        return false;
    }
}

/* -- which metric ---------------------------------------------------------- */

static void choose_measure(struct bm_plot *plot)
{
    static const enum bm_measure first[] = {BM_MEASURE_PEAK, BM_MEASURE_TIME,
                                            BM_MEASURE_RSS};

    plot->measure = plot->options->measure;
    for (size_t i = 0; i < 3 && !plot->options->measure_given; i++) {
        if (bm_joined_has(&plot->joined, first[i])) {
            plot->measure = first[i];
            break;
        }
    }
    if (!bm_joined_has(&plot->joined, plot->measure))
        bm_die("nothing to draw: no run has %s",
               bm_measure_info(plot->measure)->name);
    plot->unit = bm_measure_info(plot->measure)->unit;
}

/* -- conditions ------------------------------------------------------------ */

struct condition {
    struct bm_plot_dimension dimension;
    const char *value;
};

static struct condition *read_conditions(struct bm_plot *plot)
{
    const struct bm_strvec *where = &plot->options->where;
    struct condition *conditions =
        bm_arena_alloc(&plot->arena, (where->count + 1) * sizeof(*conditions));

    for (size_t i = 0; i < where->count; i++) {
        char *name = bm_arena_strdup(&plot->arena, where->items[i]);
        char *equals = strchr(name, '=');

        *equals = '\0';
        conditions[i].dimension = bm_plot_find_dimension(plot, "--where", name);
        conditions[i].value = equals + 1;
    }
    return conditions;
}

/* Numbers are compared as such: n=1e3 holds for 1000. */
static bool equals(const struct bm_plot *plot,
                   const struct condition *condition, size_t run,
                   const struct bm_run_benchmark *benchmark)
{
    const char *text =
        bm_plot_dimension_text(plot, &condition->dimension, run, benchmark);
    long double number;
    char *end = NULL;

    if (!text)
        return false;
    if (!strcmp(text, condition->value))
        return true;
    if (!bm_plot_dimension_number(&condition->dimension, benchmark, &number))
        return false;
    long double wanted = strtold(condition->value, &end);
    return end != condition->value && !*end && wanted == number;
}

static bool hold(const struct bm_plot *plot, const struct condition *conditions,
                 size_t run, const struct bm_run_benchmark *benchmark)
{
    for (size_t i = 0; i < plot->options->where.count; i++) {
        if (!equals(plot, &conditions[i], run, benchmark))
            return false;
    }
    return true;
}

/* -- points ---------------------------------------------------------------- */

struct gathering {
    struct bm_plot *plot;
    struct condition *conditions;
    struct bm_plot_dimension facet;
    size_t room;
    size_t nr_seen;
    size_t nr_without_metric;
};

static void set_values(struct bm_plot_point *point, enum bm_measure measure,
                       enum bm_stat stat)
{
    const struct bm_series *series = &point->benchmark->series[measure];

    bm_series_stat(series, stat, &point->value);
    bm_series_stat(series, BM_STAT_MIN, &point->low);
    bm_series_stat(series, BM_STAT_MAX, &point->high);
}

static void add_point(struct gathering *g, size_t row, size_t series)
{
    struct bm_plot *plot = g->plot;
    const struct bm_joined_row *joined = &plot->joined.rows[row];
    const struct bm_run_benchmark *benchmark = joined->cells[series];
    size_t run = plot->options->pivot ? 0 : series;

    if (!benchmark || !hold(plot, g->conditions, run, benchmark))
        return;
    g->nr_seen++;
    if (!bm_series_present(&benchmark->series[plot->measure])) {
        g->nr_without_metric++;
        return;
    }
    struct bm_plot_point point = {
        .benchmark = benchmark,
        .row = row,
        .series = series,
        .run = run,
        .key = joined->id ? joined->id : joined->name,
    };
    if (plot->options->facet) {
        point.facet = bm_plot_dimension_text(plot, &g->facet, run, benchmark);
        if (!point.facet)
            point.facet = "(none)";
    }
    set_values(&point, plot->measure, plot->options->stat);
    plot->points = bm_xgrow(plot->points, plot->nr_points, &g->room,
                            sizeof(*plot->points));
    plot->points[plot->nr_points++] = point;
}

/* By runs, or by the values of --pivot of the only one. */
static void join(struct bm_plot *plot)
{
    const char *pivot = plot->options->pivot;

    if (!pivot) {
        bm_join_runs(&plot->joined, plot->runs, plot->nr_runs);
        return;
    }
    struct bm_plot_dimension found =
        bm_plot_find_dimension(plot, "--pivot", pivot);
    if (found.is_run)
        bm_die("--pivot run: one run has one");
    if (bm_join_pivot(&plot->joined, plot->runs[0], &found.of))
        exit(BM_EXIT_USAGE);
}

static void note_renamed(struct bm_plot *plot)
{
    size_t nr_certain = 0;

    for (size_t i = 0; i < plot->joined.nr_renamings; i++)
        nr_certain += plot->joined.renamings[i].certain;
    if (nr_certain)
        bm_strvec_pushf(&plot->notes,
                        "%zu held against benchmarks of another file name",
                        nr_certain);
}

void bm_plot_gather(struct bm_plot *plot)
{
    const struct bm_plot_options *o = plot->options;
    struct gathering g = {.plot = plot};

    join(plot);
    choose_measure(plot);
    g.conditions = read_conditions(plot);
    if (o->facet)
        g.facet = bm_plot_find_dimension(plot, "--facet", o->facet);
    for (size_t i = 0; i < plot->joined.nr_series; i++)
        bm_strvec_push(&plot->series, plot->joined.labels[i]);
    for (size_t i = 0; i < plot->joined.nr_rows; i++) {
        for (size_t j = 0; j < plot->joined.nr_series; j++)
            add_point(&g, i, j);
    }
    if (!plot->nr_points)
        bm_die("nothing to draw: %s",
               g.nr_seen        ? "what is left was not measured"
               : o->where.count ? "no benchmark holds every --where"
                                : "the runs have no benchmarks");
    if (g.nr_without_metric)
        bm_strvec_pushf(&plot->notes, "%zu of %zu not drawn: %s not measured",
                        g.nr_without_metric, g.nr_seen,
                        bm_measure_info(plot->measure)->name);
    note_renamed(plot);
}
