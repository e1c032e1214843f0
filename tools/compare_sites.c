/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What grew, for people: by line of source and by call path, of the process
 * and of the benchmarks that changed most.
 */
#include "base/error.h"
#include "tools/compare.h"

#include <stdlib.h>
#include <string.h>

/* Benchmarks that have a table of lines of their own. */
#define MOST_BENCHMARKS 3
#define MOST_BENCHMARK_LINES 5
#define MOST_PATHS 5

static const struct bm_column columns[] = {
    {"change", "change", BM_COLUMN_RIGHT},
    {"base", "base", BM_COLUMN_RIGHT},
    {"head", "head", BM_COLUMN_RIGHT},
    {"line", "line", BM_COLUMN_MIDDLE | BM_COLUMN_LINES},
    {"type", "type", BM_COLUMN_END | BM_COLUMN_SPARE(1)},
};
#define NR_COLUMNS (sizeof(columns) / sizeof(columns[0]))

struct counts {
    size_t by_status[4];
    size_t moved; /* same, at another line or in another file */
};
enum { SAME, CHANGED, NEW, GONE };

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

static bool is_moved(const struct bm_site_row *row)
{
    return row->base && row->head &&
           (row->base->line != row->head->line ||
            !same_text(row->base->file, row->head->file));
}

static struct counts count_rows(const struct bm_site_rows *rows)
{
    static const char *const names[] = {"same", "changed", "new", "gone"};
    struct counts counts = {.moved = 0};

    for (size_t i = 0; i < rows->count; i++) {
        const char *status = bm_site_status(&rows->items[i]);

        for (int s = SAME; s <= GONE; s++)
            counts.by_status[s] += !strcmp(names[s], status);
        counts.moved += rows->items[i].base_value &&
                        rows->items[i].head_value && is_moved(&rows->items[i]);
    }
    return counts;
}

/* -- tables ---------------------------------------------------------------- */

static struct bm_cell value_cell(struct bm_table *table, uint64_t value,
                                 enum bm_measure measure)
{
    struct bm_str text = BM_STR_INIT;

    bm_value_print(&text, value, bm_measure_info(measure)->unit);
    struct bm_cell cell =
        bm_cell_text(bm_arena_strdup(&table->arena, text.data));
    bm_str_clear(&text);
    return cell;
}

static struct bm_cell change_cell(struct bm_table *table,
                                  const struct bm_site_row *row,
                                  enum bm_measure measure)
{
    struct bm_str text = BM_STR_INIT;
    int64_t change = bm_site_change(row);

    bm_value_print_change(&text, change, bm_measure_info(measure)->unit);
    struct bm_cell cell =
        bm_cell_text(bm_arena_strdup(&table->arena, text.data));
    cell.tone = change > 0 ? BM_TONE_BAD : BM_TONE_GOOD;
    bm_str_clear(&text);
    return cell;
}

/* The place; of one that is elsewhere now, also where it was. */
static void put_place(const struct bm_site_row *row, struct bm_str *out)
{
    bm_site_name(bm_site_of(row), out);
    if (!row->base_value || !row->head_value)
        bm_str_printf(out, " (%s)", bm_site_status(row));
    else if (is_moved(row) && same_text(row->base->file, row->head->file))
        bm_str_printf(out, " (was line %u)", row->base->line);
    else if (is_moved(row))
        bm_str_printf(out, " (was %s:%u)", row->base->file, row->base->line);
}

static void add_line(const struct bm_sites *sites, struct bm_table *table,
                     const struct bm_site_row *row, enum bm_measure measure,
                     bool by_path)
{
    struct bm_cell *cells = bm_table_add_row(table);
    struct bm_str text = BM_STR_INIT;

    cells[0] = change_cell(table, row, measure);
    cells[1] = value_cell(table, row->base_value, measure);
    cells[2] = value_cell(table, row->head_value, measure);
    if (by_path)
        bm_site_path(sites, row, &text);
    else
        put_place(row, &text);
    cells[3] = bm_cell_text(bm_arena_strdup(&table->arena, text.data));
    cells[4] = bm_cell_text(bm_site_of(row)->type);
    bm_str_clear(&text);
}

