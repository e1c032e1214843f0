/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The last run for services that keep series:
 *
 *   action   github-action-benchmark, tool customSmallerIsBetter
 *   bencher  Bencher Metric Format
 *   gobench  Go benchmark text: a line for each pass, for benchstat
 */
#include "base/error.h"
#include "base/json.h"
#include "tools/compare.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Longer names are refused by Bencher. */
#define MOST_NAME 1024

static const char *const action_units[] = {
    [BM_UNIT_COUNT] = "allocations",
    [BM_UNIT_BYTES] = "bytes",
    [BM_UNIT_NS] = "ns",
};

/* The last word is the unit; what Go calls its own keeps Go's name. */
static const char *const go_units[BM_NR_MEASURES] = {
    [BM_MEASURE_TIME] = "ns/op",
    [BM_MEASURE_PEAK] = "peak-B/op",
    [BM_MEASURE_ALLOCATED] = "B/op",
    [BM_MEASURE_ALLOCATIONS] = "allocs/op",
    [BM_MEASURE_LEAKED] = "leaked-B/op",
    [BM_MEASURE_RSS] = "rss-B/op",
    [BM_MEASURE_SETUP_RSS] = "setup-rss-B/op",
};

static const struct bm_run_benchmark *
last_cell(const struct bm_compare *compare, size_t row)
{
    return compare->rows[row]->cells[compare->joined.nr_series - 1];
}

static const char *id_of(const struct bm_compare *compare, size_t row)
{
    const char *id = compare->rows[row]->id;

    return id ? id : compare->rows[row]->name;
}

static void put_number(struct bm_json *json, const char *key, long double value)
{
    bm_json_key(json, key);
    if (value == floorl(value) && value >= 0 &&
        value <= (long double)UINT64_MAX)
        bm_json_uint(json, (uint64_t)value);
    else
        bm_json_double(json, (double)value);
}

/* -- github-action-benchmark ----------------------------------------------- */

static void put_entry(const struct bm_compare *compare, struct bm_json *json,
                      size_t row, enum bm_measure measure)
{
    const struct bm_series *series = &last_cell(compare, row)->series[measure];
    enum bm_unit unit = bm_measure_info(measure)->unit;
    struct bm_str name = BM_STR_INIT, range = BM_STR_INIT;
    long double value, least, most;

    if (!bm_series_stat(series, bm_compare_first_stat(compare), &value))
        return;
    bm_series_stat(series, BM_STAT_MIN, &least);
    bm_series_stat(series, BM_STAT_MAX, &most);
    bm_str_printf(&name, "%s %s", id_of(compare, row),
                  bm_measure_names[measure]);
    bm_json_begin_object(json);
    bm_json_put_string(json, "name", name.data);
    put_number(json, "value", value);
    bm_json_put_string(json, "unit", action_units[unit]);
    if (most > least) {
        bm_value_print_exact(&range, least);
        bm_str_puts(&range, " - ");
        bm_value_print_exact(&range, most);
        bm_json_put_string(json, "range", range.data);
    }
    bm_json_end_object(json);
    bm_str_clear(&name);
    bm_str_clear(&range);
}

static void put_action(const struct bm_compare *compare, FILE *file)
{
    struct bm_json json;

    bm_json_init(&json, file, 1);
    bm_json_begin_array(&json);
    for (size_t r = 0; r < compare->joined.nr_rows; r++) {
        for (size_t c = 0; last_cell(compare, r) && c < compare->nr_columns;
             c++) {
            if (!compare->columns[c].is_extra)
                put_entry(compare, &json, r, compare->columns[c].measure);
        }
    }
    bm_json_end_array(&json);
    bm_json_finish(&json);
}

/* -- Bencher --------------------------------------------------------------- */

static void put_measures(const struct bm_compare *compare, struct bm_json *json,
                         size_t row)
{
    const struct bm_run_benchmark *cell = last_cell(compare, row);

    for (size_t c = 0; c < compare->nr_columns; c++) {
        const struct bm_compare_column *column = &compare->columns[c];
        long double value;

        if (column->is_extra ||
            !bm_series_stat(&cell->series[column->measure],
                            bm_compare_first_stat(compare), &value))
            continue;
        bm_json_free_key(json, bm_measure_names[column->measure]);
        bm_json_begin_object(json);
        put_number(json, "value", value);
        bm_series_stat(&cell->series[column->measure], BM_STAT_MIN, &value);
        put_number(json, "lower_value", value);
        bm_series_stat(&cell->series[column->measure], BM_STAT_MAX, &value);
        put_number(json, "upper_value", value);
        bm_json_end_object(json);
    }
}

