/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Many series: a cell for each benchmark and run, coloured by the logarithm
 * of its change against the first run. A cell is never left out: what is not
 * there says so, and what grew from 0 has the strongest colour.
 */
#include "tools/plot.h"

#include <math.h>

/* More columns or rows leave no room for figures in the cells. */
#define TEXT_COLUMNS 14
#define TEXT_ROWS 400

struct cell {
    double fold;      /* log2 of the ratio, clipped */
    const char *text; /* "x1.25" */
    bool absent;
};

/* Rows that changed most in either direction come first when cut. */
static void weigh(struct bm_plot_matrix *matrix)
{
    for (size_t i = 0; i < matrix->nr_rows; i++) {
        struct bm_plot_row *row = &matrix->rows[i];

        for (size_t j = 1; j < matrix->nr_columns; j++) {
            if (!row->cells[0] || !row->cells[j])
                continue;
            long double base = row->cells[0]->value,
                        value = row->cells[j]->value;
            long double change = base == value ? 0
                                 : base == 0 || value == 0
                                     ? 64
                                     : fabsl(log2l(value / base));
            row->weight = fmaxl(row->weight, change);
        }
    }
}

static double limit_of(const struct bm_plot *plot,
                       const struct bm_plot_matrix *matrix)
{
    double limit = 0.1;

    if (plot->options->clip > 0)
        return log2(plot->options->clip);
    for (size_t i = 0; i < matrix->nr_rows; i++) {
        const struct bm_plot_row *row = &matrix->rows[i];

        for (size_t j = 1; j < matrix->nr_columns; j++) {
            if (!row->cells[0] || !row->cells[j] || row->cells[0]->value == 0 ||
                row->cells[j]->value == 0)
                continue;
            limit = fmax(limit, fabs((double)log2l(row->cells[j]->value /
                                                   row->cells[0]->value)));
        }
    }
    return limit;
}

static struct cell cell_of(struct bm_plot *plot, const struct bm_plot_row *row,
                           size_t column, double limit)
{
    const struct bm_plot_point *base = row->cells[0];
    const struct bm_plot_point *point = row->cells[column];

    if (!point)
        return (struct cell){0, "absent", true};
    if (!base)
        return (struct cell){0, "new", true};
    if (base->value == point->value)
        return (struct cell){0, "x1", false};
    if (base->value == 0)
        return (struct cell){limit, "from 0", false};
    if (point->value == 0)
        return (struct cell){-limit, "to 0", false};
    long double ratio = point->value / base->value;
    double fold = (double)log2l(ratio);
    return (struct cell){fmax(-limit, fmin(limit, fold)),
                         bm_arena_printf(&plot->arena, "x%.3Lg", ratio), false};
}

static void add_cell(struct bm_plot *plot, const struct bm_plot_row *row,
                     size_t column, double limit, json_t *rows)
{
    const struct bm_plot_point *point = row->cells[column];
    struct cell cell = cell_of(plot, row, column, limit);
    json_t *json = bm_plot_pack(
        "{s:o, s:o, s:s, s:b, s:o}", "id", bm_plot_string(row->key), "run",
        bm_plot_string(plot->series.items[column]), "text", cell.text, "strong",
        !cell.absent && fabs(cell.fold) > limit * 0.6, "value",
        point ? bm_plot_value_text(plot, point->value) : json_string("absent"));

    if (!cell.absent)
        json_object_set_new(json, "fold", json_real(cell.fold));
    if (row->facet)
        json_object_set_new(json, "facet", bm_plot_string(row->facet));
    json_array_append_new(rows, json);
}

static json_t *color_of(const struct bm_plot *plot, double limit)
{
    json_t *title = json_sprintf("log2 of %s against %s",
                                 bm_measure_info(plot->measure)->name,
                                 plot->series.items[0]);
    json_t *safe = bm_plot_string(json_string_value(title));

    json_decref(title);
    return bm_plot_pack("{s:s, s:s, s:o, s:{s:[f, i, f], s:[s, s, s], s:s}, "
                        "s:{s:s, s:i}}",
                        "field", "fold", "type", "quantitative", "title", safe,
                        "scale", "domain", -limit, 0, limit, "range", "#2166ac",
                        "#f4f2ee", "#b2182b", "interpolate", "rgb", "legend",
                        "format", "+.2~f", "titleLimit", 320);
}

static json_t *columns_of(const struct bm_plot *plot)
{
    json_t *columns = json_array();

    for (size_t i = 0; i < plot->series.count; i++)
        json_array_append_new(columns, bm_plot_string(plot->series.items[i]));
    return columns;
}

static json_t *drawing(const struct bm_plot *plot,
                       const struct bm_plot_matrix *matrix, double limit)
{
    bool texts =
        plot->series.count <= TEXT_COLUMNS && matrix->nr_rows <= TEXT_ROWS;
    json_t *encoding = bm_plot_pack(
        "{s:{s:s, s:s, s:n, s:o}, s:{s:s, s:s, s:n, s:o, s:{s:s, s:i}}}", "y",
        "field", "id", "type", "nominal", "title", "sort",
        bm_plot_order(matrix), "x", "field", "run", "type", "nominal", "title",
        "sort", columns_of(plot), "axis", "orient", "top", "labelAngle",
        texts ? 0 : -60);
    /* Grey stays where there is nothing to compare. */
    json_t *layers = bm_plot_pack(
        "[{s:{s:s, s:s}}, {s:[{s:s}], s:s, s:{s:o}}]", "mark", "type", "rect",
        "color", "#dedbd5", "transform", "filter", "isValid(datum.fold)",
        "mark", "rect", "encoding", "color", color_of(plot, limit));

    json_object_set_new(encoding, "tooltip",
                        bm_plot_pack("[{s:s, s:s}, {s:s}, {s:s}, {s:s, s:s}]",
                                     "field", "id", "title", "benchmark",
                                     "field", "run", "field", "value", "field",
                                     "text", "title", "against the first"));
    if (texts)
        json_array_append_new(
            layers,
            bm_plot_pack("{s:{s:s, s:i}, s:{s:{s:s}, s:{s:{s:s, s:s}, s:s}}}",
                         "mark", "type", "text", "fontSize", 11, "encoding",
                         "text", "field", "text", "color", "condition", "test",
                         "datum.strong", "value", "white", "value", "#333"));
    return bm_plot_pack("{s:{s:i}, s:{s:i}, s:o, s:o}", "width", "step",
                        texts ? 72 : 26, "height", "step", texts ? 20 : 10,
                        "encoding", encoding, "layer", layers);
}

void bm_plot_sweep(struct bm_plot *plot, json_t *rows, json_t **unit)
{
    struct bm_plot_matrix matrix = bm_plot_matrix_make(plot);

    weigh(&matrix);
    bm_plot_matrix_rank(plot, &matrix, "they changed less");
    double limit = limit_of(plot, &matrix);
    for (size_t i = 0; i < matrix.nr_rows; i++) {
        for (size_t j = 0; j < matrix.nr_columns; j++)
            add_cell(plot, &matrix.rows[i], j, limit, rows);
    }
    *unit = drawing(plot, &matrix, limit);
}
