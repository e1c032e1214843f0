/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * One metric over the one parameter that is a number; without any, a bar for
 * each benchmark.
 */
#include "tools/plot.h"

#include "base/error.h"

#include <string.h>

/* Room for "n^1.02 ± 0.01" between the drawing and its legend. */
#define LAW_WIDTH 110

/* -- what is drawn to the right -------------------------------------------- */

static struct bm_plot_dimension param(const char *name)
{
    return (struct bm_plot_dimension){
        .of = {BM_DIMENSION_PARAM, name, name},
        .text = name,
    };
}

/* True if points have this number; *varies if they have several. */
static bool is_numeric(const struct bm_plot *plot,
                       const struct bm_plot_dimension *dimension, bool *varies)
{
    long double first = 0, number;
    bool any = false;

    *varies = false;
    for (size_t i = 0; i < plot->nr_points; i++) {
        if (!bm_plot_dimension_number(dimension, plot->points[i].benchmark,
                                      &number))
            continue;
        if (any && number != first)
            *varies = true;
        if (!any)
            first = number;
        any = true;
    }
    return any;
}

static bool is_named(const struct bm_strvec *names, const char *name)
{
    for (size_t i = 0; i < names->count; i++) {
        if (!strcmp(names->items[i], name))
            return true;
    }
    return false;
}

/* Parameters that are numbers: those that vary, or else all. */
static void find_numeric(const struct bm_plot *plot, struct bm_strvec *found)
{
    struct bm_strvec all = BM_STRVEC_INIT, constant = BM_STRVEC_INIT;
    bool varies;

    for (size_t i = 0; i < plot->nr_points; i++) {
        const struct bm_run_benchmark *b = plot->points[i].benchmark;

        for (size_t j = 0; j < b->nr_params; j++) {
            if (is_named(&all, b->params[j].name))
                continue;
            bm_strvec_push(&all, b->params[j].name);
            struct bm_plot_dimension dimension = param(b->params[j].name);
            if (is_numeric(plot, &dimension, &varies))
                bm_strvec_push(varies ? found : &constant, b->params[j].name);
        }
    }
    for (size_t i = 0; i < constant.count && !found->count; i++)
        bm_strvec_push(found, constant.items[i]);
    bm_strvec_clear(&all);
    bm_strvec_clear(&constant);
}

/* False where there is none; dies where it is not clear which. */
static bool choose_x(struct bm_plot *plot, struct bm_plot_dimension *x)
{
    struct bm_strvec found = BM_STRVEC_INIT;
    struct bm_str list = BM_STR_INIT;
    bool varies;

    if (plot->options->x) {
        *x = bm_plot_find_dimension(plot, "--x", plot->options->x);
        if (!is_numeric(plot, x, &varies))
            bm_die("--x %s: no benchmark has a number there", plot->options->x);
        return true;
    }
    find_numeric(plot, &found);
    for (size_t i = 0; i < found.count; i++)
        bm_str_printf(&list, "%s%s", i ? ", " : "", found.items[i]);
    if (found.count > 1)
        bm_die("several parameters are numbers: %s; name one with --x, and "
               "hold the others with --where",
               list.data);
    bool any = found.count == 1;
    if (any)
        *x = param(bm_arena_strdup(&plot->arena, found.items[0]));
    bm_str_clear(&list);
    bm_strvec_clear(&found);
    return any;
}

/* -- lines ----------------------------------------------------------------- */

struct scaling {
    struct bm_plot *plot;
    struct bm_plot_dimension x;
    struct bm_plot_dimension color;
    struct bm_plot_axis x_axis;
    struct bm_plot_axis y_axis;
    size_t nr_without;
    bool several_lines; /* in one run */
    bool has_laws;
};

/* The name of a line: the id without what is drawn to the right. */
static const char *line_of(struct bm_plot *plot,
                           const struct bm_run_benchmark *b,
                           const struct bm_plot_dimension *x)
{
    struct bm_str name = BM_STR_INIT;
    const char *separator = "[";

    bm_str_puts(&name, b->name);
    for (size_t i = 0; i < b->nr_params; i++) {
        if (!strcmp(b->params[i].name, x->of.name))
            continue;
        bm_str_printf(&name, "%s%s=%s", separator, b->params[i].name,
                      b->params[i].text);
        separator = ",";
    }
    if (*separator == ',')
        bm_str_putc(&name, ']');
    const char *kept = bm_arena_strdup(&plot->arena, name.data);
    bm_str_clear(&name);
    return kept;
}

