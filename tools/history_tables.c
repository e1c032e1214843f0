/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/history.h"

#include "base/error.h"
#include "base/output.h"

#include <stdlib.h>
#include <string.h>

/* Characters of a revision that people need. */
#define REVISION_SIZE 12

static int write_table(const struct bm_history_options *o,
                       const struct bm_table *table)
{
    struct bm_output output;

    if (bm_output_open(&output, o->common.output, o->common.force))
        return -1;
    struct bm_terminal terminal =
        bm_terminal_of(fileno(output.file), o->common.color);
    bm_table_write(table, output.file, o->common.format, &terminal);
    return bm_output_close(&output);
}

static struct bm_cell text_cell(struct bm_arena *arena, const char *text)
{
    return bm_cell_text(text ? bm_arena_strdup(arena, text) : NULL);
}

static struct bm_cell revision_cell(struct bm_arena *arena, const char *text,
                                    enum bm_format format)
{
    if (!text || format != BM_FORMAT_TABLE)
        return text_cell(arena, text);
    return bm_cell_text(bm_arena_printf(arena, "%.*s", REVISION_SIZE, text));
}

/* The newest N, of rows that are the oldest first. */
static size_t first_shown(const struct bm_history_options *o, size_t count)
{
    return o->last && count > o->last ? count - (size_t)o->last : 0;
}

/* -- list ------------------------------------------------------------------ */

enum { NR_RUN_CELLS = 9 };

struct listed {
    struct bm_arena *arena;
    const char *(*rows)[NR_RUN_CELLS];
    size_t count;
    size_t room;
};

static int keep_run(void *context, const char *const *cells)
{
    struct listed *listed = context;

    listed->rows = bm_xgrow(listed->rows, listed->count, &listed->room,
                            sizeof(*listed->rows));
    for (size_t i = 0; i < NR_RUN_CELLS; i++)
        listed->rows[listed->count][i] =
            cells[i] ? bm_arena_strdup(listed->arena, cells[i]) : NULL;
    listed->count++;
    return 0;
}

int bm_history_list(const struct bm_history_options *o, struct bm_store *store)
{
    static const struct bm_column columns[] = {
        {"RUN", "run", BM_COLUMN_RIGHT},
        {"TIME", "time", 0},
        {"BRANCH", "branch", 0},
        {"REVISION", "revision", 0},
        {"LABEL", "label", BM_COLUMN_END},
        {"MACHINE", "machine", BM_COLUMN_SPARE(3) | BM_COLUMN_END},
        {"COMPILER", "compiler", BM_COLUMN_SPARE(2) | BM_COLUMN_END},
        {"FLAGS", "flags", BM_COLUMN_SPARE(1) | BM_COLUMN_END},
        {"BENCHMARKS", "benchmarks", BM_COLUMN_RIGHT},
    };
    struct bm_table table;
    bm_table_init(&table, columns, NR_RUN_CELLS);
    struct listed listed = {.arena = &table.arena};
    int failed = bm_store_runs(store, o->branch, keep_run, &listed);

    for (size_t i = first_shown(o, listed.count); i < listed.count; i++) {
        const char *const *row = listed.rows[i];
        struct bm_cell *cells = bm_table_add_row(&table);

        cells[0] = bm_cell_count(strtoull(row[0], NULL, 10));
        for (size_t j = 1; j < NR_RUN_CELLS - 1; j++)
            cells[j] = bm_cell_text(row[j]);
        cells[3] = revision_cell(&table.arena, row[3], o->common.format);
        cells[8] = bm_cell_count(strtoull(row[8], NULL, 10));
    }
    if (!failed)
        failed = write_table(o, &table);
    free(listed.rows);
    bm_table_clear(&table);
    return failed;
}

/* -- show ------------------------------------------------------------------ */

struct entry {
    uint64_t id;
    const char *time, *branch, *revision, *label;
    struct bm_history_build build;
    bool present[BM_NR_MEASURES];
    long double values[BM_NR_MEASURES];
};

struct series {
    struct bm_arena *arena;
    enum bm_stat stat;
    struct entry *entries;
    size_t count;
    size_t room;
    bool present[BM_NR_MEASURES];
};

static const char *keep(struct series *series, const char *text)
{
    return text ? bm_arena_strdup(series->arena, text) : NULL;
}

static struct entry *entry_of(struct series *series, const char *const *cells)
{
    uint64_t id = strtoull(cells[0], NULL, 10);

