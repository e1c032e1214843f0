/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How figures grow with a parameter: peak ~ n^k, with k's error.
 *
 * k is the slope of the least-squares line through the points
 * (log n, log value), its error the standard error of that slope. So k is 1
 * where twice the input takes twice the memory, 2 where it takes four times
 * as much, and about 0 where it does not matter. A part that does not depend
 * on n makes k smaller for small n.
 *
 * Points whose value or parameter is 0 or less have no logarithm and are
 * counted apart. Where every value is 0 the law is n^0, exactly. Two values
 * of n give k without an error; fewer give no law.
 *
 * A family is the benchmarks of one function that differ in one numeric
 * parameter alone. Each has a law for itself and for each of its sites.
 */
#ifndef BENCHMEM_RESULTS_GROWTH_H
#define BENCHMEM_RESULTS_GROWTH_H

#include "results/results.h"

struct bm_law {
    bool known;
    double exponent;
    double error; /* NaN where two points leave none */
    size_t nr_points;
    size_t nr_zeros; /* left out */
};

/* Of nr points; one n may come several times. */
struct bm_law bm_law_fit(const double *n, const double *values, size_t nr);

/* "n^1.02 ± 0.01", "n^0", "-" if it is not known. */
void bm_law_print(struct bm_str *out, const struct bm_law *law,
                  const char *param);

/* "k ± e" is above limit by more than its own error. */
bool bm_law_exceeds(const struct bm_law *law, double limit);

struct bm_growth {
    const char *family; /* FILE::NAME[the other parameters] */
    const char *param;
    /* "parser.c:88 parse", with a column where others are on the line; NULL:
       the benchmark itself */
    const char *site;
    size_t nr_values; /* of the parameter */
    double first_n, last_n;
    double first, last; /* figures there */
    struct bm_law law;
};

struct bm_growths {
    struct bm_growth *items; /* families in the run's order, then their sites */
    size_t count;

    /* private */
    size_t room;
    struct bm_arena arena;
};

/*
 * The laws of a run's families with at least two values of a parameter, by the
 * minimum over the passes; sites by what they held at the peak, or a pass's
 * share of the metric. most_sites of each family, those with the largest
 * figure at the largest n; profiles of the run are read if it is not 0, and
 * sites left out where they cannot be.
 */
void bm_growths_of(struct bm_growths *growths, struct bm_run *run,
                   enum bm_measure measure, size_t most_sites);

void bm_growths_clear(struct bm_growths *growths);

#endif
