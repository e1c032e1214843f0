/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Which columns are shown, and in what order rows and groups come.
 */
#include "base/error.h"
#include "tools/compare.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

static const struct bm_compare_column default_columns[] = {
    {false, BM_MEASURE_TIME, NULL},
    {false, BM_MEASURE_PEAK, NULL},
};

/* -- columns --------------------------------------------------------------- */

static bool has_extra(const struct bm_joined *joined, const char *name)
{
    for (size_t i = 0; i < joined->nr_rows; i++) {
        const struct bm_run_benchmark *sample = joined->rows[i].sample;

        if (bm_run_value(sample->extra, sample->nr_extra, name))
            return true;
    }
    return false;
}

static void add_column(struct bm_compare *compare,
                       const struct bm_compare_column *column, bool asked)
{
    bool there = column->is_extra
                     ? has_extra(&compare->joined, column->extra)
                     : bm_joined_has(&compare->joined, column->measure);

    if (there) {
        compare->columns[compare->nr_columns++] = *column;
        compare->nr_measures += !column->is_extra;
    } else if (asked) {
        bm_warn("left out the column %s: no run has it",
                column->is_extra ? column->extra
                                 : bm_measure_names[column->measure]);
    }
}

/* What the options say, or else what is usual, or else what there is. */
static int choose_columns(struct bm_compare *compare)
{
    const struct bm_compare_options *options = compare->options;
    bool asked = options->nr_columns > 0;
    size_t nr = asked ? options->nr_columns : 2;

    compare->columns =
        bm_xcalloc(nr + BM_NR_MEASURES, sizeof(*compare->columns));
    for (size_t i = 0; i < nr; i++)
        add_column(compare, asked ? &options->columns[i] : &default_columns[i],
                   asked);
    for (int m = 0; !asked && !compare->nr_measures && m < BM_NR_MEASURES; m++)
        add_column(compare,
                   &(struct bm_compare_column){false, (enum bm_measure)m, NULL},
                   false);
    if (compare->nr_measures)
        return 0;
    return bm_error("nothing to compare: %s",
                    asked ? "no run has any of these columns"
                          : "no run has a benchmark that was measured");
}

static void choose_stats(struct bm_compare *compare)
{
    const struct bm_compare_options *options = compare->options;

    for (int i = 0; i < BM_NR_STATS; i++) {
        compare->stats[i] = options->stats_given ? options->stats[i]
                            : options->diff      ? i == BM_STAT_MIN
                                                 : true;
        compare->nr_stats += compare->stats[i];
    }
}

enum bm_stat bm_compare_first_stat(const struct bm_compare *compare)
{
    int stat = 0;

    while (!compare->stats[stat])
        stat++;
    return (enum bm_stat)stat;
}

static const struct bm_compare_column *
first_measure(const struct bm_compare *compare)
{
    const struct bm_compare_column *column = compare->columns;

    while (column->is_extra)
        column++;
    return column;
}

enum bm_measure bm_compare_site_measure(const struct bm_compare *compare)
{
    for (size_t i = 0; i < compare->nr_columns; i++) {
        if (!compare->columns[i].is_extra &&
            bm_digest_has(compare->columns[i].measure))
            return compare->columns[i].measure;
    }
    return BM_MEASURE_PEAK;
}

bool bm_compare_has_sites(const struct bm_compare *compare)
{
    return compare->joined.nr_series == 2 && !compare->joined.pivot;
}

/* -- order ----------------------------------------------------------------- */

struct sorting {
    const struct bm_compare *compare;
    enum bm_measure measure;
    enum bm_stat stat;
};

/* How far down the list: large values and large growth come first. */
static long double rank_of(const struct sorting *sorting,
                           const struct bm_joined_row *row)
{
    size_t last = sorting->compare->joined.nr_series - 1;
    long double base = 0, head = 0;
    bool has_base =
        bm_joined_value(row, 0, sorting->measure, sorting->stat, &base);
    bool has_head =
        bm_joined_value(row, last, sorting->measure, sorting->stat, &head);

    if (sorting->compare->options->sort == BM_SORT_VALUE)
        return has_head ? head : -1;
    if (!has_base || !has_head)
        return -2;
    if (head == base)
        return 0;
    return base > 0 ? (head - base) / base : __builtin_infl();
}

static int by_name(const struct bm_joined_row *a, const struct bm_joined_row *b)
{
    return strcmp(a->id ? a->id : "", b->id ? b->id : "");
}

static int compare_rows(const void *a, const void *b, void *context)
{
    const struct sorting *sorting = context;
    const struct bm_joined_row *p = *(const struct bm_joined_row *const *)a;
    const struct bm_joined_row *q = *(const struct bm_joined_row *const *)b;

    if (sorting->compare->options->sort != BM_SORT_NAME) {
        long double x = rank_of(sorting, p), y = rank_of(sorting, q);

        if (x != y)
            return x > y ? -1 : 1;
    }
    return by_name(p, q);
}

