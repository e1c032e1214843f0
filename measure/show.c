/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "measure/show.h"

#include "base/escape.h"
#include "base/memory.h"
#include "base/table.h"
#include "results/growth.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Values of a parameter from which on a law says anything. */
#define LEAST_VALUES 3
#define MOST_SITES 3
#define MOST_COLUMNS (2 + BM_NR_MEASURES * BM_NR_STATS + 3)

struct page {
    const struct bm_session *session;
    FILE *file;
    enum bm_format format;
    struct bm_terminal terminal;
};

/* One column: a statistic of a metric, or the bar. */
struct choice {
    enum bm_measure measure;
    enum bm_stat stat;
    bool bar;
};

struct choices {
    struct choice items[MOST_COLUMNS];
    size_t count;
};

static bool is_for_people(enum bm_format format)
{
    return format == BM_FORMAT_TABLE || format == BM_FORMAT_MD;
}

static void put_title(const struct page *page, const char *title)
{
    struct bm_str line = BM_STR_INIT;

    bm_escape_terminal(&line, title);
    if (page->format == BM_FORMAT_MD)
        fprintf(page->file, "\n### %s\n\n", title);
    else
        fprintf(page->file, "\n%s%s%s\n",
                bm_tone_begin(&page->terminal, BM_TONE_STRONG), line.data,
                bm_tone_end(&page->terminal, BM_TONE_STRONG));
    bm_str_clear(&line);
}

/* ---- which columns ---- */

/* The benchmarks, or the process where there are none. */
static size_t nr_rows(const struct bm_run *run)
{
    return run->nr_benchmarks ? run->nr_benchmarks : run->has_process;
}

static const struct bm_run_benchmark *row_of(const struct bm_run *run, size_t i)
{
    return run->nr_benchmarks ? &run->benchmarks[i] : &run->process;
}

static bool is_measured(const struct bm_run *run, enum bm_measure measure)
{
    for (size_t i = 0; i < nr_rows(run); i++)
        if (bm_series_present(&row_of(run, i)->series[measure]))
            return true;
    return false;
}

/* The same in every pass of every row, so that one statistic tells all. */
static bool is_constant(const struct bm_run *run, enum bm_measure measure)
{
    long double least, most;

    for (size_t i = 0; i < nr_rows(run); i++) {
        const struct bm_series *series = &row_of(run, i)->series[measure];

        if (bm_series_stat(series, BM_STAT_MIN, &least) &&
            bm_series_stat(series, BM_STAT_MAX, &most) && least != most)
            return false;
    }
    return true;
}

static bool is_shown(const struct bm_session *session, enum bm_measure measure)
{
    const struct bm_measuring *m = session->m;

    if (!is_measured(session->run, measure))
        return false;
    return m->columns_given ? m->columns[measure]
                            : measure != BM_MEASURE_LEAKED;
}

/* Of resident memory the median with its range: its mean is nobody's. */
static bool is_stat_shown(const struct bm_measuring *m, enum bm_measure measure,
                          enum bm_stat stat)
{
    bool is_rss = measure == BM_MEASURE_RSS || measure == BM_MEASURE_SETUP_RSS;

    if (m->stats_given)
        return m->stats[stat];
    return stat == BM_STAT_MIN || stat == BM_STAT_MAX ||
           stat == (is_rss ? BM_STAT_MEDIAN : BM_STAT_MEAN);
}

/* In the order in which they are taken. */
static const enum bm_measure metrics[] = {
    BM_MEASURE_TIME,        BM_MEASURE_PEAK,   BM_MEASURE_ALLOCATED,
    BM_MEASURE_ALLOCATIONS, BM_MEASURE_LEAKED, BM_MEASURE_SETUP_RSS,
    BM_MEASURE_RSS,
};
#define NR_METRICS (sizeof(metrics) / sizeof(*metrics))

/* In the order in which people read a distribution. */
static const enum bm_stat order[] = {BM_STAT_MIN, BM_STAT_MEAN, BM_STAT_MEDIAN,
                                     BM_STAT_MAX, BM_STAT_STDDEV};

static void choose_metric(const struct page *page, enum bm_measure measure,
                          struct choices *choices)
{
    const struct bm_measuring *m = page->session->m;
    bool single = !m->stats_given && is_for_people(page->format) &&
                  is_constant(page->session->run, measure);

