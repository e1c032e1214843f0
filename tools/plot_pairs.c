/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Two series against each other: scatter (what changed, and was it large
 * before) and compare (what changed most, in its own unit).
 */
#include "tools/plot.h"

#include <math.h>
#include <string.h>

#define BLUE "#2166ac"
#define GREY "#9a9a9a"
#define RED "#b2182b"

/* The largest ratio that is drawn at its place without --clip. */
#define RATIO_LIMIT 1e9

struct pair {
    const struct bm_plot_point *base;
    const struct bm_plot_point *head;
    double ratio;      /* as drawn: clipped, at the edge where base is 0 */
    const char *label; /* "+12.3 %", "from 0" */
    size_t head_series;
};

static const char *change_text(struct bm_plot *plot, long double base,
                               long double head)
{
    if (base == head)
        return "same";
    if (base == 0)
        return "from 0";
    return bm_arena_printf(&plot->arena, "%+.1Lf %%",
                           (head - base) / base * 100);
}

static struct pair pair_of(struct bm_plot *plot, const struct bm_plot_row *row,
                           size_t head)
{
    struct pair pair = {.base = row->cells[0],
                        .head = row->cells[head],
                        .head_series = head,
                        .ratio = 1};

    if (!pair.base || !pair.head)
        return pair;
    long double before = pair.base->value, after = pair.head->value;
    pair.label = change_text(plot, before, after);
    if (before != after)
        pair.ratio = before == 0 ? INFINITY : (double)(after / before);
    return pair;
}

/* What only one side has is told, since it cannot be drawn. */
static void note_unpaired(struct bm_plot *plot,
                          const struct bm_plot_matrix *matrix)
{
    size_t nr_new = 0, nr_gone = 0, last = matrix->nr_columns - 1;

    for (size_t i = 0; i < matrix->nr_rows; i++) {
        nr_new += !matrix->rows[i].cells[0] && matrix->rows[i].cells[last];
        nr_gone += matrix->rows[i].cells[0] && !matrix->rows[i].cells[last];
    }
    if (nr_new)
        bm_strvec_pushf(&plot->notes, "%zu only in %s, not drawn", nr_new,
                        plot->series.items[last]);
    if (nr_gone)
        bm_strvec_pushf(&plot->notes, "%zu only in %s, not drawn", nr_gone,
                        plot->series.items[0]);
}

static json_t *change_of(const struct bm_plot *plot, const struct pair *pair)
{
    struct bm_str text = BM_STR_INIT;

    bm_value_print_change(&text, pair->head->value - pair->base->value,
                          plot->unit);
    json_t *string = json_string(text.data);
    bm_str_clear(&text);
    return string;
}

/* What a reader learns of a pair by pointing at it. */
static json_t *row_of(struct bm_plot *plot, const struct pair *pair)
{
    json_t *row =
        bm_plot_pack("{s:o, s:o, s:o, s:o, s:s, s:f, s:i, s:o}", "id",
                     bm_plot_string(pair->base->key), "base",
                     bm_plot_value_text(plot, pair->base->value), "head",
                     bm_plot_value_text(plot, pair->head->value), "difference",
                     change_of(plot, pair), "change", pair->label, "delta",
                     (double)(pair->head->value - pair->base->value), "series",
                     (int)pair->head_series, "against",
                     bm_plot_string(plot->series.items[pair->head_series]));

    if (pair->base->facet)
        json_object_set_new(row, "facet", bm_plot_string(pair->base->facet));
    return row;
}

static json_t *tooltip(const struct bm_plot *plot, const char *head)
{
    return bm_plot_pack("[{s:s, s:s}, {s:s, s:o}, {s:s, s:o}, {s:s}, {s:s}]",
                        "field", "id", "title", "benchmark", "field", "base",
                        "title", bm_plot_string(plot->series.items[0]), "field",
                        "head", "title", bm_plot_string(head), "field",
                        "difference", "field", "change");
}

/* -- scatter --------------------------------------------------------------- */

/* The ratios that have a place; beyond them are the edges. */
struct span {
    double least;
    double most;
};

