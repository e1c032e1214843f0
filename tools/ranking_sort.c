/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The order of rows. Of very many, only those that are shown are sorted.
 */
#include "tools/ranking.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static int compare_numbers(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_texts(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

/* By place, for rows whose figures are equal. */
static int compare_places(const struct bm_row *a, const struct bm_row *b)
{
    const struct bm_frame_info *f = a->frame, *g = b->frame;
    int order = compare_texts(a->label, b->label);

    if (order)
        return order;
    if (!f || !g)
        return (f ? 0 : 1) - (g ? 0 : 1);
    if ((order = compare_texts(f->file, g->file)))
        return order;
    if ((order = compare_numbers(f->line, g->line)))
        return order;
    if ((order = compare_numbers(f->column, g->column)))
        return order;
    return compare_texts(f->function, g->function);
}

/* What rows are ordered by, beside where they stand. */
struct key {
    uint64_t value;
    uint32_t row;
};

static int compare_keys(const void *a, const void *b, void *context)
{
    const struct key *x = a, *y = b;
    const struct bm_row *rows = context;

    if (x->value != y->value)
        return compare_numbers(y->value, x->value);

    const struct bm_row *g = &rows[x->row], *h = &rows[y->row];
    int order = compare_numbers(bm_row_allocated(h), bm_row_allocated(g));
    if (!order)
        order = compare_places(g, h);
    return order ? order : compare_numbers(g->order, h->order);
}

/* Row number keys[i].row comes to place i: by the cycles of that, in place. */
static void move_rows(struct bm_row *rows, struct key *keys, size_t nr)
{
    for (size_t i = 0; i < nr; i++) {
        struct bm_row first = rows[i];
        size_t at = i;

        while (keys[at].row != i) {
            size_t from = keys[at].row;

            rows[at] = rows[from];
            keys[at].row = (uint32_t)at;
            at = from;
        }
        rows[at] = first;
        keys[at].row = (uint32_t)at;
    }
}

static uint64_t metric_of(const struct bm_row *row, enum bm_metric metric)
{
    const struct bm_figures figures = bm_row_figures(row);

    return bm_metric_of(&figures, metric);
}

/* The values alone are compared, mostly: rows and figures lie far apart. */
static void sort_rows(struct bm_row *rows, size_t nr, enum bm_metric metric)
{
    struct key *keys = bm_xmalloc(nr * sizeof(*keys));

    for (size_t i = 0; i < nr; i++)
        keys[i] = (struct key){metric_of(&rows[i], metric), (uint32_t)i};
    qsort_r(keys, nr, sizeof(*keys), compare_keys, rows);
    move_rows(rows, keys, nr);
    free(keys);
}

static size_t count_from(const uint64_t *values, size_t count, uint64_t limit)
{
    size_t found = 0;

    for (size_t i = 0; i < count; i++)
        found += values[i] >= limit;
    return found;
}

/* The largest limit that at least `top` of the values reach, bit by bit. */
static uint64_t limit_of_largest(const uint64_t *values, size_t count,
                                 size_t top)
{
    uint64_t limit = 0;

    for (uint64_t bit = (uint64_t)1 << 63; bit; bit >>= 1) {
        if (count_from(values, count, limit | bit) >= top)
            limit |= bit;
    }
    return limit;
}

/*
 * Moves every row that can be among the first `top` to the front, in time
 * linear in the rows; their number.
 */
static size_t gather_largest(struct bm_ranking *ranking, enum bm_metric metric,
                             size_t top)
{
    size_t nr = ranking->nr_rows, front = 0;
    uint64_t *values = bm_xmalloc(nr * sizeof(*values));

    for (size_t i = 0; i < nr; i++)
        values[i] = metric_of(&ranking->rows[i], metric);
    uint64_t limit = limit_of_largest(values, nr, top);
    for (size_t i = 0; i < nr; i++) {
        if (values[i] < limit)
            continue;
        struct bm_row row = ranking->rows[i];
        ranking->rows[i] = ranking->rows[front];
        ranking->rows[front++] = row;
    }
    free(values);
    return front;
}

void bm_ranking_sort(struct bm_ranking *ranking, enum bm_metric metric,
                     size_t top)
{
    /* Below that, sorting all is as quick. */
    const size_t many = 10000;
    size_t nr = ranking->nr_rows;

    if (nr > many && top && top < nr / 64)
        nr = gather_largest(ranking, metric, top);
    if (nr > 1)
        sort_rows(ranking->rows, nr, metric);
}
