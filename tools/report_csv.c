/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A report as CSV: one table with exact numbers and a column for each
 * property; of several profiles together, with a column that names them.
 */
#include "tools/measured.h"
#include "tools/report_cells.h"

#include "base/memory.h"

#include <stdlib.h>

static void place_columns(struct bm_columns *columns)
{
    bm_columns_add(columns, "FILE", "file", 0);
    bm_columns_add(columns, "DIR", "dir", 0);
    bm_columns_add(columns, "LINE", "line", BM_COLUMN_RIGHT);
    bm_columns_add(columns, "COLUMN", "column", BM_COLUMN_RIGHT);
    bm_columns_add(columns, "FUNCTION", "function", 0);
    bm_columns_add(columns, "KIND", "kind", 0);
    bm_columns_add(columns, "CALLEE", "callee", 0);
    bm_columns_add(columns, "TYPE", "type", 0);
}

static void row_columns(const struct bm_report *report, bool saves,
                        struct bm_columns *columns)
{
    static const char *const figures[] = {
        "allocations",   "frees",      "allocated_bytes", "peak_bytes",
        "at_peak_bytes", "live_bytes", "live_blocks",     "temporary"};

    switch (report->by) {
    case BM_BY_SITE:
        place_columns(columns);
        break;
    case BM_BY_FUNCTION:
        bm_columns_add(columns, "FUNCTION", "function", 0);
        bm_columns_add(columns, "FILE", "file", 0);
        break;
    case BM_BY_PATH:
        bm_columns_add(columns, "PATH", "path", BM_COLUMN_LINES);
        break;
    case BM_BY_THREAD:
        bm_columns_add(columns, "TID", "tid", BM_COLUMN_RIGHT);
        bm_columns_add(columns, "NAME", "name", 0);
        break;
    default:
        bm_columns_add(columns, "KEY", bm_by_names[report->by], 0);
        break;
    }
    for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
        bm_columns_add(columns, figures[i], figures[i], BM_COLUMN_RIGHT);
    if (saves)
        bm_columns_add(columns, "saves_bytes", "saves_bytes", BM_COLUMN_RIGHT);
    if (report->by == BM_BY_SITE && report->source)
        bm_columns_add(columns, "SOURCE", "source", 0);
}

static struct bm_cell *put_place(struct bm_cell *cell,
                                 const struct bm_site_info *site,
                                 const struct bm_frame_info *frame)
{
    if (frame) {
        cell[0] = bm_cell_text(frame->file);
        cell[1] = bm_cell_text(frame->dir);
        if (frame->line)
            cell[2] = bm_cell_count(frame->line);
        if (frame->column)
            cell[3] = bm_cell_count(frame->column);
        cell[4] = bm_cell_text(frame->function);
    }
    cell[5] = bm_cell_text(site->kind);
    cell[6] = bm_cell_text(site->callee);
    cell[7] = bm_cell_text(bm_type_of(site, frame));
    return cell + 8;
}

static struct bm_cell *put_names(struct bm_view *view, struct bm_table *table,
                                 struct bm_cell *cell, const struct bm_row *row)
{
    switch (view->report->by) {
    case BM_BY_SITE:
        return put_place(cell, row->site, row->frame);
    case BM_BY_FUNCTION:
        *cell++ = bm_cell_text(row->label);
        *cell++ = bm_cell_text(bm_names_file(&view->names, row->frame));
        return cell;
    case BM_BY_PATH:
        *cell++ = bm_cell_of_path(view, table, row, true);
        return cell;
    case BM_BY_THREAD:
        if (bm_row_thread(row)) {
            cell[0] = bm_cell_count(row->node->thread->tid);
            cell[1] = bm_cell_text(row->node->thread->name);
        }
        return cell + 2;
    default:
        *cell++ = bm_cell_text(row->label);
        return cell;
    }
}