/* What lies between the growths in front and the declines behind. */
static size_t nr_left_out(const struct bm_site_rows *rows, size_t most,
                          size_t *front, size_t *back)
{
    size_t f = 0, b = 0;

    while (f + b < rows->count && f + b < most) {
        int64_t grown = bm_site_change(&rows->items[f]);
        int64_t shrunk = -bm_site_change(&rows->items[rows->count - 1 - b]);

        if (grown <= 0 && shrunk <= 0)
            break;
        if (grown >= shrunk)
            f++;
        else
            b++;
    }
    *front = f;
    *back = b;
    return rows->count - f - b;
}

/* The rows that changed most, `most` of them (0: all), and how many more. */
static void put_table(const struct bm_sites *sites,
                      const struct bm_site_rows *rows, size_t most,
                      enum bm_measure measure, bool by_path,
                      const struct bm_page *page)
{
    struct bm_table table;
    size_t front, back, more = 0;

    nr_left_out(rows, most ? most : SIZE_MAX, &front, &back);
    bm_table_init(&table, columns, NR_COLUMNS);
    for (size_t i = 0; i < rows->count; i++) {
        if (i < front || i >= rows->count - back)
            add_line(sites, &table, &rows->items[i], measure, by_path);
        else
            more += bm_site_change(&rows->items[i]) != 0;
    }
    if (more) {
        struct bm_cell *cells = bm_table_add_row(&table);
        cells[3] = bm_cell_text(
            bm_arena_printf(&table.arena, "+%zu more that changed", more));
        bm_table_tone_row(&table, BM_TONE_FAINT);
    }
    bm_page_table(page, &table);
    bm_table_clear(&table);
}

/* -- one ledger ------------------------------------------------------------ */

static void put_title(const struct bm_page *page, const char *what,
                      const char *of, enum bm_measure measure)
{
    struct bm_str title = BM_STR_INIT;

    bm_str_printf(&title, "%s of %s, by what each %s", what, of,
                  measure == BM_MEASURE_PEAK     ? "held at the peak"
                  : measure == BM_MEASURE_LEAKED ? "left live"
                  : measure == BM_MEASURE_ALLOCATED
                      ? "allocated"
                      : "allocated (number of calls)");
    bm_page_title(page, title.data);
    bm_str_clear(&title);
}

static void put_counts(const struct bm_page *page, const struct counts *counts)
{
    fprintf(page->file, "%zu changed, %zu new, %zu gone, %zu the same",
            counts->by_status[CHANGED], counts->by_status[NEW],
            counts->by_status[GONE], counts->by_status[SAME]);
    if (counts->moved)
        fprintf(page->file, " (%zu moved)", counts->moved);
    fputc('\n', page->file);
    if (page->markdown)
        fputc('\n', page->file);
}

static void put_paths(struct bm_sites *sites, uint32_t base, uint32_t head,
                      const struct bm_site_rows *lines, const char *of,
                      enum bm_measure measure, const struct bm_page *page)
{
    struct bm_site_rows rows;
    size_t front, back;

    nr_left_out(lines, MOST_PATHS, &front, &back);
    struct bm_site_row *chosen = bm_xcalloc(front + back, sizeof(*chosen));
    memcpy(chosen, lines->items, front * sizeof(*chosen));
    memcpy(chosen + front, lines->items + lines->count - back,
           back * sizeof(*chosen));
    bm_sites_paths(sites, base, head, chosen, front + back, &rows);
    put_title(page, "call paths", of, measure);
    put_table(sites, &rows, MOST_PATHS, measure, true, page);
    free(chosen);
    free(rows.items);
}

static bool has_paths(const struct bm_sites *sites)
{
    return sites->sides[0]->nr_paths && sites->sides[1]->nr_paths;
}