    for (size_t s = 0; s < sizeof(order) / sizeof(*order); s++)
        if (single ? order[s] == BM_STAT_MIN
                   : is_stat_shown(m, measure, order[s]))
            choices->items[choices->count++] =
                (struct choice){measure, order[s], false};
}

static void choose(const struct page *page, struct choices *choices)
{
    bool timed = is_shown(page->session, BM_MEASURE_TIME), any = false;

    *choices = (struct choices){.count = 0};
    for (size_t i = 0; i < NR_METRICS; i++) {
        enum bm_measure m = metrics[i];

        if (!is_shown(page->session, m))
            continue;
        if (timed && m != BM_MEASURE_TIME && !any &&
            is_for_people(page->format)) {
            choices->items[choices->count++] = (struct choice){.bar = true};
            any = true;
        }
        choose_metric(page, m, choices);
    }
}

static bool is_alone(const struct choices *choices, enum bm_measure measure)
{
    size_t nr = 0;

    for (size_t i = 0; i < choices->count; i++)
        nr += !choices->items[i].bar && choices->items[i].measure == measure;
    return nr == 1;
}

/* A narrow terminal does without the mean, then without the maximum. */
static unsigned spare_of(enum bm_stat stat)
{
    return stat == BM_STAT_MEAN || stat == BM_STAT_MEDIAN ? BM_COLUMN_SPARE(2)
           : stat == BM_STAT_MAX                          ? BM_COLUMN_SPARE(1)
                                                          : 0;
}

static void name_column(const struct page *page, const struct choices *choices,
                        const struct choice *choice, struct bm_arena *arena,
                        struct bm_column *column)
{
    const char *metric = bm_measure_info(choice->measure)->name;
    const char *stat = bm_stat_names[choice->stat];
    bool alone =
        is_alone(choices, choice->measure) && !page->session->m->stats_given;
    char *title = bm_arena_printf(arena, "%s%s%s", metric, alone ? "" : " ",
                                  alone ? "" : stat);

    for (char *c = title; *c; c++)
        *c = *c == '_' ? ' ' : (char)toupper((unsigned char)*c);
    *column = (struct bm_column){
        title, bm_arena_printf(arena, "%s_%s", metric, stat),
        BM_COLUMN_RIGHT | (alone ? 0 : spare_of(choice->stat))};
}

/* ---- the table ---- */

static struct bm_cell cell_of(const struct page *page, struct bm_table *table,
                              const struct bm_run_benchmark *row,
                              const struct choice *choice)
{
    struct bm_str text = BM_STR_INIT;
    long double value;

    if (choice->bar)
        return bm_cell_text(page->format == BM_FORMAT_MD ? "" : "|");
    if (!bm_series_stat(&row->series[choice->measure], choice->stat, &value))
        return (struct bm_cell){.kind = BM_CELL_EMPTY};
    if (is_for_people(page->format))
        bm_value_print(&text, value, bm_measure_info(choice->measure)->unit);
    else
        bm_value_print_exact(&text, value);
    const char *copy = bm_arena_strdup(&table->arena, text.data);
    bm_str_clear(&text);
    return bm_cell_text(copy);
}

static uint64_t nr_passes(const struct bm_run_benchmark *row)
{
    uint64_t most = 0;

    for (int m = 0; m < BM_NR_MEASURES; m++) {
        uint64_t nr = row->series[m].nr_values + row->series[m].nr_more;
        most = nr > most ? nr : most;
    }
    return most;
}

static bool is_shared(const struct bm_session *session, const char *id)
{
    for (size_t i = 0; i < session->nr_entries; i++)
        if (session->entries[i].shared_process &&
            (!id || strcmp(session->entries[i].workload, id) == 0))
            return true;
    return false;
}

static bool has_one_mode(const struct bm_session *session)
{
    return (session->m->modes & (session->m->modes - 1)) == 0;
}

static const char *name_of(const struct bm_session *session,
                           const struct bm_run_benchmark *row)
{
    const char *program = session->target.argv[0];
    const char *slash = strrchr(program, '/');

    return row->id ? row->id : slash ? slash + 1 : program;
}

