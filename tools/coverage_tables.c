/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Coverage for people, as text or Markdown: the share, then files and
 * functions with most left to reach first, then what was not reached. As CSV:
 * every site.
 */
#include "base/size.h"
#include "tools/coverage.h"
#include "tools/text_page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* -- files and functions --------------------------------------------------- */

/* Most left to reach first; equal ones by name, the order that they are in. */
static int compare_by_left(const void *a, const void *b)
{
    const struct bm_coverage_group *p = a, *q = b;
    size_t left_p = p->nr_sites - p->nr_reached;
    size_t left_q = q->nr_sites - q->nr_reached;

    if (left_p != left_q)
        return left_p > left_q ? -1 : 1;
    int order = strcmp(p->file, q->file);
    return order ? order
                 : strcmp(p->function ? p->function : "",
                          q->function ? q->function : "");
}

static void put_counts(struct bm_cell *cell, size_t nr_reached, size_t nr_sites)
{
    cell[0] = bm_cell_percent(nr_reached, nr_sites);
    cell[1] = bm_cell_count(nr_reached);
    cell[2] = bm_cell_count(nr_sites);
}

static void put_rest(struct bm_table *table,
                     const struct bm_coverage_group *groups, size_t nr)
{
    size_t nr_sites = 0, nr_reached = 0;

    for (size_t i = 0; i < nr; i++) {
        nr_sites += groups[i].nr_sites;
        nr_reached += groups[i].nr_reached;
    }
    struct bm_cell *cell = bm_table_add_row(table);
    put_counts(cell, nr_reached, nr_sites);
    cell[3] = bm_cell_text(bm_arena_printf(&table->arena, "+%zu more", nr));
    bm_table_tone_row(table, BM_TONE_FAINT);
}

static void put_groups(const struct bm_text_page *page,
                       const struct bm_report *report,
                       const struct bm_coverage *coverage, bool by_function)
{
    static const struct bm_column columns[] = {
        {"SHARE", "percent", BM_COLUMN_RIGHT},
        {"REACHED", "reached", BM_COLUMN_RIGHT},
        {"SITES", "sites", BM_COLUMN_RIGHT},
        {"FILE", "file", BM_COLUMN_MIDDLE},
        {"FUNCTION", "function", BM_COLUMN_MIDDLE},
    };
    struct bm_table table;
    size_t nr, shown;
    struct bm_coverage_group *groups =
        bm_coverage_groups(coverage, by_function, &nr);

    qsort(groups, nr, sizeof(*groups), compare_by_left);
    shown = bm_view_top(report, nr);
    bm_table_init(&table, columns, by_function ? 5 : 4);
    for (size_t i = 0; i < shown; i++) {
        struct bm_cell *cell = bm_table_add_row(&table);

        put_counts(cell, groups[i].nr_reached, groups[i].nr_sites);
        cell[3] = bm_cell_text(groups[i].file);
        if (by_function)
            cell[4] = bm_cell_text(groups[i].function);
    }
    if (shown < nr)
        put_rest(&table, groups + shown, nr - shown);
    bm_text_page_title(page, by_function ? "Functions" : "Files");
    bm_text_page_table(page, &table);
    bm_table_clear(&table);
    free(groups);
}

/* -- what was not reached -------------------------------------------------- */

static const char *name_of_line(struct bm_table *table,
                                const struct bm_coverage_site *site)
{
    if (!site->frame.line)
        return site->shown;
    return bm_arena_printf(&table->arena, "%s:%" PRIu32, site->shown,
                           site->frame.line);
}

/* Of a table of calls, and their cells. */
#define CALL_COLUMNS                                                           \
    {"LINE", "line", BM_COLUMN_MIDDLE},                                        \
        {"FUNCTION", "function", BM_COLUMN_MIDDLE}, {"KIND", "kind", 0},       \
        {"TYPE", "type", BM_COLUMN_END | BM_COLUMN_SPARE(1)},                  \
    {                                                                          \
        "SIZE", "size_expr", BM_COLUMN_END | BM_COLUMN_SPARE(2)                \
    }

static void put_call(struct bm_table *table, struct bm_cell *cell,
                     const struct bm_coverage_site *site)
{
    cell[0] = bm_cell_text(name_of_line(table, site));
    cell[1] = bm_cell_text(site->frame.function);
    cell[2] = bm_cell_text(site->kind);
    cell[3] = bm_cell_text(site->type);
    cell[4] = bm_cell_text(site->size_expr);
}

static void put_more(const struct bm_text_page *page, size_t hidden)
{
    if (hidden)
        fprintf(page->file, "%s+%zu more%s\n",
                bm_tone_begin(&page->terminal, BM_TONE_FAINT), hidden,
                bm_tone_end(&page->terminal, BM_TONE_FAINT));
}

static void put_missing(const struct bm_text_page *page,
                        const struct bm_report *report,
                        const struct bm_coverage *coverage)
{
    static const struct bm_column columns[] = {
        CALL_COLUMNS,
        {"REACHED", "reached", 0},
    };
    size_t nr = coverage->nr_sites - coverage->nr_reached;
    size_t left = bm_view_top(report, nr), hidden = nr - left;
    struct bm_table table;

    bm_table_init(&table, columns, coverage->nr_benchmarks ? 6 : 5);
    for (size_t i = 0; left && i < coverage->nr_sites; i++) {
        const struct bm_coverage_site *site = coverage->sites[i];

        if (site->reach == BM_REACH_COUNTED)
            continue;
        left--;
        struct bm_cell *cell = bm_table_add_row(&table);
        put_call(&table, cell, site);
        if (coverage->nr_benchmarks)
            cell[5] = bm_cell_text(
                site->reach == BM_REACH_NEVER ? "never" : "outside them");
    }
    bm_text_page_title(page, coverage->nr_benchmarks
                                 ? "Allocation calls that no benchmark reached"
                                 : "Allocation calls that were not reached");
    bm_text_page_table(page, &table);
    put_more(page, hidden);
    bm_table_clear(&table);
}

