/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The tables of a report for people: sizes, percentages, a place in one
 * column.
 */
#include "tools/measured.h"
#include "tools/report_cells.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/size.h"
#include "base/utf8.h"
#include "tools/spread.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Names of foreign functions can be mangled and very long. */
#define LONGEST_KIND 32

/* "malloc"; for blocks that foreign code allocated also its function's name. */
static const char *kind_of(struct bm_table *table,
                           const struct bm_site_info *site)
{
    struct bm_str kind = BM_STR_INIT;

    if (strcmp(site->kind, "via") != 0 || !site->callee)
        return site->kind;
    bm_str_puts(&kind, "via ");
    bm_utf8_shorten_end(&kind, site->callee, LONGEST_KIND - kind.size);
    const char *copy = bm_arena_strdup(&table->arena, kind.data);
    bm_str_clear(&kind);
    return copy;
}

static const char *name_of_thread(struct bm_table *table,
                                  const struct bm_thread_info *thread)
{
    if (!thread)
        return "(unknown)";
    return bm_arena_printf(&table->arena, "%" PRIu64 " %s", thread->tid,
                           thread->name ? thread->name : "");
}

/* What percentages are called, by metric. */
static const char *const percent_titles[BM_NR_RANKS] = {
    [BM_METRIC_PEAK] = "% OF PEAK",
    [BM_METRIC_ALLOCATED] = "% OF ALLOCATED",
    [BM_METRIC_ALLOCATIONS] = "% OF ALLOCATIONS",
    [BM_METRIC_LEAKED] = "% OF LIVE",
    [BM_METRIC_TEMPORARY] = "% OF TEMPORARY",
    [BM_METRIC_SAVES] = "% OF PEAK",
    [BM_METRIC_UNTOUCHED] = "% OF UNTOUCHED",
    [BM_METRIC_NEVER_WRITTEN] = "% OF NEVER WRITTEN",
    [BM_METRIC_NEVER_READ] = "% OF NEVER READ",
    [BM_METRIC_IDLE] = "% OF IDLE",
};

/* Rows are of several processes, each with a peak of its own. */
static bool shows_spread(const struct bm_view *view)
{
    return bm_is_merged(view->profile) && !view->benchmark;
}

static const char *title_of_metric(const struct bm_view *view,
                                   enum bm_metric metric)
{
    static const char *const titles[BM_NR_RANKS] = {
        [BM_METRIC_PEAK] = "AT PEAK",
        [BM_METRIC_ALLOCATED] = "ALLOCATED",
        [BM_METRIC_ALLOCATIONS] = "ALLOCATIONS",
        [BM_METRIC_LEAKED] = "LIVE AT EXIT",
        [BM_METRIC_TEMPORARY] = "TEMPORARY",
        [BM_METRIC_SAVES] = "SAVES",
        [BM_METRIC_UNTOUCHED] = "UNTOUCHED",
        [BM_METRIC_NEVER_WRITTEN] = "NEVER WRITTEN",
        [BM_METRIC_NEVER_READ] = "NEVER READ",
        [BM_METRIC_IDLE] = "IDLE",
    };

    if (metric == BM_METRIC_LEAKED && view->benchmark)
        return "RETAINED";
    if (metric == BM_METRIC_PEAK && shows_spread(view))
        return "AT PEAKS";
    return titles[metric];
}

/*
 * The metric that rows are ranked by comes first, then the others; those of
 * accesses have a table of their own.
 */
static bool is_shown(const struct bm_view *view, enum bm_metric metric)
{
    enum bm_metric ranked = view->report->metric;

    if (metric == ranked || metric == BM_METRIC_SAVES ||
        bm_metric_is_of_access(metric) != bm_metric_is_of_access(ranked))
        return false;
    return metric != BM_METRIC_TEMPORARY || view->report->common.verbose;
}

static bool shows_access(const struct bm_view *view)
{
    return bm_metric_is_of_access(view->report->metric);
}

static bool shows_own_peak(const struct bm_view *view)
{
    return view->report->by == BM_BY_SITE && !shows_access(view);
}

/* What a narrow terminal does without. */
static unsigned rank_of_metric(enum bm_metric metric)
{
    if (metric == BM_METRIC_LEAKED || metric == BM_METRIC_TEMPORARY)
        return BM_COLUMN_SPARE(3);
    return BM_COLUMN_SPARE(1);
}

static bool shows_saves(const struct bm_view *view)
{
    return view->report->metric != BM_METRIC_SAVES && !shows_access(view) &&
           bm_ranking_has_saves(view->report->by) &&
           bm_saves_are_told(view->profile, view->benchmark);
}