static void measure_axes(struct scaling *s)
{
    const struct bm_plot *plot = s->plot;
    const struct bm_plot_options *o = plot->options;

    for (size_t i = 0; i < plot->nr_points; i++) {
        const struct bm_plot_point *point = &plot->points[i];
        long double x;

        if (!bm_plot_dimension_number(&s->x, point->benchmark, &x)) {
            s->nr_without++;
            continue;
        }
        bm_plot_axis_add(&s->x_axis, x);
        bm_plot_axis_add(&s->y_axis, point->value);
        if (o->band) {
            bm_plot_axis_add(&s->y_axis, point->low);
            bm_plot_axis_add(&s->y_axis, point->high);
        }
    }
    bm_plot_axis_finish(&s->x_axis, o->x_scale);
    bm_plot_axis_finish(&s->y_axis,
                        o->y_zero && o->y_scale == BM_PLOT_SCALE_AUTO
                            ? BM_PLOT_SCALE_LINEAR
                            : o->y_scale);
}

static json_t *row_of(struct scaling *s, const struct bm_plot_point *point,
                      long double x)
{
    struct bm_plot *plot = s->plot;
    const struct bm_run *run = plot->runs[point->run];
    const char *line = line_of(plot, point->benchmark, &s->x);
    const char *color = line;

    if (plot->options->color)
        color = bm_plot_dimension_text(plot, &s->color, point->run,
                                       point->benchmark);
    else if (plot->nr_runs > 1)
        color = run->label;
    json_t *row = bm_plot_pack(
        "{s:s, s:f, s:f, s:o, s:o, s:o, s:o, s:o, s:b}", "kind", "value", "x",
        bm_plot_axis_place(&s->x_axis, x), "y",
        bm_plot_axis_place(&s->y_axis, point->value), "id",
        bm_plot_string(point->key), "run", bm_plot_string(run->label), "line",
        bm_plot_string(line), "color", bm_plot_string(color ? color : "(none)"),
        "value", bm_plot_value_text(plot, point->value), "zero",
        point->value == 0);
    if (plot->options->band) {
        json_object_set_new(
            row, "low", json_real(bm_plot_axis_place(&s->y_axis, point->low)));
        json_object_set_new(
            row, "high",
            json_real(bm_plot_axis_place(&s->y_axis, point->high)));
    }
    if (point->facet)
        json_object_set_new(row, "facet", bm_plot_string(point->facet));
    return row;
}

/* A part of a row that all have; NULL where they differ. */
static const char *same_in_all(const json_t *rows, const char *key)
{
    const char *first = NULL;

    for (size_t i = 0; i < json_array_size(rows); i++) {
        const char *text =
            json_string_value(json_object_get(json_array_get(rows, i), key));

        if (first && strcmp(first, text) != 0)
            return NULL;
        first = text;
    }
    return first;
}

static void add_rows(struct scaling *s, json_t *rows)
{
    for (size_t i = 0; i < s->plot->nr_points; i++) {
        const struct bm_plot_point *point = &s->plot->points[i];
        long double x;

        if (!bm_plot_dimension_number(&s->x, point->benchmark, &x))
            continue;
        json_array_append_new(rows, row_of(s, point, x));
    }
    const char *line = same_in_all(rows, "line");
    s->several_lines = !same_in_all(rows, "color");
    s->plot->only = line ? bm_arena_strdup(&s->plot->arena, line) : NULL;
}

static json_t *tooltip(const char *x)
{
    return bm_plot_pack("[{s:s, s:s}, {s:s, s:s}, {s:s, s:s, s:s}, {s:s, s:s}]",
                        "field", "id", "title", "benchmark", "field", "run",
                        "title", "run", "field", "x", "title", x, "type",
                        "quantitative", "field", "value", "title", "value");
}

static const char *color_title(const struct scaling *s)
{
    const struct bm_plot *plot = s->plot;

    if (plot->options->color)
        return plot->options->color;
    return plot->nr_runs > 1 ? "run" : "benchmark";
}