static void sort_rows(struct bm_compare *compare)
{
    struct bm_joined *joined = &compare->joined;
    struct sorting sorting = {compare, first_measure(compare)->measure,
                              bm_compare_first_stat(compare)};

    compare->rows = bm_xcalloc(joined->nr_rows + 1, sizeof(*compare->rows));
    for (size_t i = 0; i < joined->nr_rows; i++)
        compare->rows[i] = &joined->rows[i];
    if (joined->nr_rows > 1)
        qsort_r(compare->rows, joined->nr_rows, sizeof(*compare->rows),
                compare_rows, &sorting);
}

/* -- names ----------------------------------------------------------------- */

struct seen {
    UT_hash_handle hh;
    const char *name;
};

/* Whether no two rows have one name without their files. */
static bool names_tell(const struct bm_joined *joined)
{
    struct bm_arena arena = BM_ARENA_INIT;
    struct seen *index = NULL, *entry = NULL;
    bool tell = true;

    for (size_t i = 0; tell && i < joined->nr_rows; i++) {
        const char *name = joined->rows[i].name;

        HASH_FIND_STR(index, name, entry);
        tell = !entry;
        entry = bm_arena_alloc(&arena, sizeof(*entry));
        entry->name = name;
        HASH_ADD_KEYPTR(hh, index, entry->name, strlen(entry->name), entry);
    }
    HASH_CLEAR(hh, index);
    bm_arena_release(&arena);
    return tell;
}

const char *bm_compare_name(const struct bm_compare *compare,
                            const struct bm_joined_row *row)
{
    return compare->names_tell || !row->id ? row->name : row->id;
}

int bm_compare_view(struct bm_compare *compare)
{
    choose_stats(compare);
    if (choose_columns(compare))
        return -1;
    sort_rows(compare);
    compare->names_tell = names_tell(&compare->joined);
    return 0;
}

void bm_compare_clear(struct bm_compare *compare)
{
    bm_gate_report_clear(&compare->gates);
    bm_joined_clear(&compare->joined);
    free(compare->columns);
    free(compare->rows);
    bm_arena_release(&compare->arena);
}

/* -- groups ---------------------------------------------------------------- */

struct group {
    UT_hash_handle hh;
    const char *title;
    const struct bm_joined_row **rows;
    size_t nr_rows;
    size_t room;
};

static void put_part(const struct bm_dimension *dimension,
                     const struct bm_run_benchmark *sample, struct bm_str *out)
{
    const char *text = bm_dimension_text(dimension, sample);

    if (dimension->kind >= BM_DIMENSION_PARAM)
        bm_str_printf(out, "%s=", dimension->name);
    bm_str_puts(out, text ? text : "-");
}

static void put_group_title(const struct bm_compare *compare,
                            const struct bm_joined_row *row, struct bm_str *out)
{
    const struct bm_compare_options *options = compare->options;
    static const struct bm_dimension fullname = {BM_DIMENSION_FULLNAME, NULL,
                                                 NULL};
    size_t nr = options->nr_group_by ? options->nr_group_by : 1;

    for (size_t i = 0; i < nr; i++) {
        const struct bm_dimension *dimension =
            options->nr_group_by ? &options->group_by[i] : &fullname;

        if (i)
            bm_str_puts(out, ", ");
        /* A pivoted row is no benchmark any more: it has its own names. */
        if (dimension->kind == BM_DIMENSION_FULLNAME && row->id)
            bm_str_puts(out, row->id);
        else if (dimension->kind == BM_DIMENSION_NAME)
            bm_str_puts(out, row->name);
        else
            put_part(dimension, row->sample, out);
    }
}

void bm_compare_groups(struct bm_compare *compare, bool grouped,
                       bm_group_put *put, const struct bm_page *page)
{
    struct bm_arena arena = BM_ARENA_INIT;
    struct bm_str title = BM_STR_INIT;
    struct group *groups = NULL, *group;

    if (!grouped) {
        put(compare, NULL, compare->rows, compare->joined.nr_rows, page);
        return;
    }
    for (size_t i = 0; i < compare->joined.nr_rows; i++) {
        bm_str_truncate(&title, 0);
        put_group_title(compare, compare->rows[i], &title);
        HASH_FIND_STR(groups, title.data, group);
        if (!group) {
            group = bm_arena_alloc(&arena, sizeof(*group));
            group->title = bm_arena_strdup(&arena, title.data);
            HASH_ADD_KEYPTR(hh, groups, group->title, strlen(group->title),
                            group);
        }
        group->rows = bm_xgrow(group->rows, group->nr_rows, &group->room,
                               sizeof(*group->rows));
        group->rows[group->nr_rows++] = compare->rows[i];
    }
    for (group = groups; group; group = group->hh.next) {
        put(compare, group->title, group->rows, group->nr_rows, page);
        free(group->rows);
    }
    HASH_CLEAR(hh, groups);
    bm_str_clear(&title);
    bm_arena_release(&arena);
}
