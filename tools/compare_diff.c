/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * --diff: the first run's value, and for each later run the signed change
 * against it. One line for each benchmark, metric and statistic; with one
 * metric its name stands above the values instead.
 */
#include "base/error.h"
#include "tools/compare.h"

#include <math.h>

struct layout {
    struct bm_column *columns;
    size_t nr_columns;
    bool has_metric; /* a column says which metric */
    bool has_stat;
    size_t first; /* column of the base */
};

static struct layout make_layout(struct bm_compare *compare)
{
    const struct bm_joined *joined = &compare->joined;
    size_t most = 3 + compare->nr_columns + joined->nr_series, n = 0;
    struct layout layout = {
        .columns =
            bm_arena_alloc(&compare->arena, most * sizeof(struct bm_column)),
        .has_metric = compare->nr_measures > 1,
        .has_stat = compare->nr_stats > 1,
    };
    /* A base that was given a name goes by it. */
    const char *name =
        compare->options->labels.count ? joined->labels[0] : "base";
    const char *metric = name;

    layout.columns[n++] = (struct bm_column){"name", "name", BM_COLUMN_MIDDLE};
    for (size_t c = 0; c < compare->nr_columns; c++) {
        const struct bm_compare_column *column = &compare->columns[c];

        if (column->is_extra)
            layout.columns[n++] =
                (struct bm_column){column->extra, column->extra, 0};
        else if (!layout.has_metric)
            metric = bm_arena_printf(&compare->arena, "%s %s",
                                     bm_measure_names[column->measure], name);
    }
    if (layout.has_metric)
        layout.columns[n++] = (struct bm_column){"metric", "metric", 0};
    if (layout.has_stat)
        layout.columns[n++] = (struct bm_column){"stat", "stat", 0};
    layout.first = n;
    for (size_t s = 0; s < joined->nr_series; s++) {
        const char *title = s ? joined->labels[s] : metric;

        layout.columns[n++] = (struct bm_column){title, title, BM_COLUMN_RIGHT};
    }
    layout.nr_columns = n;
    return layout;
}

/* A change in percent; over a base of 0 as an amount. */
static struct bm_cell change_cell(struct bm_table *table, long double base,
                                  long double value, enum bm_unit unit)
{
    struct bm_str text = BM_STR_INIT;
    struct bm_cell cell;

    if (value == base)
        bm_str_puts(&text, "0.0%");
    else if (base > 0)
        bm_str_printf(&text, "%+.1Lf%%", (value - base) * 100 / base);
    else
        bm_value_print_change(&text, value - base, unit);
    cell = bm_cell_text(bm_arena_strdup(&table->arena, text.data));
    cell.tone = value > base   ? BM_TONE_BAD
                : value < base ? BM_TONE_GOOD
                               : BM_TONE_NORMAL;
    bm_str_clear(&text);
    return cell;
}

static void put_values(struct bm_compare *compare, struct bm_table *table,
                       const struct bm_joined_row *row, enum bm_measure measure,
                       enum bm_stat stat, struct bm_cell *cells)
{
    enum bm_unit unit = bm_measure_info(measure)->unit;
    struct bm_str text = BM_STR_INIT;
    long double base = 0, value;
    bool has_base = bm_joined_value(row, 0, measure, stat, &base);

    for (size_t s = 0; s < compare->joined.nr_series; s++) {
        bool has = bm_joined_value(row, s, measure, stat, &value);

        bm_str_truncate(&text, 0);
        if (!has) {
            cells[s] =
                bm_cell_text(s && has_base && !row->cells[s] ? "gone" : "-");
        } else if (s && has_base) {
            cells[s] = change_cell(table, base, value, unit);
        } else {
            bm_value_print(&text, value, unit);
            if (s)
                bm_str_puts(&text, " new");
            cells[s] = bm_cell_text(bm_arena_strdup(&table->arena, text.data));
        }
    }
    bm_str_clear(&text);
}

static bool has_any(const struct bm_compare *compare,
                    const struct bm_joined_row *row, enum bm_measure measure)
{
    for (size_t s = 0; s < compare->joined.nr_series; s++) {
        if (row->cells[s] && bm_series_present(&row->cells[s]->series[measure]))
            return true;
    }
    return false;
}

/* Name and labels stand in the first line of a benchmark alone. */
static void put_names(struct bm_compare *compare, const struct layout *layout,
                      const struct bm_joined_row *row, struct bm_cell *cells)
{
    size_t n = 0;

    cells[n++] = bm_cell_text(bm_compare_name(compare, row));
    for (size_t c = 0; c < compare->nr_columns && n < layout->first; c++) {
        const struct bm_compare_column *column = &compare->columns[c];

        if (!column->is_extra)
            continue;
        const struct bm_param_info *value = bm_run_value(
            row->sample->extra, row->sample->nr_extra, column->extra);
        cells[n++] = bm_cell_text(value ? value->text : NULL);
    }
}

static void put_row(struct bm_compare *compare, const struct layout *layout,
                    struct bm_table *table, const struct bm_joined_row *row)
{
    bool first = true;

    for (size_t c = 0; c < compare->nr_columns; c++) {
        const struct bm_compare_column *column = &compare->columns[c];

        for (int stat = 0; stat < BM_NR_STATS; stat++) {
            if (column->is_extra || !compare->stats[stat] ||
                !has_any(compare, row, column->measure))
                continue;
            struct bm_cell *cells = bm_table_add_row(table);
            if (first)
                put_names(compare, layout, row, cells);
            first = false;
            if (layout->has_metric)
                cells[layout->first - 1 - layout->has_stat] =
                    bm_cell_text(bm_measure_names[column->measure]);
            if (layout->has_stat)
                cells[layout->first - 1] = bm_cell_text(bm_stat_names[stat]);
            put_values(compare, table, row, column->measure, (enum bm_stat)stat,
                       &cells[layout->first]);
        }
    }
}

static void put_group(struct bm_compare *compare, const char *title,
                      const struct bm_joined_row **rows, size_t nr_rows,
                      const struct bm_page *page)
{
    struct layout layout = make_layout(compare);
    struct bm_table table;

    bm_table_init(&table, layout.columns, layout.nr_columns);
    for (size_t i = 0; i < nr_rows; i++)
        put_row(compare, &layout, &table, rows[i]);
    if (title)
        bm_page_title(page, title);
    bm_page_table(page, &table);
    bm_table_clear(&table);
}

void bm_compare_diff(struct bm_compare *compare, const struct bm_page *page)
{
    bm_compare_groups(compare, true, put_group, page);
}
