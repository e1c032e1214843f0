/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "results/measure.h"

#include "base/memory.h"
#include "base/size.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct bm_measure_info measures[BM_NR_MEASURES] = {
#define BM_MEASURE(id, name, unit, key, meaning)                               \
    [BM_MEASURE_##id] = {name, unit, key, meaning},
#include "results/metrics.inc"
};

const char *const bm_measure_names[] = {
#define BM_MEASURE(id, name, unit, key, meaning) [BM_MEASURE_##id] = name,
#include "results/metrics.inc"
    [BM_NR_MEASURES] = NULL,
};

const char *const bm_stat_names[] = {
    [BM_STAT_MIN] = "min",       [BM_STAT_MAX] = "max",
    [BM_STAT_MEAN] = "mean",     [BM_STAT_MEDIAN] = "median",
    [BM_STAT_STDDEV] = "stddev", [BM_NR_STATS] = NULL,
};

const struct bm_measure_info *bm_measure_info(enum bm_measure measure)
{
    return &measures[measure];
}

int bm_measure_find(const char *text)
{
    for (int i = 0; i < BM_NR_MEASURES; i++) {
        if (!strcmp(measures[i].name, text))
            return i;
    }
    return -1;
}

/* -- statistics ------------------------------------------------------------ */

bool bm_series_present(const struct bm_series *series)
{
    return series->nr_values || series->nr_more;
}

static long double extreme(const struct bm_series *series, bool largest)
{
    uint64_t best = largest ? series->more.max : series->more.min;
    bool any = series->nr_more > 0;

    for (size_t i = 0; i < series->nr_values; i++) {
        uint64_t value = series->values[i];

        if (!any || (largest ? value > best : value < best))
            best = value;
        any = true;
    }
    return best;
}

static long double mean(const struct bm_series *series)
{
    unsigned __int128 sum = series->more.sum;

    for (size_t i = 0; i < series->nr_values; i++)
        sum += series->values[i];
    return (long double)sum /
           (long double)(series->nr_values + series->nr_more);
}

static int compare_values(const void *a, const void *b)
{
    const uint64_t *p = a, *q = b;

    return (*p > *q) - (*p < *q);
}

static long double median(const struct bm_series *series)
{
    size_t n = series->nr_values;

    if (!n)
        return mean(series);
    uint64_t *sorted = bm_xcalloc(n, sizeof(*sorted));
    memcpy(sorted, series->values, n * sizeof(*sorted));
    qsort(sorted, n, sizeof(*sorted), compare_values);
    long double upper = sorted[n / 2];
    long double lower = sorted[(n - 1) / 2];
    free(sorted);
    return (lower + upper) / 2;
}

static long double deviation(const struct bm_series *series)
{
    size_t n = series->nr_values;
    struct bm_series single = {.values = series->values, .nr_values = n};
    long double sum = 0;

    if (n < 2)
        return 0;
    long double middle = mean(&single);
    for (size_t i = 0; i < n; i++) {
        long double off = (long double)series->values[i] - middle;
        sum += off * off;
    }
    return sqrtl(sum / (long double)(n - 1));
}

bool bm_series_stat(const struct bm_series *series, enum bm_stat stat,
                    long double *value)
{
    if (!bm_series_present(series))
        return false;
    switch (stat) {
    case BM_STAT_MIN:
    case BM_STAT_MAX:
        *value = extreme(series, stat == BM_STAT_MAX);
        break;
    case BM_STAT_MEAN:
        *value = mean(series);
        break;
    case BM_STAT_MEDIAN:
        *value = median(series);
        break;
    default:
        *value = deviation(series);
        break;
    }
    return true;
}

/* -- printing -------------------------------------------------------------- */

static void print_time(struct bm_str *out, long double ns)
{
    static const struct {
        long double least;
        const char *name;
    } units[] = {{1e9L, "s"}, {1e6L, "ms"}, {1e3L, "us"}, {0, "ns"}};
    size_t i = 0;

    /* 999.96 us is "1.0 ms". */
    while (ns < units[i].least * (i < 3 ? 0.99995L : 0))
        i++;
    bm_str_printf(out, i == 3 ? "%.0Lf %s" : "%.1Lf %s",
                  ns / (units[i].least > 0 ? units[i].least : 1),
                  units[i].name);
}

static void print_count(struct bm_str *out, long double value)
{
    if (value == floorl(value))
        bm_str_printf(out, "%.0Lf", value);
    else
        bm_str_printf(out, "%.1Lf", value);
}

void bm_value_print(struct bm_str *out, long double value, enum bm_unit unit)
{
    switch (unit) {
    case BM_UNIT_BYTES:
        bm_size_print(out, (uint64_t)(value + 0.5L));
        break;
    case BM_UNIT_NS:
        print_time(out, value);
        break;
    default:
        print_count(out, value);
        break;
    }
}

void bm_value_print_change(struct bm_str *out, long double change,
                           enum bm_unit unit)
{
    if (change != 0)
        bm_str_putc(out, change < 0 ? '-' : '+');
    bm_value_print(out, fabsl(change), unit);
}

void bm_value_print_exact(struct bm_str *out, long double value)
{
    char text[64];

    if (value == floorl(value) && fabsl(value) <= (long double)UINT64_MAX) {
        bm_str_printf(out, "%.0Lf", value);
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof(text), "%.*g", digits, (double)value);
        if (strtod(text, NULL) == (double)value)
            break;
    }
    bm_str_puts(out, text);
}