static void columns_of_figures(const struct bm_view *view,
                               struct bm_columns *columns)
{
    enum bm_metric ranked = view->report->metric;

    bm_columns_add(columns, title_of_metric(view, ranked),
                   bm_rank_names[ranked], BM_COLUMN_RIGHT);
    bm_columns_add(columns,
                   ranked == BM_METRIC_PEAK && shows_spread(view)
                       ? "% OF BOUND"
                       : percent_titles[ranked],
                   "percent", BM_COLUMN_RIGHT);
    if (shows_saves(view))
        bm_columns_add(columns, "SAVES", "saves_bytes", BM_COLUMN_RIGHT);
    if (shows_own_peak(view))
        bm_columns_add(columns,
                       shows_spread(view) ? "OWN PEAK: MIN / MEAN / MAX"
                                          : "OWN PEAK",
                       "peak_bytes", BM_COLUMN_RIGHT | BM_COLUMN_SPARE(4));
    for (enum bm_metric m = 0; m < BM_NR_RANKS; m++) {
        if (is_shown(view, m))
            bm_columns_add(columns, title_of_metric(view, m),
                           bm_rank_names[m],
                           BM_COLUMN_RIGHT | rank_of_metric(m));
    }
    if (!shows_access(view))
        return;
    bm_columns_add(columns, "USED", "used", BM_COLUMN_RIGHT);
    bm_columns_add(columns, "UNSEEN", "unseen",
                   BM_COLUMN_RIGHT | BM_COLUMN_SPARE(1));
}

static void columns_of_names(const struct bm_report *report,
                             struct bm_columns *columns)
{
    switch (report->by) {
    case BM_BY_SITE:
        bm_columns_add(columns, "SITE", "site", BM_COLUMN_MIDDLE);
        bm_columns_add(columns, "KIND", "kind", BM_COLUMN_SPARE(5));
        bm_columns_add(columns, "TYPE", "type",
                       BM_COLUMN_END | BM_COLUMN_SPARE(2));
        if (report->source)
            bm_columns_add(columns, "SOURCE", "source", BM_COLUMN_END);
        break;
    case BM_BY_FUNCTION:
        bm_columns_add(columns, "FUNCTION", "function", BM_COLUMN_MIDDLE);
        bm_columns_add(columns, "FILE", "file", BM_COLUMN_MIDDLE);
        break;
    case BM_BY_FILE:
        bm_columns_add(columns, "FILE", "file", BM_COLUMN_MIDDLE);
        break;
    case BM_BY_TYPE:
        bm_columns_add(columns, "TYPE", "type", BM_COLUMN_MIDDLE);
        break;
    case BM_BY_MODULE:
        bm_columns_add(columns, "MODULE", "module", BM_COLUMN_MIDDLE);
        break;
    case BM_BY_PATH:
        bm_columns_add(columns, "PATH (OUTERMOST FIRST)", "path",
                       BM_COLUMN_MIDDLE | BM_COLUMN_LINES);
        break;
    case BM_BY_THREAD:
        bm_columns_add(columns, "THREAD", "thread", BM_COLUMN_MIDDLE);
        break;
    default:
        BM_BUG("rows by %d", report->by);
    }
}

/* What a thread holds is not known where it freed others' blocks. */
static bool is_known(const struct bm_row *row, enum bm_metric metric)
{
    if (metric == BM_METRIC_SAVES)
        return row && row->own_saves;
    if (!row)
        return true;
    if (metric == BM_METRIC_PEAK)
        return !row->owes_at_peak;
    return metric != BM_METRIC_LEAKED || !row->owes_live;
}

static struct bm_cell own_peak_of(const struct bm_view *view,
                                  struct bm_table *table,
                                  const struct bm_row *row)
{
    struct bm_str text = BM_STR_INIT;
    struct bm_spread spread;

    if (!shows_spread(view))
        return bm_cell_bytes(bm_row_figures(row).peak_bytes);
    spread = bm_spread_of_site(view->profile, row->site, true);
    bm_spread_print(&text, &spread);
    const char *copy = bm_arena_strdup(&table->arena, text.data);
    bm_str_clear(&text);
    return bm_cell_text(copy);
}