static void put_ledger(struct bm_compare *compare, struct bm_sites *sites,
                       const char *of, uint32_t base, uint32_t head,
                       size_t most, bool paths, const struct bm_page *page)
{
    enum bm_measure measure = bm_compare_site_measure(compare);
    struct bm_site_rows rows;
    struct counts counts;

    bm_sites_compare(sites, base, head, &rows);
    counts = count_rows(&rows);
    put_title(page, "lines", of, measure);
    put_counts(page, &counts);
    if (counts.by_status[SAME] < rows.count) {
        put_table(sites, &rows, most, measure, false, page);
        if (paths && has_paths(sites))
            put_paths(sites, base, head, &rows, of, measure, page);
    }
    free(rows.items);
}

/* -- which benchmarks ------------------------------------------------------ */

struct changed {
    const struct bm_joined_row *row;
    long double change; /* without its sign */
};

static int by_change(const void *a, const void *b)
{
    const struct changed *p = a, *q = b;

    if (p->change != q->change)
        return p->change > q->change ? -1 : 1;
    return strcmp(p->row->id, q->row->id);
}

static struct changed *find_changed(struct bm_compare *compare, size_t *count)
{
    const struct bm_joined *joined = &compare->joined;
    enum bm_measure measure = bm_compare_site_measure(compare);
    struct changed *list = bm_xcalloc(joined->nr_rows + 1, sizeof(*list));

    *count = 0;
    for (size_t i = 0; i < joined->nr_rows; i++) {
        const struct bm_joined_row *row = compare->rows[i];
        long double base, head;

        if (!row->id || row->status != BM_ROW_COMMON ||
            !bm_joined_value(row, 0, measure, BM_STAT_MAX, &base) ||
            !bm_joined_value(row, 1, measure, BM_STAT_MAX, &head) ||
            base == head)
            continue;
        list[(*count)++] =
            (struct changed){row, head > base ? head - base : base - head};
    }
    if (*count > 1)
        qsort(list, *count, sizeof(*list), by_change);
    return list;
}

static void put_benchmarks(struct bm_compare *compare, struct bm_sites *sites,
                           const struct bm_page *page)
{
    size_t count, shown;
    struct changed *list = find_changed(compare, &count);

    for (shown = 0; shown < count && shown < MOST_BENCHMARKS; shown++) {
        const struct bm_joined_row *row = list[shown].row;

        put_ledger(compare, sites, row->id,
                   bm_joined_ledger(&compare->joined, row, 0),
                   bm_joined_ledger(&compare->joined, row, 1),
                   MOST_BENCHMARK_LINES, true, page);
    }
    if (count > shown)
        fprintf(
            page->file,
            "\n%zu more benchmarks changed: --format json has their lines\n",
            count - shown);
    free(list);
}

static void warn_no_profile(const struct bm_joined *joined)
{
    bool base = joined->runs[0]->files.count,
         head = joined->runs[1]->files.count;

    bm_warn("lines are not compared: no profile of %s%s%s",
            base ? joined->labels[1] : joined->labels[0],
            base || head ? "" : " and ", base || head ? "" : joined->labels[1]);
}

int bm_compare_sites(struct bm_compare *compare, const struct bm_page *page)
{
    struct bm_joined *joined = &compare->joined;
    bool none;

    if (!bm_compare_has_sites(compare))
        return 0;
    struct bm_sites *sites =
        bm_joined_sites(joined, bm_compare_site_measure(compare), &none);
    if (!sites) {
        if (none)
            warn_no_profile(joined);
        return none ? 0 : -1;
    }
    if (joined->runs[0]->has_process && joined->runs[1]->has_process)
        put_ledger(compare, sites, "the process", 0, 0,
                   (size_t)compare->options->top,
                   !joined->nr_common || !joined->rows[0].id, page);
    put_benchmarks(compare, sites, page);
    return 0;
}
