/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What benchmem-run was asked for: which program, what to measure of it, how
 * often, and what to do with the figures. Strings are the command line's.
 */
#ifndef BENCHMEM_MEASURE_OPTIONS_H
#define BENCHMEM_MEASURE_OPTIONS_H

#include "base/command.h"
#include "base/str.h"
#include "base/strvec.h"
#include "results/gate.h"
#include "results/measure.h"

#include <stdbool.h>
#include <stdint.h>

/* In the order in which they are taken: memory first, cold. */
enum bm_mode {
    BM_MODE_MEMORY,
    BM_MODE_TIME,
    BM_MODE_RSS,
    BM_NR_MODES,
};

/* "memory", "time", "rss"; NULL at the end. */
extern const char *const bm_mode_names[];

#define BM_HAS_MODE(options, mode) ((options)->modes & 1u << (mode))

struct bm_measuring {
    struct bm_common common;
    const char *output;
    bool force;
    struct bm_str recorder; /* what BENCHMEM_OPTIONS gets, from the options */
    char **program;         /* with its arguments; of main's argv */

    const char *stop_at; /* "peak", "peak:FILE" or "allocation:N", or NULL */

    bool asked;       /* anything below was given: more than one recorded run */
    unsigned modes;   /* bits, 1 << enum bm_mode */
    uint64_t repeats; /* 0: as it comes */
    int warmup;       /* -1: as the mode has it */
    const char *max_time; /* seconds, NULL: no limit */
    double max_seconds;
    struct bm_strvec filters, suites, workloads;
    const char *prepare;
    bool columns_given;
    bool columns[BM_NR_MEASURES];
    bool stats_given;
    bool stats[BM_NR_STATS];
    const char *save;
    bool compares;
    const char *base; /* NULL: the run saved last */
    bool require_baseline;
    struct bm_gates gates;    /* growth over the base, of --fail-on */
    struct bm_gates laws;     /* exponents, of --fail-on growth:K */
    struct bm_gates ceilings; /* of --max */
    const char *profile_folder;
    const char *summarize; /* a manifest; then there is no program */
};

/* The options below `asked`; the table's room is counted with its end. */
extern const struct argp_option bm_measuring_options[];
extern const size_t bm_nr_measuring_options;

void bm_measuring_init(struct bm_measuring *m);

/* ARGP_ERR_UNKNOWN if key is none of them. */
error_t bm_measuring_parse(struct bm_measuring *m, int key, char *arg,
                           struct argp_state *state);

/* Once all are read: what does not go together is a usage error. */
void bm_measuring_settle(struct bm_measuring *m, struct argp_state *state);

void bm_measuring_clear(struct bm_measuring *m);

#endif