static struct span span_of(struct bm_plot *plot,
                           const struct bm_plot_matrix *matrix)
{
    double clip = plot->options->clip > 0 ? plot->options->clip : RATIO_LIMIT;
    struct span span = {1 / 1.05, 1.05};

    for (size_t i = 0; i < matrix->nr_rows; i++) {
        for (size_t j = 1; j < matrix->nr_columns; j++) {
            double ratio = pair_of(plot, &matrix->rows[i], j).ratio;

            if (ratio > 0 && ratio <= clip && ratio >= 1 / clip) {
                span.least = fmin(span.least, ratio);
                span.most = fmax(span.most, ratio);
            }
        }
    }
    /* What lies beyond needs an edge that no other point stands on. */
    double room = pow(span.most / span.least, 0.06);
    return (struct span){span.least / room, span.most * room};
}

static void add_scatter_row(struct bm_plot *plot, const struct pair *pair,
                            const struct bm_plot_axis *axis,
                            const struct span *span, json_t *rows)
{
    if (!pair->base || !pair->head)
        return;
    int edge = (pair->ratio > span->most) - (pair->ratio < span->least);
    json_t *row = row_of(plot, pair);
    json_object_set_new(row, "x",
                        json_real(bm_plot_axis_place(axis, pair->base->value)));
    json_object_set_new(
        row, "ratio",
        json_real(fmax(span->least, fmin(span->most, pair->ratio))));
    json_object_set_new(row, "edge", json_integer(edge));
    json_array_append_new(rows, row);
}

/* Far apart, as the scale is. */
static json_t *legend_values(long double most)
{
    double power = (double)powl(2, floorl(log2l(most)));

    return bm_plot_pack("[f, f, i, f, f]", power, power / 16, 0, -power / 16,
                        -power);
}

static json_t *scatter_color(struct bm_plot *plot, long double most)
{
    const char *label = bm_plot_label_expression(plot->unit);

    return bm_plot_pack(
        "{s:s, s:s, s:s, s:{s:s, s:f, s:[f, i, f], s:[s, s, s]}, s:{s:s, s:o}}",
        "field", "delta", "type", "quantitative", "title", "change", "scale",
        "type", "symlog", "constant", (double)fmaxl(most / 1000, 1), "domain",
        (double)-most, 0, (double)most, "range", BLUE, GREY, RED, "legend",
        "labelExpr", label, "values", legend_values(most));
}

/* The line of no change has no x, and no datum of the rows. */
static json_t *scatter_layers(const struct bm_plot *plot, json_t *x, json_t *y,
                              json_t *color)
{
    const char *head = plot->series.count > 2
                           ? "later run"
                           : plot->series.items[plot->series.count - 1];

    return bm_plot_pack(
        "[{s:{s:[{s:f}], s:s}, s:{s:s, s:[i, i], s:s}, s:{s:{s:s, s:s}}},"
        " {s:{s:s, s:f, s:b}, s:{s:o, s:o, s:o,"
        "  s:{s:[{s:s, s:s}, {s:s, s:s}], s:s}, s:o}}]",
        "data", "values", "one", 1.0, "name", "one", "mark", "type", "rule",
        "strokeDash", 4, 4, "color", GREY, "encoding", "y", "field", "one",
        "type", "quantitative", "mark", "type", "point", "opacity", 0.8,
        "filled", 1, "encoding", "x", x, "y", y, "color", color, "shape",
        "condition", "test", "datum.edge > 0", "value", "triangle-up", "test",
        "datum.edge < 0", "value", "triangle-down", "value", "circle",
        "tooltip", tooltip(plot, head));
}

