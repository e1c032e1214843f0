/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Runs side by side, one line for each benchmark of each run. A table is a
 * group: in each of its columns, every value has its multiple of the best.
 */
#include "base/error.h"
#include "base/escape.h"
#include "tools/compare.h"

#include <string.h>

/* Names listed in full; further ones are counted. */
#define MOST_NEWS 20

/* -- the page -------------------------------------------------------------- */

void bm_page_text(const struct bm_page *page, const char *text)
{
    struct bm_str out = BM_STR_INIT;

    if (page->markdown)
        bm_escape_markdown(&out, text);
    else
        bm_escape_terminal(&out, text);
    fputs(out.data, page->file);
    bm_str_clear(&out);
}

void bm_page_title(const struct bm_page *page, const char *title)
{
    fputs(page->markdown ? "\n**" : "\n", page->file);
    if (!page->markdown)
        fputs(bm_tone_begin(&page->terminal, BM_TONE_STRONG), page->file);
    bm_page_text(page, title);
    if (!page->markdown)
        fputs(bm_tone_end(&page->terminal, BM_TONE_STRONG), page->file);
    fputs(page->markdown ? "**\n\n" : "\n", page->file);
}

void bm_page_table(const struct bm_page *page, const struct bm_table *table)
{
    bm_table_write(table, page->file,
                   page->markdown ? BM_FORMAT_MD : BM_FORMAT_TABLE,
                   &page->terminal);
}

/* -- columns --------------------------------------------------------------- */

static const char *heading(struct bm_compare *compare,
                           const struct bm_compare_column *column,
                           enum bm_stat stat)
{
    return bm_arena_printf(&compare->arena, "%s %s",
                           bm_measure_names[column->measure],
                           bm_stat_names[stat]);
}

/* The columns of every table; made once. */
static struct bm_column *make_columns(struct bm_compare *compare,
                                      size_t *nr_columns)
{
    size_t most = 1 + compare->nr_columns * BM_NR_STATS, n = 0;
    struct bm_column *columns =
        bm_arena_alloc(&compare->arena, most * sizeof(*columns));

    columns[n++] = (struct bm_column){"name", "name", BM_COLUMN_MIDDLE};
    for (size_t c = 0; c < compare->nr_columns; c++) {
        const struct bm_compare_column *column = &compare->columns[c];

        if (column->is_extra) {
            columns[n++] = (struct bm_column){column->extra, column->extra, 0};
            continue;
        }
        for (int stat = 0; stat < BM_NR_STATS; stat++) {
            const char *title;

            if (!compare->stats[stat])
                continue;
            title = heading(compare, column, (enum bm_stat)stat);
            columns[n++] = (struct bm_column){title, title, BM_COLUMN_RIGHT};
        }
    }
    *nr_columns = n;
    return columns;
}

/* -- cells ----------------------------------------------------------------- */

/* The least and the largest value of one column of a table. */
struct extremes {
    long double best;
    long double worst;
    size_t count;
};

static struct extremes find_extremes(const struct bm_compare *compare,
                                     const struct bm_joined_row **rows,
                                     size_t nr_rows, enum bm_measure measure,
                                     enum bm_stat stat)
{
    struct extremes e = {0, 0, 0};

    for (size_t r = 0; r < nr_rows; r++) {
        for (size_t s = 0; s < compare->joined.nr_series; s++) {
            long double value;

            if (!bm_joined_value(rows[r], s, measure, stat, &value))
                continue;
            e.best = !e.count || value < e.best ? value : e.best;
            e.worst = !e.count || value > e.worst ? value : e.worst;
            e.count++;
        }
    }
    return e;
}

static struct bm_cell value_cell(struct bm_table *table, long double value,
                                 enum bm_measure measure,
                                 const struct extremes *extremes)
{
    struct bm_str text = BM_STR_INIT;

    bm_value_print(&text, value, bm_measure_info(measure)->unit);
    if (extremes && value == extremes->best)
        bm_str_puts(&text, " (1.0)");
    else if (extremes && extremes->best > 0)
        bm_str_printf(&text, " (%.2Lf)", value / extremes->best);
    else if (extremes)
        bm_str_puts(&text, " (inf)");
    struct bm_cell cell =
        bm_cell_text(bm_arena_strdup(&table->arena, text.data));
    bm_str_clear(&text);
    if (extremes && extremes->worst > extremes->best) {
        if (value == extremes->best)
            cell.tone = BM_TONE_GOOD;
        else if (value == extremes->worst)
            cell.tone = BM_TONE_BAD;
    }
    return cell;
}

/* "name (run)", or only "(run)" where the title says the name. */
static const char *row_name(struct bm_compare *compare, struct bm_table *table,
                            const struct bm_joined_row *row, size_t series,
                            bool named)
{
    const char *label = compare->joined.labels[series];
    const char *name = bm_compare_name(compare, row);

    if (compare->joined.nr_series == 1)
        return name;
    return bm_arena_printf(&table->arena, "%s%s(%s)", named ? name : "",
                           named ? " " : "", label);
}

static const char *extra_text(const struct bm_run_benchmark *benchmark,
                              const char *name)
{
    const struct bm_param_info *value =
        bm_run_value(benchmark->extra, benchmark->nr_extra, name);

    return value ? value->text : NULL;
}

