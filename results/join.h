/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Runs side by side: one series for each run in the order given, or for each
 * value of one dimension of a single run; one row for each benchmark, with
 * its cell in each series.
 *
 * Benchmarks of two runs are the same if their NAME[PARAMS] is and one FILE is
 * an end of the other ("bench.c", "a/bench.c"). One whose file alone is
 * another, and which no other can be, was moved: it is the same and is named
 * as renamed. One that is gone where one with equal parameters and figures,
 * in the same file, is new was perhaps renamed: it is named, and stays gone.
 *
 * The whole process is a row where a run has no benchmarks: then the run is
 * its only window.
 */
#ifndef BENCHMEM_RESULTS_JOIN_H
#define BENCHMEM_RESULTS_JOIN_H

#include "results/dimension.h"
#include "results/results.h"
#include "results/sites.h"

enum bm_row_status {
    BM_ROW_COMMON, /* in the first and in the last series */
    BM_ROW_NEW,    /* not in the first */
    BM_ROW_GONE,   /* in the first, not in the last */
};

struct bm_joined_row {
    const char *id;   /* as in the last series that has it; NULL: process */
    const char *name; /* the id without FILE */
    const struct bm_run_benchmark **cells; /* by series, NULL where absent */
    const struct bm_run_benchmark *sample; /* of the last series that has it */
    enum bm_row_status status;
};

struct bm_renaming {
    const char *from;
    const char *to;
    bool certain; /* compared as one */
};

struct bm_joined {
    const char **labels;  /* by series, each another */
    struct bm_run **runs; /* by series; pivoted: the same one */
    size_t nr_series;
    const char *pivot; /* the dimension, or NULL */
    struct bm_joined_row *rows;
    size_t nr_rows;
    size_t nr_common;
    size_t nr_new;
    size_t nr_gone;
    struct bm_renaming *renamings;
    size_t nr_renamings;

    /* private */
    size_t room;
    size_t renamings_room;
    struct bm_sites *sites[BM_NR_MEASURES];
    struct bm_arena arena;
};

/* The runs are borrowed until bm_joined_clear. */
void bm_join_runs(struct bm_joined *joined, struct bm_run **runs,
                  size_t nr_runs);

/*
 * Folds a run along a dimension: numbers from the smallest on, other values in
 * the order of the run. Benchmarks without it are left out with a warning.
 * -1 after an error: none has it, or two would share a cell.
 */
int bm_join_pivot(struct bm_joined *joined, struct bm_run *run,
                  const struct bm_dimension *dimension);

/* A statistic of a cell; false where it is absent or was not measured. */
bool bm_joined_value(const struct bm_joined_row *row, size_t series,
                     enum bm_measure measure, enum bm_stat stat,
                     long double *value);

/* True if one path is the other's end, of whole parts. NULL is no file. */
bool bm_same_file(const char *a, const char *b);

/* True if any cell has the metric. */
bool bm_joined_has(const struct bm_joined *joined, enum bm_measure measure);

/*
 * The lines of the first series' run and of the last one's against each other,
 * for a metric that bm_digest_has; the same until bm_joined_clear. NULL after
 * an error, or with *none set where one of the runs has no profile.
 */
struct bm_sites *bm_joined_sites(struct bm_joined *joined,
                                 enum bm_measure measure, bool *none);

/* The ledger of a row's cell in its run's digest; the cell is there. */
uint32_t bm_joined_ledger(const struct bm_joined *joined,
                          const struct bm_joined_row *row, size_t series);

void bm_joined_clear(struct bm_joined *joined);

#endif
