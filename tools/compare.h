/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The parts of benchmem-compare.
 *
 *   compare_options.c  the command line
 *   compare.c          loads the runs, joins them, holds them to the limits
 *   compare_view.c     which columns there are, and rows in their order
 *   compare_tables.c   tables, grouped; compare_diff.c with --diff
 *   compare_sites.c    what grew by line and by path, for people
 *   compare_rows.c     the same figures as rows for programs: JSON and CSV
 *   compare_gate.c     what the limits say, for people
 *   compare_junit.c, compare_sarif.c, compare_github.c   for build servers
 *   compare_series.c   for services that keep series
 */
#ifndef BENCHMEM_TOOLS_COMPARE_H
#define BENCHMEM_TOOLS_COMPARE_H

#include "base/command.h"
#include "base/strvec.h"
#include "results/budget.h"
#include "results/gate.h"
#include "results/join.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* --format, in the order of its names. */
enum bm_compare_format {
    BM_COMPARE_TABLE,
    BM_COMPARE_JSON,
    BM_COMPARE_CSV,
    BM_COMPARE_MD,
    BM_COMPARE_ACTION,  /* github-action-benchmark */
    BM_COMPARE_BENCHER, /* Bencher Metric Format */
    BM_COMPARE_GOBENCH, /* Go benchmark text, for benchstat */
    BM_NR_COMPARE_FORMATS
};

enum bm_compare_sort {
    BM_SORT_NAME,
    BM_SORT_VALUE,
    BM_SORT_CHANGE,
};

/* A metric, or a label that benchmarks carry. */
struct bm_compare_column {
    bool is_extra;
    enum bm_measure measure;
    const char *extra;
};

struct bm_compare_options {
    struct bm_common common;
    enum bm_compare_format format;
    struct bm_strvec args;
    struct bm_strvec labels;
    struct bm_dimension *group_by; /* fullname if there is none */
    size_t nr_group_by;
    struct bm_compare_column *columns; /* time and peak if there is none */
    size_t nr_columns;
    bool stats[BM_NR_STATS]; /* all, or with --diff the minimum, if none is */
    bool stats_given;
    enum bm_compare_sort sort;
    const char *pivot;
    bool diff;
    bool allow_missing;
    uint64_t top; /* lines shown, 0 for all */
    const char *csv;
    const char *junit;
    const char *sarif;
    const char *step_summary;
    bool github;
    struct bm_gates gates;
    struct bm_budget budget;
    bool update_budget;
    uint64_t headroom; /* of --update-budget, in millionths of a percent */
};

void bm_compare_parse(struct bm_compare_options *options, int argc,
                      char **argv);
void bm_compare_options_clear(struct bm_compare_options *options);

/* What is shown: the joined runs, which columns of them, in which order. */
struct bm_compare {
    const struct bm_compare_options *options;
    struct bm_joined joined;
    struct bm_compare_column *columns; /* without those that no run has */
    size_t nr_columns;
    bool stats[BM_NR_STATS];
    size_t nr_stats;
    size_t nr_measures;                /* columns that are no extras */
    const struct bm_joined_row **rows; /* in the order of --sort */
    bool names_tell;                   /* a name without its file is enough */
    bool has_gates;
    bool gates_held; /* it could be told whether they hold */
    struct bm_gate_report gates;
    struct bm_arena arena;
};

/* Columns and rows of joined runs; -1 after an error. */
int bm_compare_view(struct bm_compare *compare);
void bm_compare_clear(struct bm_compare *compare);

/* The metric whose lines are told: the first of the columns that lines have. */
enum bm_measure bm_compare_site_measure(const struct bm_compare *compare);

/* The first statistic that is shown. */
enum bm_stat bm_compare_first_stat(const struct bm_compare *compare);

/* True with two runs: then lines of source are compared too. */
bool bm_compare_has_sites(const struct bm_compare *compare);

/* What tables call a row. */
const char *bm_compare_name(const struct bm_compare *compare,
                            const struct bm_joined_row *row);

/* Where tables go, and as what. */
struct bm_page {
    FILE *file;
    bool markdown;
    struct bm_terminal terminal;
};

/* Escaped for the page. */
void bm_page_text(const struct bm_page *page, const char *text);
void bm_page_title(const struct bm_page *page, const char *title);
void bm_page_table(const struct bm_page *page, const struct bm_table *table);

void bm_compare_tables(struct bm_compare *compare, const struct bm_page *page);
void bm_compare_diff(struct bm_compare *compare, const struct bm_page *page);

/*
 * Rows in groups by --group-by: calls `put` for each with its title (NULL for
 * the only one).
 */
typedef void bm_group_put(struct bm_compare *compare, const char *title,
                          const struct bm_joined_row **rows, size_t nr_rows,
                          const struct bm_page *page);
void bm_compare_groups(struct bm_compare *compare, bool grouped,
                       bm_group_put *put, const struct bm_page *page);

/* Benchmarks that are new, gone or renamed. */
void bm_compare_news(const struct bm_compare *compare,
                     const struct bm_page *page);

/* -1 after an error. */
int bm_compare_sites(struct bm_compare *compare, const struct bm_page *page);

void bm_compare_csv(const struct bm_compare *compare, FILE *file);
int bm_compare_json(struct bm_compare *compare, FILE *file);

/* One line if they hold, else each that does not, with its worst lines. */
void bm_compare_gates(struct bm_compare *compare, const struct bm_page *page);

/* The worst lines of a failed check, at most `most`, one a line of *out. */
void bm_compare_offenders(struct bm_compare *compare,
                          const struct bm_check *check, size_t most,
                          struct bm_str *out);

void bm_compare_junit(struct bm_compare *compare, FILE *file);
void bm_compare_sarif(struct bm_compare *compare, FILE *file);
void bm_compare_annotations(struct bm_compare *compare, FILE *file);
int bm_compare_summary(struct bm_compare *compare, const char *path);

/* The last series in the format of options->format. */
void bm_compare_series(const struct bm_compare *compare, FILE *file);

#endif