/* One column, or those of one metric, of all rows of a table. */
static size_t fill_column(struct bm_compare *compare, struct bm_table *table,
                          const struct bm_joined_row **rows, size_t nr_rows,
                          const struct bm_compare_column *column, size_t at,
                          bool multiples)
{
    size_t n = at;

    for (int stat = 0; stat < BM_NR_STATS; stat++) {
        struct extremes extremes = {0, 0, 0};
        size_t line = 0;

        if (column->is_extra ? stat > 0 : !compare->stats[stat])
            continue;
        if (!column->is_extra)
            extremes = find_extremes(compare, rows, nr_rows, column->measure,
                                     (enum bm_stat)stat);
        for (size_t r = 0; r < nr_rows; r++) {
            for (size_t s = 0; s < compare->joined.nr_series; s++) {
                const struct bm_run_benchmark *cell = rows[r]->cells[s];
                long double value;

                if (!cell)
                    continue;
                struct bm_cell *out =
                    &table->cells[line++ * table->nr_columns + n];
                if (column->is_extra)
                    *out = bm_cell_text(extra_text(cell, column->extra));
                else if (bm_series_stat(&cell->series[column->measure],
                                        (enum bm_stat)stat, &value))
                    *out = value_cell(table, value, column->measure,
                                      multiples ? &extremes : NULL);
            }
        }
        n++;
    }
    return n;
}

struct layout {
    struct bm_column *columns;
    size_t nr_columns;
};

static void put_group(struct bm_compare *compare, const char *title,
                      const struct bm_joined_row **rows, size_t nr_rows,
                      const struct bm_page *page)
{
    struct layout layout;
    struct bm_table table;
    bool named = nr_rows > 1 || !title || compare->options->nr_group_by;
    size_t at = 1;

    layout.columns = make_columns(compare, &layout.nr_columns);
    bm_table_init(&table, layout.columns, layout.nr_columns);
    for (size_t r = 0; r < nr_rows; r++) {
        for (size_t s = 0; s < compare->joined.nr_series; s++) {
            if (rows[r]->cells[s])
                bm_table_add_row(&table)[0] =
                    bm_cell_text(row_name(compare, &table, rows[r], s, named));
        }
    }
    for (size_t c = 0; c < compare->nr_columns; c++)
        at = fill_column(compare, &table, rows, nr_rows, &compare->columns[c],
                         at, title != NULL);
    if (title)
        bm_page_title(page, title);
    bm_page_table(page, &table);
    bm_table_clear(&table);
}

void bm_compare_tables(struct bm_compare *compare, const struct bm_page *page)
{
    bool grouped =
        compare->joined.nr_series > 1 || compare->options->nr_group_by;

    bm_compare_groups(compare, grouped, put_group, page);
}

/* -- new, gone, renamed ---------------------------------------------------- */

static void put_news_line(const struct bm_page *page, const char *word,
                          const char *id, const char *more)
{
    fputs(page->markdown ? "- " : "", page->file);
    fprintf(page->file, "%s: ", word);
    bm_page_text(page, id);
    bm_page_text(page, more);
    fputc('\n', page->file);
}

static void put_status(const struct bm_compare *compare,
                       const struct bm_page *page, enum bm_row_status status,
                       size_t count, const char *word, const char *more)
{
    size_t shown = 0;

    for (size_t i = 0; i < compare->joined.nr_rows && shown < MOST_NEWS; i++) {
        const struct bm_joined_row *row = compare->rows[i];

        if (row->status != status)
            continue;
        put_news_line(page, word, row->id ? row->id : row->name, more);
        shown++;
    }
    if (count > shown)
        fprintf(page->file, "%s%s: %zu more\n", page->markdown ? "- " : "",
                word, count - shown);
}

void bm_compare_news(const struct bm_compare *compare,
                     const struct bm_page *page)
{
    const struct bm_joined *joined = &compare->joined;
    struct bm_arena arena = BM_ARENA_INIT;

    if (joined->nr_series < 2 ||
        (!joined->nr_new && !joined->nr_gone && !joined->nr_renamings))
        return;
    fputc('\n', page->file);
    put_status(compare, page, BM_ROW_GONE, joined->nr_gone, "gone",
               bm_arena_printf(&arena, " (missing from %s)",
                               joined->labels[joined->nr_series - 1]));
    put_status(compare, page, BM_ROW_NEW, joined->nr_new, "new",
               bm_arena_printf(&arena, " (not in %s)", joined->labels[0]));
    for (size_t i = 0; i < joined->nr_renamings && i < MOST_NEWS; i++) {
        const struct bm_renaming *renaming = &joined->renamings[i];

        put_news_line(page, renaming->certain ? "renamed" : "perhaps renamed",
                      renaming->from,
                      bm_arena_printf(&arena, " -> %s", renaming->to));
    }
    if (joined->nr_renamings > MOST_NEWS)
        fprintf(page->file, "%srenamed: %zu more\n", page->markdown ? "- " : "",
                joined->nr_renamings - MOST_NEWS);
    bm_arena_release(&arena);
}
