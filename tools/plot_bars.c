/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Scaling where no parameter is a number: a bar for each benchmark, the
 * largest first; one for each run in it where there are several.
 */
#include "tools/plot.h"

#include "base/error.h"

static void weigh(struct bm_plot_matrix *matrix)
{
    for (size_t i = 0; i < matrix->nr_rows; i++) {
        struct bm_plot_row *row = &matrix->rows[i];

        for (size_t j = 0; j < matrix->nr_columns; j++) {
            if (row->cells[j] && row->cells[j]->value > row->weight)
                row->weight = row->cells[j]->value;
        }
    }
}

static void add_row(struct bm_plot *plot, const struct bm_plot_axis *axis,
                    const struct bm_plot_point *point, json_t *rows)
{
    json_t *row = bm_plot_pack(
        "{s:o, s:o, s:f, s:o, s:b}", "id", bm_plot_string(point->key), "run",
        bm_plot_string(plot->runs[point->run]->label), "y",
        bm_plot_axis_place(axis, point->value), "value",
        bm_plot_value_text(plot, point->value), "zero", point->value == 0);

    if (point->facet)
        json_object_set_new(row, "facet", bm_plot_string(point->facet));
    json_array_append_new(rows, row);
}

static json_t *drawing(const struct bm_plot *plot,
                       const struct bm_plot_matrix *matrix,
                       const struct bm_plot_axis *axis)
{
    /* A bar has no length on a log axis but from a base: use the floor. */
    json_t *mark = axis->log
                       ? bm_plot_pack("{s:s, s:i}", "type", "point", "size", 70)
                       : bm_plot_pack("{s:s}", "type", "bar");
    json_t *encoding =
        bm_plot_pack("{s:{s:s, s:s, s:n, s:o, s:{s:b}}, s:o, "
                     "s:[{s:s, s:s}, {s:s}, {s:s}]}",
                     "y", "field", "id", "type", "nominal", "title", "sort",
                     bm_plot_order(matrix), "axis", "grid", 1, "x",
                     bm_plot_axis_channel(axis, "y"), "tooltip", "field", "id",
                     "title", "benchmark", "field", "run", "field", "value");

    if (plot->nr_runs > 1) {
        json_object_set_new(encoding, "color",
                            bm_plot_pack("{s:s, s:s, s:n}", "field", "run",
                                         "type", "nominal", "sort"));
        json_object_set_new(encoding, "yOffset",
                            bm_plot_pack("{s:s, s:s, s:n}", "field", "run",
                                         "type", "nominal", "sort"));
    }
    return bm_plot_pack("{s:i, s:{s:i}, s:o, s:o}", "width",
                        plot->options->facet ? 300 : 520, "height", "step",
                        plot->nr_runs > 1 ? 12 : 18, "mark", mark, "encoding",
                        encoding);
}

/* Options of lines, which there are none of. */
static void check_options(const struct bm_plot_options *o)
{
    const char *option = o->color                          ? "--color"
                         : o->band                         ? "--band"
                         : o->x_scale == BM_PLOT_SCALE_LOG ? "--log-x"
                                                           : NULL;

    if (option)
        bm_die("%s needs a parameter that is a number, and there is none",
               option);
}

void bm_plot_bars(struct bm_plot *plot, json_t *rows, json_t **unit)
{
    struct bm_plot_matrix matrix = bm_plot_matrix_make(plot);
    struct bm_plot_axis axis = {
        .title = bm_measure_info(plot->measure)->name,
        .unit = plot->unit,
        .own_ticks = !(plot->options->free_axes & BM_PLOT_FREE_X),
        .from_zero = true,
    };

    check_options(plot->options);
    weigh(&matrix);
    bm_plot_matrix_rank(plot, &matrix, "smaller ones");
    for (size_t i = 0; i < plot->nr_points; i++)
        bm_plot_axis_add(&axis, plot->points[i].value);
    bm_plot_axis_finish(&axis, plot->options->y_scale);
    for (size_t i = 0; i < matrix.nr_rows; i++) {
        for (size_t j = 0; j < matrix.nr_columns; j++) {
            if (matrix.rows[i].cells[j])
                add_row(plot, &axis, matrix.rows[i].cells[j], rows);
        }
    }
    *unit = drawing(plot, &matrix, &axis);
}