/* Which of the later runs: at the last one, where there is no slider. */
static void add_slider(const struct bm_plot *plot, json_t *unit)
{
    int last = (int)plot->series.count - 1;
    struct bm_str names = BM_STR_INIT;

    for (size_t i = 1; i < plot->series.count; i++)
        bm_str_printf(&names, "%s%zu: %s", i > 1 ? ", " : "", i,
                      plot->series.items[i]);
    json_object_set_new(
        unit, "params",
        bm_plot_pack("[{s:s, s:i, s:{s:s, s:i, s:i, s:i, s:o}}]", "name", "run",
                     "value", last, "bind", "input", "range", "min", 1, "max",
                     last, "step", 1, "name", bm_plot_string(names.data)));
    json_object_set_new(
        unit, "transform",
        bm_plot_pack("[{s:s}]", "filter", "datum.series == run"));
    bm_str_clear(&names);
}

static json_t *ratio_title(struct bm_plot *plot)
{
    const char *head = plot->series.count > 2
                           ? "later run"
                           : plot->series.items[plot->series.count - 1];

    return bm_plot_string(
        bm_arena_printf(&plot->arena, "%s / %s", head, plot->series.items[0]));
}

void bm_plot_scatter(struct bm_plot *plot, json_t *rows, json_t **unit)
{
    const struct bm_plot_options *o = plot->options;
    struct bm_plot_matrix matrix = bm_plot_matrix_make(plot);
    struct span span = span_of(plot, &matrix);
    long double most = 1;
    struct bm_plot_axis axis = {
        .unit = plot->unit,
        .own_ticks = !(o->free_axes & BM_PLOT_FREE_X),
        .title = bm_arena_printf(&plot->arena, "%s of %s",
                                 bm_measure_info(plot->measure)->name,
                                 plot->series.items[0]),
    };

    for (size_t i = 0; i < matrix.nr_rows; i++) {
        const struct bm_plot_row *row = &matrix.rows[i];

        for (size_t j = 1; j < matrix.nr_columns; j++) {
            if (!row->cells[0] || !row->cells[j])
                continue;
            bm_plot_axis_add(&axis, row->cells[0]->value);
            most =
                fmaxl(most, fabsl(row->cells[j]->value - row->cells[0]->value));
        }
    }
    bm_plot_axis_finish(&axis, o->x_scale == BM_PLOT_SCALE_LINEAR
                                   ? BM_PLOT_SCALE_LINEAR
                                   : BM_PLOT_SCALE_LOG);
    for (size_t i = 0; i < matrix.nr_rows; i++) {
        for (size_t j = 1; j < matrix.nr_columns; j++) {
            struct pair pair = pair_of(plot, &matrix.rows[i], j);
            add_scatter_row(plot, &pair, &axis, &span, rows);
        }
    }
    note_unpaired(plot, &matrix);
    *unit = bm_plot_pack(
        "{s:i, s:i, s:o}", "width", o->facet ? 300 : 640, "height",
        o->facet ? 220 : 420, "layer",
        scatter_layers(plot, bm_plot_axis_channel(&axis, "x"),
                       bm_plot_ratio_channel("ratio", ratio_title(plot),
                                             span.least, span.most),
                       scatter_color(plot, most)));
    if (plot->series.count > 2)
        add_slider(plot, *unit);
}

/* -- compare --------------------------------------------------------------- */

static void weigh(struct bm_plot_matrix *matrix)
{
    for (size_t i = 0; i < matrix->nr_rows; i++) {
        struct bm_plot_row *row = &matrix->rows[i];

        row->weight = -1;
        for (size_t j = 1; j < matrix->nr_columns && row->cells[0]; j++) {
            if (row->cells[j])
                row->weight = fmaxl(row->weight, fabsl(row->cells[j]->value -
                                                       row->cells[0]->value));
        }
    }
}

/* Rows that one side lacks stand behind all others after ranking. */
static void drop_unpaired(struct bm_plot *plot, struct bm_plot_matrix *matrix)
{
    size_t kept = 0;

    note_unpaired(plot, matrix);
    for (size_t i = 0; i < matrix->nr_rows; i++) {
        if (matrix->rows[i].weight >= 0)
            matrix->rows[kept++] = matrix->rows[i];
    }
    matrix->nr_rows = kept;
}

/* How far the changes go to each side. */
struct reach {
    long double down; /* as a positive number */
    long double up;
};