    if (series->count && series->entries[series->count - 1].id == id)
        return &series->entries[series->count - 1];
    series->entries = bm_xgrow(series->entries, series->count, &series->room,
                               sizeof(*series->entries));
    struct entry *entry = &series->entries[series->count++];
    *entry = (struct entry){
        .id = id,
        .time = keep(series, cells[1]),
        .branch = keep(series, cells[2]),
        .revision = keep(series, cells[3]),
        .label = keep(series, cells[4]),
        .build = {keep(series, cells[5]), keep(series, cells[6]),
                  keep(series, cells[7])},
    };
    return entry;
}

static int keep_figure(void *context, const char *const *cells)
{
    struct series *series = context;
    struct entry *entry = entry_of(series, cells);
    int measure = bm_measure_find(cells[8]);
    /* In the order of enum bm_stat. */
    const char *const stats[BM_NR_STATS] = {cells[9], cells[10], cells[11],
                                            cells[12], cells[13]};

    /* A newer benchmem may have stored metrics that this one does not know. */
    if (measure < 0)
        return 0;
    entry->present[measure] = true;
    entry->values[measure] = strtold(stats[series->stat], NULL);
    series->present[measure] = true;
    return 0;
}

struct names {
    const char *wanted;
    char *exact;
    struct bm_strvec part;
    struct bm_strvec all;
};

static int keep_name(void *context, const char *const *cells)
{
    struct names *names = context;

    bm_strvec_push(&names->all, cells[0]);
    if (!strcmp(cells[0], names->wanted))
        names->exact = bm_xstrdup(cells[0]);
    if (strstr(cells[0], names->wanted))
        bm_strvec_push(&names->part, cells[0]);
    return 0;
}

/* The benchmark that is meant, the caller's; dies where that is not clear. */
static char *find_benchmark(struct bm_store *store, const char *wanted)
{
    struct names names = {wanted, NULL, BM_STRVEC_INIT, BM_STRVEC_INIT};
    struct bm_str list = BM_STR_INIT;

    if (bm_store_benchmarks(store, keep_name, &names))
        exit(BM_EXIT_USAGE);
    if (!names.exact && names.part.count == 1)
        names.exact = bm_xstrdup(names.part.items[0]);
    if (!names.exact) {
        const struct bm_strvec *shown =
            names.part.count ? &names.part : &names.all;

        for (size_t i = 0; i < shown->count; i++)
            bm_str_printf(&list, "%s%s", i ? ", " : "", shown->items[i]);
        bm_die("%s %s: there is %s",
               names.part.count ? "several benchmarks fit" : "nothing fits",
               wanted, list.size ? list.data : "nothing");
    }
    bm_strvec_clear(&names.part);
    bm_strvec_clear(&names.all);
    return names.exact;
}

static bool is_for_programs(enum bm_format format)
{
    return format == BM_FORMAT_JSON || format == BM_FORMAT_CSV;
}

static struct bm_cell value_cell(struct bm_arena *arena, long double value,
                                 enum bm_unit unit, enum bm_format format)
{
    struct bm_str text = BM_STR_INIT;
    bool whole = value == (long double)(uint64_t)value;

    if (unit == BM_UNIT_BYTES && whole)
        return bm_cell_bytes((uint64_t)value);
    if ((unit == BM_UNIT_COUNT || is_for_programs(format)) && whole)
        return bm_cell_count((uint64_t)value);
    bool exact = is_for_programs(format);
    if (exact)
        bm_value_print_exact(&text, value);
    else
        bm_value_print(&text, value, unit);
    struct bm_cell cell =
        exact ? bm_cell_number(bm_arena_strdup(arena, text.data))
              : text_cell(arena, text.data);
    bm_str_clear(&text);
    return cell;
}

static struct bm_cell shown_change(struct bm_arena *arena, long double before,
                                   long double after)
{
    if (before == after)
        return bm_cell_text("same");
    if (before == 0)
        return bm_cell_text("from 0");
    return bm_cell_text(
        bm_arena_printf(arena, "%+.1Lf%%", (after - before) / before * 100));
}

/* In percent; nothing where it grew from 0. */
static struct bm_cell exact_change(struct bm_arena *arena, long double before,
                                   long double after)
{
    struct bm_str text = BM_STR_INIT;

    if (before == 0 && after != 0)
        return (struct bm_cell){.kind = BM_CELL_EMPTY};
    bm_value_print_exact(&text,
                         before == after ? 0 : (after - before) / before * 100);
    struct bm_cell cell = bm_cell_number(bm_arena_strdup(arena, text.data));
    bm_str_clear(&text);
    return cell;
}

