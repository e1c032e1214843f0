/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * One run folded along a dimension: its values become the series, and what is
 * left of an id without it becomes the row.
 */
#include "results/join_rows.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* A text and its number: of a series or of a row. */
struct number {
    UT_hash_handle hh;
    const char *text;
    size_t number;
    double value; /* of a series that is a number */
};

struct folding {
    struct bm_joined *joined;
    const struct bm_dimension *dimension;
    struct bm_arena arena;
    struct number *values;
    struct number *rows;
    bool numeric;
};

static struct number *number_of(struct folding *folding, struct number **index,
                                const char *text)
{
    struct number *entry;

    HASH_FIND_STR(*index, text, entry);
    if (!entry) {
        entry = bm_arena_alloc(&folding->arena, sizeof(*entry));
        entry->text = text;
        entry->number = HASH_COUNT(*index);
        HASH_ADD_KEYPTR(hh, *index, entry->text, strlen(entry->text), entry);
    }
    return entry;
}

/* -- rows ------------------------------------------------------------------ */

/* FILE::NAME[PARAMS] without one parameter. */
static const char *without_param(struct folding *folding,
                                 const struct bm_run_benchmark *benchmark,
                                 const struct bm_param_info *left_out)
{
    struct bm_str id = BM_STR_INIT;
    bool any = false;

    bm_str_printf(&id, "%s%s%s", benchmark->file ? benchmark->file : "",
                  benchmark->file ? "::" : "", benchmark->name);
    for (size_t i = 0; i < benchmark->nr_params; i++) {
        const struct bm_param_info *param = &benchmark->params[i];

        if (param == left_out)
            continue;
        bm_str_printf(&id, "%s%s=%s", any ? "," : "[", param->name,
                      param->text);
        any = true;
    }
    if (any)
        bm_str_putc(&id, ']');
    const char *text = bm_arena_strdup(&folding->joined->arena, id.data);
    bm_str_clear(&id);
    return text;
}

/* What is left of the id once the dimension is taken out of it. */
static const char *row_id(struct folding *folding,
                          const struct bm_run_benchmark *benchmark)
{
    struct bm_arena *arena = &folding->joined->arena;
    const char *name = bm_benchmark_name(benchmark);
    size_t size = strlen(benchmark->name);

    switch (folding->dimension->kind) {
    case BM_DIMENSION_FILE:
        return bm_arena_printf(arena, "*::%s", name);
    case BM_DIMENSION_FUNCTION:
        return bm_arena_printf(
            arena, "%s::*%s", benchmark->file ? benchmark->file : "",
            strncmp(name, benchmark->name, size) ? "" : name + size);
    case BM_DIMENSION_PARAM:
    case BM_DIMENSION_ANY:
        return without_param(folding, benchmark,
                             bm_dimension_value(folding->dimension, benchmark));
    default:
        return benchmark->id;
    }
}

/* -- series ---------------------------------------------------------------- */

static double number_value(const struct bm_param_info *value)
{
    switch (value->kind) {
    case BM_VALUE_SIGNED:
        return (double)value->value.i;
    case BM_VALUE_UNSIGNED:
        return (double)value->value.u;
    default:
        return value->value.d;
    }
}

static bool is_number(const struct bm_param_info *value)
{
    return value &&
           (value->kind == BM_VALUE_SIGNED ||
            value->kind == BM_VALUE_UNSIGNED || value->kind == BM_VALUE_DOUBLE);
}

static int by_value(struct number *a, struct number *b)
{
    return (a->value > b->value) - (a->value < b->value);
}

/* Numbers the values; how many benchmarks have none. */
static size_t find_series(struct folding *folding, const struct bm_run *run)
{
    size_t left_out = 0, number = 0;
    struct number *entry;

    folding->numeric = true;
    for (size_t i = 0; i < run->nr_benchmarks; i++) {
        const struct bm_run_benchmark *benchmark = &run->benchmarks[i];
        const struct bm_param_info *value =
            bm_dimension_value(folding->dimension, benchmark);
        const char *text = bm_dimension_text(folding->dimension, benchmark);

        if (!text) {
            left_out++;
            continue;
        }
        entry = number_of(folding, &folding->values, text);
        if (is_number(value))
            entry->value = number_value(value);
        else
            folding->numeric = false;
    }
    if (folding->numeric)
        HASH_SORT(folding->values, by_value);
    for (entry = folding->values; entry; entry = entry->hh.next)
        entry->number = number++;
    return left_out;
}

/* -- cells ----------------------------------------------------------------- */

static int put(struct folding *folding,
               const struct bm_run_benchmark *benchmark)
{
    struct bm_joined *joined = folding->joined;
    const char *text = bm_dimension_text(folding->dimension, benchmark);
    struct number *series, *row_number;

    if (!text)
        return 0;
    HASH_FIND_STR(folding->values, text, series);
    const char *id = row_id(folding, benchmark);
    row_number = number_of(folding, &folding->rows, id);
    struct bm_joined_row *row = row_number->number < joined->nr_rows
                                    ? &joined->rows[row_number->number]
                                    : bm_joined_add_row(joined);
    if (row->cells[series->number])
        return bm_error("--pivot %s: %s and %s would share a cell",
                        folding->dimension->text,
                        row->cells[series->number]->id, benchmark->id);
    bm_joined_put(row, series->number, benchmark);
    const char *end = strstr(id, "::");
    row->id = id;
    row->name = end ? end + 2 : id;
    return 0;
}

static int no_series(const struct bm_dimension *dimension, struct bm_run *run)
{
    struct bm_str list = BM_STR_INIT;

    bm_dimension_list(&list, &run, 1);
    bm_error("--pivot %s: no benchmark of %s has it; %s%s", dimension->text,
             run->label,
             list.size ? "there are: function, file, "
                       : "there is "
                         "only function and file",
             list.data);
    bm_str_clear(&list);
    return -1;
}

static void warn_left_out(const struct bm_dimension *dimension, size_t count)
{
    if (count)
        bm_warn("--pivot %s: left out %zu benchmark%s without it",
                dimension->text, count, count == 1 ? "" : "s");
}

int bm_join_pivot(struct bm_joined *joined, struct bm_run *run,
                  const struct bm_dimension *dimension)
{
    struct folding folding = {.joined = joined, .dimension = dimension};
    size_t left_out = find_series(&folding, run);
    struct number *value;
    int failed = 0;

    bm_joined_init(joined, HASH_COUNT(folding.values));
    joined->pivot = dimension->text;
    if (!folding.values)
        failed = no_series(dimension, run);
    else
        warn_left_out(dimension, left_out);
    for (value = folding.values; value; value = value->hh.next) {
        joined->labels[value->number] = bm_arena_printf(
            &joined->arena, "%s=%s", dimension->name, value->text);
        joined->runs[value->number] = run;
    }
    for (size_t i = 0; !failed && i < run->nr_benchmarks; i++)
        failed = put(&folding, &run->benchmarks[i]);
    if (!failed)
        bm_joined_judge(joined);
    HASH_CLEAR(hh, folding.values);
    HASH_CLEAR(hh, folding.rows);
    bm_arena_release(&folding.arena);
    return failed;
}