/* "4.0 KiB of 1.0 MiB" of what was judged, and what was not. */
static struct bm_cell *put_access(struct bm_table *table, struct bm_cell *cell,
                                  const struct bm_access *access)
{
    uint64_t judged = access->bytes - access->escaped_bytes;
    struct bm_str used = BM_STR_INIT;

    bm_size_print(&used, judged - access->untouched_bytes);
    bm_str_puts(&used, " of ");
    bm_size_print(&used, judged);
    cell[0] = bm_cell_text(bm_arena_strdup(&table->arena, used.data));
    cell[1] = bm_cell_bytes(access->escaped_bytes);
    bm_str_clear(&used);
    return cell + 2;
}

static struct bm_cell *put_figures(const struct bm_view *view,
                                   struct bm_table *table, struct bm_cell *cell,
                                   const struct bm_figures *figures,
                                   const struct bm_figures *totals,
                                   const struct bm_row *row, bool is_total)
{
    enum bm_metric ranked = view->report->metric;
    uint64_t value = is_total ? bm_metric_total(figures, ranked)
                              : bm_metric_of(figures, ranked);

    if (is_known(row, ranked)) {
        cell[0] = bm_metric_cell(value, ranked);
        cell[1] = bm_cell_percent(value, bm_metric_total(totals, ranked));
    }
    cell += 2;
    if (shows_saves(view)) {
        if (is_known(row, BM_METRIC_SAVES))
            *cell = bm_cell_bytes(figures->saves_bytes);
        cell++;
    }
    if (shows_own_peak(view)) {
        if (row && row->own_peak)
            *cell = own_peak_of(view, table, row);
        cell++;
    }
    for (enum bm_metric m = 0; m < BM_NR_RANKS; m++) {
        if (!is_shown(view, m))
            continue;
        if (is_known(row, m))
            *cell = bm_metric_cell(is_total ? bm_metric_total(figures, m)
                                            : bm_metric_of(figures, m),
                                   m);
        cell++;
    }
    return shows_access(view) ? put_access(table, cell, bm_access_of(figures))
                              : cell;
}

static const char *label_or(const char *label)
{
    return label ? label : "(unknown)";
}

/* Profiles tell the module of foreign code alone. */
static const char *name_of_module(const struct bm_row *row)
{
    if (row->label || !row->frame)
        return label_or(row->label);
    return "(compiled by benchmem-cc: several modules, not told apart)";
}

static void put_names(struct bm_view *view, struct bm_table *table,
                      struct bm_cell *cell, const struct bm_row *row)
{
    switch (view->report->by) {
    case BM_BY_SITE:
        cell[0] = bm_cell_text(bm_name_of_site(view, table, row));
        cell[1] = bm_cell_text(kind_of(table, row->site));
        cell[2] = bm_cell_text(bm_type_of(row->site, row->frame));
        if (view->report->source)
            cell[3] = bm_cell_text(bm_listing_line(&view->listing, row->frame));
        break;
    case BM_BY_FUNCTION:
        cell[0] = bm_cell_text(label_or(row->label));
        cell[1] = bm_cell_text(bm_names_file(&view->names, row->frame));
        break;
    case BM_BY_PATH:
        cell[0] = bm_cell_of_path(view, table, row, false);
        break;
    case BM_BY_MODULE:
        cell[0] = bm_cell_text(name_of_module(row));
        break;
    case BM_BY_THREAD:
        cell[0] = bm_cell_text(name_of_thread(table, bm_row_thread(row)));
        break;
    default:
        cell[0] = bm_cell_text(label_or(row->label));
        break;
    }
}

static void add_sum(const struct bm_view *view, struct bm_table *table,
                    const struct bm_figures *figures,
                    const struct bm_figures *totals, const char *name,
                    bool is_total)
{
    struct bm_cell *cell = bm_table_add_row(table);

    cell = put_figures(view, table, cell, figures, totals, NULL, is_total);
    *cell = bm_cell_text(name);
    bm_table_tone_row(table, BM_TONE_FAINT);
}

/* A row of a ranking, as it is written. */
struct row_maker {
    struct bm_row_maker maker;
    struct bm_view *view;
    struct bm_ranking *ranking;
};

static void make_row(struct bm_row_maker *maker, size_t number,
                     struct bm_table *made)
{
    const struct row_maker *of = (const struct row_maker *)maker;
    const struct bm_row *row = &of->ranking->rows[number];
    const struct bm_figures figures = bm_row_figures(row);
    struct bm_cell *cell = bm_table_add_row(made);

    cell = put_figures(of->view, made, cell, &figures, &of->ranking->totals,
                       row, false);
    put_names(of->view, made, cell, row);
}

void bm_table_of_rows(struct bm_view *view, struct bm_ranking *ranking,
                      struct bm_table *table)
{
    struct bm_columns columns = {.count = 0};
    size_t shown = bm_view_top(view->report, ranking->nr_rows);