/* Against the entry before that is of a like build; empty without one. */
static struct bm_cell change_cell(struct bm_arena *arena,
                                  const struct bm_history_options *o,
                                  const struct series *series, size_t at,
                                  enum bm_measure measure)
{
    const struct entry *entry = &series->entries[at];

    for (size_t i = at; i-- > 0;) {
        const struct entry *base = &series->entries[i];

        if (!base->present[measure] ||
            (!o->unlike && !bm_history_alike(&base->build, &entry->build)))
            continue;
        long double before = base->values[measure];
        long double after = entry->values[measure];
        struct bm_cell cell = is_for_programs(o->common.format)
                                  ? exact_change(arena, before, after)
                                  : shown_change(arena, before, after);
        if (before != after)
            cell.tone = after > before ? BM_TONE_BAD : BM_TONE_GOOD;
        return cell;
    }
    return (struct bm_cell){.kind = BM_CELL_EMPTY};
}

static size_t choose_columns(const struct bm_history_options *o,
                             const struct series *series,
                             struct bm_column *columns,
                             enum bm_measure *measures)
{
    static const struct bm_column first[] = {
        {"RUN", "run", BM_COLUMN_RIGHT},   {"TIME", "time", BM_COLUMN_SPARE(1)},
        {"BRANCH", "branch", 0},           {"REVISION", "revision", 0},
        {"LABEL", "label", BM_COLUMN_END},
    };
    size_t nr_measures = 0, n = sizeof(first) / sizeof(first[0]);

    memcpy(columns, first, sizeof(first));
    for (int m = 0; m < BM_NR_MEASURES; m++) {
        if (o->any_measure ? !o->measures[m] : !series->present[m])
            continue;
        measures[nr_measures++] = (enum bm_measure)m;
        columns[n++] = (struct bm_column){
            bm_measure_names[m], bm_measure_info((enum bm_measure)m)->key,
            BM_COLUMN_RIGHT};
        columns[n++] = (struct bm_column){"change",
                                          bm_arena_printf(series->arena,
                                                          "%s_change_percent",
                                                          bm_measure_names[m]),
                                          BM_COLUMN_RIGHT};
    }
    return nr_measures;
}

static void add_entry(struct bm_table *table,
                      const struct bm_history_options *o,
                      const struct series *series, size_t at,
                      const enum bm_measure *measures, size_t nr_measures)
{
    const struct entry *entry = &series->entries[at];
    struct bm_cell *cells = bm_table_add_row(table);

    cells[0] = bm_cell_count(entry->id);
    cells[1] = bm_cell_text(entry->time);
    cells[2] = bm_cell_text(entry->branch);
    cells[3] = revision_cell(&table->arena, entry->revision, o->common.format);
    cells[4] = bm_cell_text(entry->label);
    for (size_t i = 0; i < nr_measures; i++) {
        enum bm_measure m = measures[i];

        if (!entry->present[m])
            continue;
        cells[5 + 2 * i] =
            value_cell(&table->arena, entry->values[m],
                       bm_measure_info(m)->unit, o->common.format);
        cells[6 + 2 * i] = change_cell(&table->arena, o, series, at, m);
    }
}

int bm_history_show(const struct bm_history_options *o, struct bm_store *store)
{
    char *benchmark = find_benchmark(store, o->args.items[0]);
    struct bm_column columns[5 + 2 * BM_NR_MEASURES];
    enum bm_measure measures[BM_NR_MEASURES];
    struct bm_arena arena = BM_ARENA_INIT;
    struct series series = {.arena = &arena, .stat = o->stat};
    struct bm_table table;
    int failed =
        bm_store_series(store, benchmark, o->branch, keep_figure, &series);
    size_t nr_measures = choose_columns(o, &series, columns, measures);

    bm_table_init(&table, columns, 5 + 2 * nr_measures);
    for (size_t i = first_shown(o, series.count); i < series.count; i++)
        add_entry(&table, o, &series, i, measures, nr_measures);
    if (!failed && !series.count)
        failed = bm_error("no run of %s has %s", o->branch, benchmark);
    if (!failed)
        failed = write_table(o, &table);
    bm_table_clear(&table);
    bm_arena_release(&arena);
    free(series.entries);
    free(benchmark);
    return failed;
}