static void put_row(const struct page *page, struct bm_table *table,
                    const struct choices *choices,
                    const struct bm_run_benchmark *row)
{
    struct bm_cell *cell = bm_table_add_row(table);

    *cell++ = bm_cell_text(name_of(page->session, row));
    for (size_t i = 0; i < choices->count; i++)
        *cell++ = cell_of(page, table, row, &choices->items[i]);
    if (has_one_mode(page->session))
        *cell++ = bm_cell_count(nr_passes(row));
    if (is_shared(page->session, NULL))
        *cell = bm_cell_text(
            row->id && is_shared(page->session, row->id) ? "shared" : "own");
}

static const char *group_of(const struct bm_run_benchmark *row)
{
    return row->group ? row->group : "";
}

/* A table for each group that benchmarks say they are of. */
static void put_group(const struct page *page, const struct choices *choices,
                      const char *group)
{
    const struct bm_run *run = page->session->run;
    struct bm_column columns[MOST_COLUMNS] = {
        {"BENCHMARK", "id", BM_COLUMN_MIDDLE}};
    struct bm_arena arena = BM_ARENA_INIT;
    struct bm_table table;
    size_t nr = 1;

    for (size_t i = 0; i < choices->count; i++, nr++) {
        if (choices->items[i].bar)
            columns[nr] = (struct bm_column){
                page->format == BM_FORMAT_MD ? " " : "|", "bar", 0};
        else
            name_column(page, choices, &choices->items[i], &arena,
                        &columns[nr]);
    }
    if (has_one_mode(page->session))
        columns[nr++] = (struct bm_column){"PASSES", "passes", BM_COLUMN_RIGHT};
    if (is_shared(page->session, NULL))
        columns[nr++] = (struct bm_column){"PROCESS", "process", 0};
    bm_table_init(&table, columns, nr);
    for (size_t i = 0; i < nr_rows(run); i++)
        if (!group || strcmp(group_of(row_of(run, i)), group) == 0)
            put_row(page, &table, choices, row_of(run, i));
    bm_table_write(&table, page->file, page->format, &page->terminal);
    bm_table_clear(&table);
    bm_arena_release(&arena);
}

static bool is_new_group(const struct bm_run *run, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(group_of(row_of(run, i)), group_of(row_of(run, at))) == 0)
            return false;
    return true;
}

static void put_groups(const struct page *page, const struct choices *choices)
{
    const struct bm_run *run = page->session->run;
    bool any = false;

    for (size_t i = 0; i < nr_rows(run); i++)
        any |= *group_of(row_of(run, i)) != '\0';
    if (!any || page->format == BM_FORMAT_CSV) {
        put_group(page, choices, NULL);
        return;
    }
    for (size_t i = 0; i < nr_rows(run); i++) {
        const char *group = group_of(row_of(run, i));

        if (!is_new_group(run, i))
            continue;
        put_title(page, *group ? group : "(no group)");
        put_group(page, choices, group);
    }
}

/* ---- growth ---- */

static const struct bm_column growth_columns[] = {
    {"LAW", "law", 0},
    {"FROM", "first", BM_COLUMN_RIGHT},
    {"TO", "last", BM_COLUMN_RIGHT},
    {"BENCHMARK OR SITE", "name", BM_COLUMN_MIDDLE},
};

static void put_law(struct bm_table *table, const struct bm_growth *growth,
                    enum bm_unit unit)
{
    struct bm_cell *cell = bm_table_add_row(table);
    struct bm_str text = BM_STR_INIT;

    bm_law_print(&text, &growth->law, growth->param);
    cell[0] = bm_cell_text(bm_arena_strdup(&table->arena, text.data));
    for (size_t end = 0; end < 2; end++) {
        bm_str_truncate(&text, 0);
        bm_value_print(&text, end ? growth->last : growth->first, unit);
        cell[1 + end] = bm_cell_text(bm_arena_strdup(&table->arena, text.data));
    }
    cell[3] = bm_cell_text(
        growth->site ? bm_arena_printf(&table->arena, "  %s", growth->site)
                     : bm_arena_strdup(&table->arena, growth->family));
    bm_str_clear(&text);
}