/* Only rows of one kind. */
static void add_layer(json_t *layers, const char *filter, json_t *layer)
{
    json_object_set_new(layer, "transform",
                        bm_plot_pack("[{s:s}]", "filter", filter));
    json_array_append_new(layers, layer);
}

static void add_law_layers(json_t *layers)
{
    add_layer(layers, "datum.kind == 'law'",
              bm_plot_pack("{s:{s:s, s:f, s:[i, i], s:f}}", "mark", "type",
                           "line", "strokeWidth", 1.0, "strokeDash", 4, 3,
                           "opacity", 0.65));
    add_layer(layers, "datum.end == 'yes'",
              bm_plot_pack("{s:{s:s, s:s, s:i, s:i}, s:{s:{s:s}}}", "mark",
                           "type", "text", "align", "left", "dx", 7, "fontSize",
                           11, "encoding", "text", "field", "law"));
}

static json_t *line_layers(const struct scaling *s)
{
    static const char values[] = "datum.kind == 'value'";
    json_t *layers = json_array();

    if (s->plot->options->band)
        add_layer(layers, values,
                  bm_plot_pack("{s:{s:s, s:f}, s:{s:{s:s, s:s}, s:{s:s}}}",
                               "mark", "type", "area", "opacity", 0.22,
                               "encoding", "y", "field", "low", "type",
                               "quantitative", "y2", "field", "high"));
    add_layer(layers, values,
              bm_plot_pack("{s:{s:s, s:f}}", "mark", "type", "line",
                           "strokeWidth", 1.6));
    /* What a log axis cannot show at its place points down from the floor. */
    add_layer(layers, values,
              bm_plot_pack("{s:{s:s}, s:{s:{s:{s:s, s:s}, s:s}, s:o}}", "mark",
                           "type", "point", "encoding", "shape", "condition",
                           "test", "datum.zero", "value", "triangle-down",
                           "value", "circle", "tooltip",
                           tooltip(s->x.of.name)));
    if (s->has_laws)
        add_law_layers(layers);
    return layers;
}

static json_t *line_drawing(const struct scaling *s)
{
    bool small = s->plot->options->facet != NULL;
    json_t *encoding = bm_plot_pack(
        "{s:o, s:o, s:{s:s}}", "x", bm_plot_axis_channel(&s->x_axis, "x"), "y",
        bm_plot_axis_channel(&s->y_axis, "y"), "detail", "field", "line");

    if (s->several_lines)
        json_object_set_new(
            encoding, "color",
            bm_plot_pack("{s:s, s:s, s:o, s:n, s:{s:i}}", "field", "color",
                         "type", "nominal", "title",
                         bm_plot_string(color_title(s)), "sort", "legend",
                         "offset", s->has_laws && !small ? LAW_WIDTH : 18));
    return bm_plot_pack("{s:i, s:i, s:o, s:o}", "width", small ? 300 : 640,
                        "height", small ? 220 : 400, "encoding", encoding,
                        "layer", line_layers(s));
}

void bm_plot_scaling(struct bm_plot *plot, json_t *rows, json_t **unit)
{
    struct scaling s = {.plot = plot};

    if (!choose_x(plot, &s.x)) {
        bm_plot_bars(plot, rows, unit);
        return;
    }
    if (plot->options->color)
        s.color = bm_plot_find_dimension(plot, "--color", plot->options->color);
    s.x_axis = (struct bm_plot_axis){
        .title = s.x.of.name,
        .unit = BM_UNIT_COUNT,
        .own_ticks = !(plot->options->free_axes & BM_PLOT_FREE_X),
    };
    s.y_axis = (struct bm_plot_axis){
        .title = bm_measure_info(plot->measure)->name,
        .unit = plot->unit,
        .own_ticks = !(plot->options->free_axes & BM_PLOT_FREE_Y),
        .from_zero = plot->options->y_zero,
    };
    measure_axes(&s);
    if (s.nr_without)
        bm_strvec_pushf(&plot->notes, "%zu of %zu not drawn: no number %s",
                        s.nr_without, plot->nr_points, s.x.of.name);
    add_rows(&s, rows);
    /* A panel of its own range that has none would have no range for it. */
    if (!plot->options->free_axes)
        s.has_laws = bm_plot_add_laws(plot, rows, s.x.of.name);
    *unit = line_drawing(&s);
}