    columns_of_figures(view, &columns);
    columns_of_names(view->report, &columns);
    bm_columns_begin(&columns, table);

    struct row_maker *maker = bm_arena_alloc(&table->arena, sizeof(*maker));
    *maker = (struct row_maker){{make_row, shown}, view, ranking};
    bm_table_make_rows(table, &maker->maker);
    for (size_t i = 0; i < shown; i++)
        view->owes |=
            ranking->rows[i].owes_at_peak || ranking->rows[i].owes_live;
    if (shown < ranking->nr_rows) {
        struct bm_figures rest = bm_ranking_sum(ranking, shown);
        add_sum(view, table, &rest, &ranking->totals,
                bm_arena_printf(&table->arena, "+%zu more",
                                ranking->nr_rows - shown),
                false);
    }
    if (ranking->nr_rows > 1)
        add_sum(view, table, &ranking->totals, &ranking->totals, "total", true);
}

/* -- benchmarks ---------------------------------------------------------- */

static const enum bm_metric headline_metrics[] = {
    BM_METRIC_PEAK, BM_METRIC_ALLOCATED, BM_METRIC_ALLOCATIONS,
    BM_METRIC_LEAKED};
#define NR_HEADLINES (sizeof(headline_metrics) / sizeof(headline_metrics[0]))

void bm_table_of_benchmarks(const struct bm_view *view, struct bm_table *table)
{
    /* A page shows as many as a screen holds, then the heaviest. */
    const size_t most = 20;
    static const struct bm_column columns[] = {
        {"PEAK", "peak_bytes", BM_COLUMN_RIGHT},
        {"ALLOCATED", "allocated_bytes", BM_COLUMN_RIGHT},
        {"ALLOCATIONS", "allocations", BM_COLUMN_RIGHT},
        {"RETAINED", "retained_bytes", BM_COLUMN_RIGHT},
        {"PASSES", "passes", BM_COLUMN_RIGHT},
        {"BENCHMARK", "id", BM_COLUMN_MIDDLE},
    };
    bool by_benchmark = view->report->by == BM_BY_BENCHMARK;
    size_t count;

    if (bm_measured_table(view, table))
        return;
    bool ranked = by_benchmark || view->profile->nr_benchmarks > most;
    struct bm_ranked_benchmark *list = bm_benchmarks_of(view, ranked, &count);
    size_t shown = by_benchmark   ? bm_view_top(view->report, count)
                   : count < most ? count
                                  : most;

    bm_table_init(table, columns, sizeof(columns) / sizeof(columns[0]));
    for (size_t i = 0; i < shown; i++) {
        const struct bm_benchmark_info *benchmark = list[i].benchmark;
        struct bm_cell *cell = bm_table_add_row(table);

        for (size_t m = 0; m < NR_HEADLINES; m++)
            *cell++ = bm_metric_cell(
                bm_metric_headline(benchmark, headline_metrics[m]),
                headline_metrics[m]);
        *cell++ = bm_cell_count(bm_nr_passes(benchmark));
        *cell = bm_cell_text(benchmark->id);
    }
    if (shown < count) {
        struct bm_cell *cell = bm_table_add_row(table);
        cell[NR_HEADLINES + 1] = bm_cell_text(bm_arena_printf(
            &table->arena, "+%zu more%s", count - shown,
            by_benchmark ? "" : " (--by benchmark --top 0 lists them)"));
        bm_table_tone_row(table, BM_TONE_FAINT);
    }
    free(list);
}

/* -- what the optimizer removed ------------------------------------------ */

void bm_table_of_elided(struct bm_view *view, struct bm_table *table)
{
    static const struct bm_column columns[] = {
        {"SITE", "site", BM_COLUMN_MIDDLE},
        {"KIND", "kind", 0},
        {"TYPE", "type", BM_COLUMN_END},
        {"SIZE", "size_expr", BM_COLUMN_END},
    };

    bm_table_init(table, columns, sizeof(columns) / sizeof(columns[0]));
    for (size_t i = 0; i < view->profile->nr_sites; i++) {
        const struct bm_site_info *site = &view->profile->sites[i];
        struct bm_row row = {.site = site, .frame = site->frame};

        if (!site->elided)
            continue;
        struct bm_cell *cell = bm_table_add_row(table);
        cell[0] = bm_cell_text(bm_name_of_site(view, table, &row));
        cell[1] = bm_cell_text(site->kind);
        cell[2] = bm_cell_text(site->type);
        cell[3] = bm_cell_text(site->size_expr);
    }
}