/* -- what is in no binary -------------------------------------------------- */

static void put_absent(const struct bm_text_page *page,
                       const struct bm_report *report,
                       const struct bm_coverage *absent)
{
    static const struct bm_column columns[] = {
        CALL_COLUMNS,
        {"WHY", "why", 0},
    };
    size_t shown = bm_view_top(report, absent->nr_sites);
    struct bm_table table;

    bm_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
    for (size_t i = 0; i < shown; i++) {
        const struct bm_coverage_site *site = absent->sites[i];
        struct bm_cell *cell = bm_table_add_row(&table);

        put_call(&table, cell, site);
        cell[5] = bm_cell_text(bm_coverage_why_absent(site));
    }
    bm_text_page_title(page, "Allocation calls of the sources in no binary");
    bm_text_page_table(page, &table);
    put_more(page, absent->nr_sites - shown);
    bm_table_clear(&table);
}

/* -- the page -------------------------------------------------------------- */

static void put_facts(const struct bm_text_page *page,
                      const struct bm_coverage *coverage,
                      const struct bm_inputs *inputs)
{
    struct bm_str text = BM_STR_INIT;

    for (size_t i = 0; i < inputs->count; i++) {
        bm_str_puts(&text, inputs->items[i].path);
        if (inputs->items[i].why)
            bm_str_printf(&text, " (%s)", inputs->items[i].why);
        bm_text_page_fact(page, "profile", text.data);
        bm_str_truncate(&text, 0);
    }
    for (size_t i = 0; i < coverage->binaries.count; i++)
        bm_text_page_fact(page, "binary", coverage->binaries.items[i]);
    bm_str_printf(&text, "%zu of %zu allocation call%s", coverage->nr_reached,
                  coverage->nr_sites, coverage->nr_sites == 1 ? "" : "s");
    if (coverage->nr_sites) {
        bm_str_puts(&text, " (");
        bm_percent_print(&text, coverage->nr_reached, coverage->nr_sites);
        bm_str_puts(&text, " %)");
    }
    if (coverage->nr_benchmarks)
        bm_str_printf(&text, ", by %zu benchmark%s", coverage->nr_benchmarks,
                      coverage->nr_benchmarks == 1 ? "" : "s");
    bm_text_page_fact(page, "reached", text.data);
    if (coverage->absent) {
        bm_str_truncate(&text, 0);
        bm_str_printf(&text, "%zu call%s of the sources in no binary",
                      coverage->absent->nr_sites,
                      coverage->absent->nr_sites == 1 ? "" : "s");
        bm_text_page_fact(page, "absent", text.data);
    }
    bm_str_clear(&text);
}

void bm_coverage_text(const struct bm_coverage *coverage,
                      const struct bm_report *report,
                      const struct bm_inputs *inputs, FILE *file)
{
    const struct bm_text_page page = {
        .file = file,
        .terminal = bm_terminal_of(fileno(file), report->common.color),
        .markdown = report->common.format == BM_FORMAT_MD,
    };

    put_facts(&page, coverage, inputs);
    if (coverage->nr_sites) {
        put_groups(&page, report, coverage, false);
        put_groups(&page, report, coverage, true);
    }
    if (coverage->nr_reached < coverage->nr_sites)
        put_missing(&page, report, coverage);
    if (coverage->absent && coverage->absent->nr_sites)
        put_absent(&page, report, coverage->absent);
}

void bm_coverage_csv_cells(struct bm_cell *cell,
                           const struct bm_coverage_site *site)
{
    cell[0] = bm_cell_text(site->frame.file);
    cell[1] = bm_cell_text(site->frame.dir);
    if (site->frame.line)
        cell[2] = bm_cell_count(site->frame.line);
    if (site->frame.column)
        cell[3] = bm_cell_count(site->frame.column);
    cell[4] = bm_cell_text(site->frame.function);
    cell[5] = bm_cell_text(site->kind);
    cell[6] = bm_cell_text(site->callee);
    cell[7] = bm_cell_text(site->type);
    cell[8] = bm_cell_text(site->size_expr);
}

static void add_csv_row(struct bm_table *table,
                        const struct bm_coverage_site *site,
                        const char *reached)
{
    struct bm_cell *cell = bm_table_add_row(table);

    bm_coverage_csv_cells(cell, site);
    cell[BM_COVERAGE_NR_CSV] = bm_cell_text(reached);
    cell[BM_COVERAGE_NR_CSV + 1] = bm_cell_count(site->allocations);
}

void bm_coverage_csv(const struct bm_coverage *coverage, FILE *file)
{
    static const struct bm_column columns[] = {
        BM_COVERAGE_CSV_COLUMNS,
        {"REACHED", "reached", 0},
        {"ALLOCATIONS", "allocations", BM_COLUMN_RIGHT},
    };
    struct bm_terminal none = {0};
    struct bm_table table;

    bm_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
    for (size_t i = 0; i < coverage->nr_sites; i++)
        add_csv_row(&table, coverage->sites[i],
                    bm_reach_names[coverage->sites[i]->reach]);
    for (size_t i = 0; coverage->absent && i < coverage->absent->nr_sites; i++)
        add_csv_row(&table, coverage->absent->sites[i], "absent");
    bm_table_write(&table, file, BM_FORMAT_CSV, &none);
    bm_table_clear(&table);
}