/* With room for the figure behind a bar, and for it alone on an empty side. */
static long double side(long double reach, long double most)
{
    return reach + most * (reach > 0 ? 0.25L : 0.02L);
}

static json_t *compare_axis(const struct bm_plot *plot,
                            const struct reach *reach)
{
    long double most = fmaxl(1, fmaxl(reach->down, reach->up));
    const char *label = bm_plot_label_expression(plot->unit);
    json_t *title = json_sprintf("change of %s against %s",
                                 bm_measure_info(plot->measure)->name,
                                 plot->series.items[0]);
    json_t *safe = bm_plot_string(json_string_value(title));

    json_decref(title);
    return bm_plot_pack(
        "{s:s, s:s, s:o, s:{s:[f, f]}, s:{s:o, s:o, s:b}}", "field", "delta",
        "type", "quantitative", "title", safe, "scale", "domain",
        (double)-side(reach->down, most), (double)side(reach->up, most), "axis",
        "labelExpr", json_sprintf("(datum.value > 0 ? '+' : '') + (%s)", label),
        "values", bm_plot_change_ticks(plot->unit, most), "labelOverlap", 1);
}

static json_t *compare_drawing(const struct bm_plot *plot,
                               const struct bm_plot_matrix *matrix,
                               const struct reach *reach)
{
    const char *head = plot->series.items[plot->series.count - 1];
    bool several = plot->series.count > 2;
    json_t *encoding = bm_plot_pack(
        "{s:{s:s, s:s, s:n, s:o}, s:o}", "y", "field", "id", "type", "nominal",
        "title", "sort", bm_plot_order(matrix), "x", compare_axis(plot, reach));

    if (several)
        json_object_set_new(
            encoding, "yOffset",
            bm_plot_pack("{s:s, s:n}", "field", "against", "sort"));
    json_t *color =
        several ? bm_plot_pack("{s:s, s:s, s:n}", "field", "against", "title",
                               "run", "sort")
                : bm_plot_pack("{s:{s:s, s:s}, s:s}", "condition", "test",
                               "datum.delta > 0", "value", RED, "value", BLUE);
    json_t *layers = bm_plot_pack(
        "[{s:{s:s}, s:{s:o, s:o}},"
        " {s:[{s:s}], s:{s:s, s:s, s:i, s:s}, s:{s:{s:s}}},"
        " {s:[{s:s}], s:{s:s, s:s, s:i, s:s}, s:{s:{s:s}}}]",
        "mark", "type", "bar", "encoding", "color", color, "tooltip",
        tooltip(plot, several ? "later run" : head), "transform", "filter",
        "datum.delta >= 0", "mark", "type", "text", "align", "left", "dx", 4,
        "color", GREY, "encoding", "text", "field", "change", "transform",
        "filter", "datum.delta < 0", "mark", "type", "text", "align", "right",
        "dx", -4, "color", GREY, "encoding", "text", "field", "change");
    return bm_plot_pack("{s:i, s:{s:i}, s:o, s:o}", "width",
                        plot->options->facet ? 320 : 560, "height", "step",
                        several ? 14 : 20, "encoding", encoding, "layer",
                        layers);
}

void bm_plot_compare(struct bm_plot *plot, json_t *rows, json_t **unit)
{
    struct bm_plot_matrix matrix = bm_plot_matrix_make(plot);
    struct reach reach = {0, 0};

    weigh(&matrix);
    drop_unpaired(plot, &matrix);
    bm_plot_matrix_rank(plot, &matrix, "they changed less");
    for (size_t i = 0; i < matrix.nr_rows; i++) {
        for (size_t j = 1; j < matrix.nr_columns; j++) {
            struct pair pair = pair_of(plot, &matrix.rows[i], j);
            if (!pair.head)
                continue;
            long double change = pair.head->value - pair.base->value;
            reach.up = fmaxl(reach.up, change);
            reach.down = fmaxl(reach.down, -change);
            json_array_append_new(rows, row_of(plot, &pair));
        }
    }
    *unit = compare_drawing(plot, &matrix, &reach);
}
