/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/plot.h"

#include <stdlib.h>
#include <string.h>

/* Rows that a page of people's size shows. */
#define ROWS_SHOWN 60

struct bm_plot_matrix bm_plot_matrix_make(struct bm_plot *plot)
{
    struct bm_plot_matrix matrix = {.nr_columns = plot->series.count};

    /* Points come row by row. */
    matrix.rows =
        bm_arena_alloc(&plot->arena, plot->nr_points * sizeof(*matrix.rows));
    for (size_t i = 0; i < plot->nr_points; i++) {
        const struct bm_plot_point *point = &plot->points[i];

        if (!i || point->row != plot->points[i - 1].row) {
            matrix.rows[matrix.nr_rows++] = (struct bm_plot_row){
                .key = point->key,
                .facet = point->facet,
                .cells = bm_arena_alloc(&plot->arena,
                                        matrix.nr_columns *
                                            sizeof(struct bm_plot_point *)),
            };
        }
        matrix.rows[matrix.nr_rows - 1].cells[point->series] = point;
    }
    return matrix;
}

static int compare_rows(const void *a, const void *b)
{
    const struct bm_plot_row *p = a, *q = b;

    if (p->weight != q->weight)
        return p->weight < q->weight ? 1 : -1;
    return strcmp(p->key, q->key);
}

void bm_plot_matrix_rank(struct bm_plot *plot, struct bm_plot_matrix *matrix,
                         const char *rest)
{
    uint64_t top = plot->options->top;

    if (top == UINT64_MAX)
        top = ROWS_SHOWN;
    if (matrix->nr_rows)
        qsort(matrix->rows, matrix->nr_rows, sizeof(*matrix->rows),
              compare_rows);
    if (!top || matrix->nr_rows <= top)
        return;
    bm_strvec_pushf(&plot->notes,
                    "%zu more of %zu not drawn: %s (--top 0: all)",
                    matrix->nr_rows - (size_t)top, matrix->nr_rows, rest);
    matrix->nr_rows = (size_t)top;
}
