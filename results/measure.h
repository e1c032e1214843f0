/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What is measured of a benchmark, its values over the passes, and their
 * statistics. The metrics are those of results/metrics.inc.
 *
 * Values are whole numbers of 64 bits. Statistics are `long double`, which
 * holds every such number exactly on 64-bit Linux, so that equal stays equal
 * also above 2^53.
 */
#ifndef BENCHMEM_RESULTS_MEASURE_H
#define BENCHMEM_RESULTS_MEASURE_H

#include "base/str.h"
#include "profile/profile.h"

#include <stdbool.h>
#include <stdint.h>

enum bm_unit {
    BM_UNIT_COUNT,
    BM_UNIT_BYTES,
    BM_UNIT_NS,
};

enum bm_measure {
#define BM_MEASURE(id, name, unit, key, meaning) BM_MEASURE_##id,
#include "results/metrics.inc"
    BM_NR_MEASURES
};

/* Names in options and tables, in their order; NULL at the end. */
extern const char *const bm_measure_names[];

struct bm_measure_info {
    const char *name; /* "peak" */
    enum bm_unit unit;
    const char *key;     /* of a pass in JSON: "peak_bytes" */
    const char *meaning; /* for headings */
};

const struct bm_measure_info *bm_measure_info(enum bm_measure measure);

/* -1 if text is no metric's whole name. */
int bm_measure_find(const char *text);

enum bm_stat {
    BM_STAT_MIN, /* the headline */
    BM_STAT_MAX,
    BM_STAT_MEAN,
    BM_STAT_MEDIAN,
    BM_STAT_STDDEV,
    BM_NR_STATS
};

/* Names in options and tables, in their order; NULL at the end. */
extern const char *const bm_stat_names[];

/* One metric of one benchmark over its passes. */
struct bm_series {
    const uint64_t *values; /* one for each pass, in order */
    size_t nr_values;
    struct bm_range more; /* of the passes that are not kept singly */
    uint64_t nr_more;
};

/* False where the metric was not measured. */
bool bm_series_present(const struct bm_series *series);

/*
 * The statistic over all passes, false where the metric was not measured.
 * Minimum, maximum and mean are of all passes, median and deviation (of the
 * sample: divided by n - 1; 0 for one pass) of those that are kept singly.
 */
bool bm_series_stat(const struct bm_series *series, enum bm_stat stat,
                    long double *value);

/* The value as people read it: "22.5 MiB", "1,024" never: "1024", "1.2 ms". */
void bm_value_print(struct bm_str *out, long double value, enum bm_unit unit);

/* The same with its sign: "+1.0 KiB". */
void bm_value_print_change(struct bm_str *out, long double change,
                           enum bm_unit unit);

/* The exact number for files: "1024", "0.5" with as many digits as needed. */
void bm_value_print_exact(struct bm_str *out, long double value);

#endif