/* Cut between characters: no byte that goes on one is the first left out. */
static void put_name(struct bm_json *json, const char *id)
{
    struct bm_str name = BM_STR_INIT;
    size_t size = strlen(id);

    if (size > MOST_NAME)
        size = MOST_NAME;
    while (size && ((unsigned char)id[size] & 0xc0) == 0x80)
        size--;
    bm_str_add(&name, id, size);
    bm_json_free_key(json, name.data);
    bm_str_clear(&name);
}

static void put_bencher(const struct bm_compare *compare, FILE *file)
{
    struct bm_json json;

    bm_json_init(&json, file, 2);
    bm_json_begin_object(&json);
    for (size_t r = 0; r < compare->joined.nr_rows; r++) {
        if (!last_cell(compare, r))
            continue;
        put_name(&json, id_of(compare, r));
        bm_json_begin_object(&json);
        put_measures(compare, &json, r);
        bm_json_end_object(&json);
    }
    bm_json_end_object(&json);
    bm_json_finish(&json);
}

/* -- Go -------------------------------------------------------------------- */

/* No blanks in a name, and / parts it. */
static void put_word(FILE *file, const char *text)
{
    for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
        if (*p <= ' ' || *p == 0x7f || *p == '/')
            fputc('_', file);
        else
            fputc(*p, file);
    }
}

static void put_pass(const struct bm_run_benchmark *cell, size_t pass,
                     const bool *wanted, FILE *file)
{
    fputs("Benchmark_", file);
    put_word(file, cell->name);
    for (size_t i = 0; i < cell->nr_params; i++) {
        fputc('/', file);
        put_word(file, cell->params[i].name);
        fputc('=', file);
        put_word(file, cell->params[i].text);
    }
    fputs(" 1", file);
    for (int m = 0; m < BM_NR_MEASURES; m++) {
        if (wanted[m] && pass < cell->series[m].nr_values)
            fprintf(file, " %llu %s",
                    (unsigned long long)cell->series[m].values[pass],
                    go_units[m]);
    }
    fputc('\n', file);
}

static void put_go_benchmark(const struct bm_run_benchmark *cell,
                             const bool *wanted, FILE *file)
{
    size_t nr_passes = 0;

    for (int m = 0; m < BM_NR_MEASURES; m++) {
        if (wanted[m] && cell->series[m].nr_values > nr_passes)
            nr_passes = cell->series[m].nr_values;
    }
    for (size_t i = 0; i < nr_passes; i++)
        put_pass(cell, i, wanted, file);
}

/* All metrics that there are, unless columns were asked for. */
static void choose(const struct bm_compare *compare, bool *wanted)
{
    for (int m = 0; m < BM_NR_MEASURES; m++)
        wanted[m] = !compare->options->nr_columns &&
                    bm_joined_has(&compare->joined, (enum bm_measure)m);
    for (size_t c = 0; c < compare->nr_columns; c++) {
        if (!compare->columns[c].is_extra)
            wanted[compare->columns[c].measure] = true;
    }
}

static void put_gobench(const struct bm_compare *compare, FILE *file)
{
    bool wanted[BM_NR_MEASURES];
    const char *package = "";

    choose(compare, wanted);
    for (int m = 0; m < BM_NR_MEASURES; m++) {
        if (wanted[m] && m != BM_MEASURE_TIME)
            fprintf(file, "Unit %s better=lower%s\n", go_units[m],
                    m < BM_MEASURE_RSS ? " assume=exact" : "");
    }
    for (size_t r = 0; r < compare->joined.nr_rows; r++) {
        const struct bm_run_benchmark *cell = last_cell(compare, r);

        if (!cell)
            continue;
        if (cell->file && strcmp(cell->file, package)) {
            package = cell->file;
            fputs("pkg: ", file);
            put_word(file, package);
            fputc('\n', file);
        }
        put_go_benchmark(cell, wanted, file);
    }
}

void bm_compare_series(const struct bm_compare *compare, FILE *file)
{
    switch (compare->options->format) {
    case BM_COMPARE_ACTION:
        put_action(compare, file);
        return;
    case BM_COMPARE_BENCHER:
        put_bencher(compare, file);
        return;
    default:
        put_gobench(compare, file);
        return;
    }
}
