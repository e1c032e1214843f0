/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Limits that runs are held to.
 *
 *   peak:10%                         growth of every benchmark, in percent
 *   peak:5MiB  time:2ms              growth in bytes, or in time
 *   allocations:0  leaked:0          no growth at all
 *   benchmark:bench_x*:peak:10%      of the benchmarks that fit the pattern
 *   site:parser.c:88:peak:0          of one line (in the head; files by suffix)
 *   function:parse_*:allocated:10%   of each function that fits the pattern
 *   growth:1.2                       for bm_growth alone: the exponent of n
 *
 * With `ceiling` the limit is the largest value itself, and no percentage.
 *
 * The first series is held against the last; ceilings hold for the last one.
 * Only growth fails, unless two_sided. Over a base of 0 any growth fails a
 * percentage. New benchmarks pass, gone ones fail where strict. What cannot be
 * decided is an error and never a pass: fewer than two series, no common
 * benchmark, a metric that one side lacks, a line or function that is nowhere.
 *
 *   1. bm_gates_add for each option
 *   2. bm_gates_hold(&gates, &joined, &report); report.nr_failed
 *   3. bm_gate_report_clear, bm_gates_clear
 */
#ifndef BENCHMEM_RESULTS_GATE_H
#define BENCHMEM_RESULTS_GATE_H

#include "results/join.h"
#include "results/sites.h"

#include <stdio.h>

enum bm_gate_subject {
    BM_GATE_BENCHMARKS, /* that fit the pattern, or all */
    BM_GATE_SITE,
    BM_GATE_FUNCTIONS,
    BM_GATE_GROWTH,
};

struct bm_gate {
    const char *text; /* as it was given */
    const char *metric_text;
    const char *limit_text;
    enum bm_gate_subject subject;
    const char *pattern; /* of benchmarks, functions; file of a site; or NULL */
    uint32_t line;       /* of a site */
    enum bm_measure measure;
    bool ceiling;
    bool percent;
    uint64_t limit;  /* in the metric's unit; of a percentage in millionths */
    double exponent; /* of growth */
    const char *origin; /* "benchmem.budget:3", or NULL for an option */
};

struct bm_gates {
    struct bm_gate *items;
    size_t count;
    bool two_sided;
    bool strict;
    enum bm_stat stat; /* of a benchmark's passes: the minimum by default */

    /* private */
    size_t room;
    struct bm_arena arena;
};

/* NULL, or why text is no limit (in the arena of gates). */
const char *bm_gates_add(struct bm_gates *gates, const char *text,
                         bool ceiling);

/*
 * A largest value from the parts of a budget's line: the subject is a
 * benchmark's id or pattern, or as in the grammar above. Strings are copied.
 */
const char *bm_gates_add_ceiling(struct bm_gates *gates, const char *subject,
                                 const char *metric, const char *limit,
                                 const char *origin);

/* True if any of them holds for lines or functions, so needs profiles. */
bool bm_gates_need_sites(const struct bm_gates *gates);

void bm_gates_clear(struct bm_gates *gates);

/* The first size bytes of text, as "12.5", in millionths; false if no number.
 */
bool bm_millionths_parse(const char *text, size_t size, uint64_t *out);

enum bm_verdict {
    BM_VERDICT_PASS,
    BM_VERDICT_FAIL,
    BM_VERDICT_NEW,  /* nothing to hold it against: passes */
    BM_VERDICT_GONE, /* passes too, unless strict */
};

/* One limit held to one benchmark, line or function. Strings are borrowed
   from the report, the joined runs or the gates. */
struct bm_check {
    const struct bm_gate *gate; /* NULL: gone, under strict */
    const struct bm_joined_row *row;
    const char *id;      /* of the benchmark; NULL for the process */
    const char *subject; /* "parser.c:88 parse"; NULL: the benchmark itself */
    const char *file;    /* of the line, or of the benchmark; may be NULL */
    uint32_t line;
    uint64_t site; /* id of a line's site, else 0 */
    enum bm_verdict verdict;
    bool has_base;
    long double base; /* 0 without has_base */
    long double head;
    long double most; /* the largest head value that would pass */
    char *text; /* "peak grew from 1.0 MiB to 1.2 MiB (+20.0 %), limit 10%" */
};

struct bm_gate_report {
    struct bm_check *checks;
    size_t count;
    size_t nr_failed;
    size_t nr_passed;
    size_t nr_new;
    size_t nr_gone;

    /* private */
    size_t room;
    struct bm_arena arena;
};

/*
 * 0, whether limits hold or not; -1 after an error where it cannot be told.
 * The report is usable after both.
 */
int bm_gates_hold(const struct bm_gates *gates, struct bm_joined *joined,
                  struct bm_gate_report *report);

/* One limit alone, added to a report that was zeroed or has others already. */
int bm_gate_hold(const struct bm_gates *gates, const struct bm_gate *gate,
                 struct bm_joined *joined, struct bm_gate_report *report);

/* True if a limit of benchmarks is meant for this row. */
bool bm_gate_means(const struct bm_gate *gate, const struct bm_joined_row *row);

/*
 * For commands without a page of their own: a line for each check that failed,
 * and one that says how many held. Control characters are shown as \xNN.
 */
void bm_gates_tell(const struct bm_gate_report *report, FILE *file);

void bm_gate_report_clear(struct bm_gate_report *report);

#endif