static struct bm_cell *put_figures(struct bm_cell *cell,
                                   const struct bm_row *row)
{
    const struct bm_figures figures = bm_row_figures(row), *f = &figures;

    cell[0] = bm_cell_count(f->allocations);
    cell[1] = bm_cell_count(f->frees);
    cell[2] = bm_cell_bytes(f->allocated_bytes);
    if (row->own_peak)
        cell[3] = bm_cell_bytes(f->peak_bytes);
    if (!row->owes_at_peak)
        cell[4] = bm_cell_bytes(f->at_peak_bytes);
    if (!row->owes_live) {
        cell[5] = bm_cell_bytes(f->live_bytes);
        cell[6] = bm_cell_count(f->live_blocks);
    }
    cell[7] = bm_cell_count(f->temporary);
    return cell + 8;
}

/* Whether one of the profiles has saves of such rows. */
static bool any_saves(const struct bm_views *views)
{
    for (size_t i = 0; i < views->count; i++) {
        const struct bm_view *view = &views->items[i];

        if (bm_ranking_has_saves(view->report->by) &&
            bm_saves_are_told(view->profile, view->benchmark))
            return true;
    }
    return false;
}

/* The rows of one view. */
struct view_rows {
    struct bm_view *view;
    struct bm_ranking ranking;
    size_t end; /* of its rows among all */
};

struct csv_rows {
    struct bm_row_maker maker;
    struct view_rows *views;
    bool several;
    bool saves; /* one of the profiles has them */
    size_t at;  /* view of the last row */
};

static void make_row(struct bm_row_maker *maker, size_t number,
                     struct bm_table *made)
{
    struct csv_rows *rows = (struct csv_rows *)maker;
    struct bm_cell *cell = bm_table_add_row(made);

    if (number == 0)
        rows->at = 0;
    while (number >= rows->views[rows->at].end)
        rows->at++;
    const struct view_rows *of = &rows->views[rows->at];
    size_t start = rows->at ? of[-1].end : 0;
    const struct bm_row *row = &of->ranking.rows[number - start];

    if (rows->several)
        *cell++ = bm_cell_text(of->view->input->path);
    cell = put_names(of->view, made, cell, row);
    cell = put_figures(cell, row);
    if (rows->saves && row->own_saves)
        *cell = bm_cell_bytes(row->figures->saves_bytes);
    cell += rows->saves;
    if (of->view->report->by == BM_BY_SITE && of->view->report->source)
        *cell = bm_cell_text(bm_listing_line(&of->view->listing, row->frame));
}

static void write_rows(struct bm_views *views, bool saves,
                       struct bm_table *table, FILE *file)
{
    struct csv_rows rows = {
        .maker = {make_row, 0},
        .views = bm_xcalloc(views->count, sizeof(*rows.views)),
        .several = views->count > 1,
        .saves = saves,
    };

    for (size_t i = 0; i < views->count; i++) {
        struct view_rows *of = &rows.views[i];
        const struct bm_report *report = views->items[i].report;

        of->view = &views->items[i];
        bm_ranking_init(&of->ranking, report->by, &of->view->source,
                        of->view->benchmark);
        size_t shown = bm_view_top(report, of->ranking.nr_rows);
        bm_ranking_sort(&of->ranking, report->metric, shown);
        rows.maker.count += shown;
        of->end = rows.maker.count;
    }
    bm_table_make_rows(table, &rows.maker);
    bm_table_write(table, file, BM_FORMAT_CSV, NULL);
    for (size_t i = 0; i < views->count; i++)
        bm_ranking_clear(&rows.views[i].ranking);
    free(rows.views);
}