static void put_growth(const struct page *page, enum bm_measure measure)
{
    const struct bm_measure_info *info = bm_measure_info(measure);
    struct bm_growths growths;
    struct bm_table table;
    char title[64];

    bm_growths_of(&growths, page->session->run, measure,
                  measure == BM_MEASURE_PEAK ? MOST_SITES : 0);
    bm_table_init(&table, growth_columns,
                  sizeof(growth_columns) / sizeof(*growth_columns));
    for (size_t i = 0; i < growths.count; i++)
        if (growths.items[i].nr_values >= LEAST_VALUES)
            put_law(&table, &growths.items[i], info->unit);
    if (table.nr_rows) {
        snprintf(title, sizeof(title), "How %s grows", info->name);
        put_title(page, title);
        bm_table_write(&table, page->file, page->format, &page->terminal);
    }
    bm_table_clear(&table);
    bm_growths_clear(&growths);
}

/* ---- what varies ---- */

/* "5, 6, 6", or the range where there are many. */
static void print_values(struct bm_str *out, const struct bm_series *series,
                         enum bm_unit unit)
{
    const size_t most = 6;
    long double least, largest;

    if (series->nr_values > most) {
        bm_series_stat(series, BM_STAT_MIN, &least);
        bm_series_stat(series, BM_STAT_MAX, &largest);
        bm_value_print(out, least, unit);
        bm_str_puts(out, " to ");
        bm_value_print(out, largest, unit);
        return;
    }
    for (size_t i = 0; i < series->nr_values; i++) {
        bm_str_puts(out, i ? ", " : "");
        bm_value_print(out, series->values[i], unit);
    }
}

static const char *values_text(struct bm_table *table,
                               const struct bm_series *series,
                               enum bm_unit unit)
{
    struct bm_str text = BM_STR_INIT;

    print_values(&text, series, unit);
    const char *copy = bm_arena_strdup(&table->arena, text.data);
    bm_str_clear(&text);
    return copy;
}

static void put_differences(const struct page *page)
{
    static const struct bm_column columns[] = {
        {"ALLOCATIONS", "allocations", BM_COLUMN_RIGHT},
        {"ALLOCATED", "allocated", BM_COLUMN_RIGHT},
        {"AT PEAK", "at_peak", BM_COLUMN_RIGHT},
        {"SITE", "site", BM_COLUMN_MIDDLE},
        {"BENCHMARK", "benchmark", BM_COLUMN_MIDDLE},
    };
    const struct bm_session *session = page->session;
    struct bm_table table;

    if (!session->nr_differences)
        return;
    put_title(page, "Sites that were not the same in all repetitions");
    bm_table_init(&table, columns, sizeof(columns) / sizeof(*columns));
    for (size_t i = 0; i < session->nr_differences; i++) {
        const struct bm_difference *d = &session->differences[i];
        struct bm_cell *cell = bm_table_add_row(&table);

        cell[0] =
            bm_cell_text(values_text(&table, &d->allocations, BM_UNIT_COUNT));
        cell[1] = bm_cell_text(values_text(&table, &d->bytes, BM_UNIT_BYTES));
        cell[2] = bm_cell_text(values_text(&table, &d->peak, BM_UNIT_BYTES));
        cell[3] = bm_cell_text(d->site);
        cell[4] = bm_cell_text(d->benchmark);
    }
    bm_table_write(&table, page->file, page->format, &page->terminal);
    bm_table_clear(&table);
}

void bm_show_results(struct bm_session *session, FILE *file)
{
    const struct page page = {
        .session = session,
        .file = file,
        .format = session->m->common.format,
        .terminal = bm_terminal_of(fileno(file), session->m->common.color),
    };
    struct choices choices;

    if (page.format == BM_FORMAT_JSON) {
        bm_show_json(session, file);
        return;
    }
    if (!nr_rows(session->run))
        return;
    choose(&page, &choices);
    put_groups(&page, &choices);
    if (!is_for_people(page.format))
        return;
    if (BM_HAS_MODE(session->m, BM_MODE_MEMORY))
        put_growth(&page, BM_MEASURE_PEAK);
    if (BM_HAS_MODE(session->m, BM_MODE_TIME))
        put_growth(&page, BM_MEASURE_TIME);
    put_differences(&page);
}