static void benchmark_columns(struct bm_columns *columns)
{
    bm_columns_add(columns, "BENCHMARK", "id", 0);
    bm_columns_add(columns, "NAME", "name", 0);
    bm_columns_add(columns, "FILE", "file", 0);
    bm_columns_add(columns, "LINE", "line", BM_COLUMN_RIGHT);
    bm_columns_add(columns, "PASSES", "passes", BM_COLUMN_RIGHT);
    bm_columns_add(columns, "PEAK", "peak_bytes", BM_COLUMN_RIGHT);
    bm_columns_add(columns, "ALLOCATED", "allocated_bytes", BM_COLUMN_RIGHT);
    bm_columns_add(columns, "ALLOCATIONS", "allocations", BM_COLUMN_RIGHT);
    bm_columns_add(columns, "RETAINED", "retained_bytes", BM_COLUMN_RIGHT);
    bm_measured_columns(columns, true, true);
}

/* What was not measured is empty, never 0. */
static void put_measured(struct bm_cell *cell,
                         const struct bm_benchmark_info *benchmark)
{
    const uint64_t others[] = {
        bm_measured_time(benchmark),
        bm_measured_setup_rss(benchmark),
        bm_measured_rss(benchmark),
    };

    for (enum bm_metric m = BM_METRIC_PEAK;
         bm_measured_memory(benchmark) && m <= BM_METRIC_LEAKED; m++)
        cell[m] = bm_metric_cell(bm_metric_headline(benchmark, m), m);
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        if (others[i])
            cell[BM_METRIC_LEAKED + 1 + i] = bm_cell_count(others[i]);
}

static void add_benchmarks(const struct bm_view *view, bool several,
                           struct bm_table *table)
{
    size_t count;
    struct bm_ranked_benchmark *list = bm_benchmarks_of(view, true, &count);
    size_t shown = bm_view_top(view->report, count);

    for (size_t i = 0; i < shown; i++) {
        const struct bm_benchmark_info *benchmark = list[i].benchmark;
        struct bm_cell *cell = bm_table_add_row(table);

        if (several)
            *cell++ = bm_cell_text(view->input->path);
        cell[0] = bm_cell_text(benchmark->id);
        cell[1] = bm_cell_text(benchmark->name);
        cell[2] = bm_cell_text(benchmark->file);
        if (benchmark->frame && benchmark->frame->line)
            cell[3] = bm_cell_count(benchmark->frame->line);
        cell[4] = bm_cell_count(bm_nr_passes(benchmark));
        put_measured(&cell[5], benchmark);
    }
    free(list);
}

static void add_elided(const struct bm_view *view, bool several,
                       struct bm_table *table)
{
    for (size_t i = 0; i < view->profile->nr_sites; i++) {
        const struct bm_site_info *site = &view->profile->sites[i];

        if (!site->elided)
            continue;
        struct bm_cell *cell = bm_table_add_row(table);
        if (several)
            *cell++ = bm_cell_text(view->input->path);
        cell = put_place(cell, site, site->frame);
        cell[0] = bm_cell_text(site->size_expr);
        cell[1] = bm_cell_text(site->count);
    }
}

void bm_report_csv(struct bm_views *views, FILE *file)
{
    const struct bm_report *report = views->items[0].report;
    struct bm_columns columns = {.count = 0};
    bool several = views->count > 1;
    bool saves = any_saves(views);
    struct bm_table table;

    if (several)
        bm_columns_add(&columns, "PROFILE", "profile", 0);
    if (report->elided) {
        place_columns(&columns);
        bm_columns_add(&columns, "SIZE", "size_expr", 0);
        bm_columns_add(&columns, "COUNT", "count", 0);
    } else if (report->by == BM_BY_BENCHMARK) {
        benchmark_columns(&columns);
    } else {
        row_columns(report, saves, &columns);
    }

    bm_columns_begin(&columns, &table);
    if (!report->elided && report->by != BM_BY_BENCHMARK) {
        write_rows(views, saves, &table, file);
        bm_table_clear(&table);
        return;
    }
    for (size_t i = 0; i < views->count; i++) {
        if (report->elided)
            add_elided(&views->items[i], several, &table);
        else
            add_benchmarks(&views->items[i], several, &table);
    }
    bm_table_write(&table, file, BM_FORMAT_CSV, NULL);
    bm_table_clear(&table);
}
