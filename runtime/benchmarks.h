/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Benchmarks: a benchmark function with one set of arguments, its ledger and
 * its passes. Made when first entered, by the thread that is opening the
 * window (one at a time); kept for ever.
 *
 * There are at most BM_MAX_BENCHMARKS; entries with further arguments are
 * ordinary calls, and the profile says so.
 */
#ifndef BENCHMEM_RUNTIME_BENCHMARKS_H
#define BENCHMEM_RUNTIME_BENCHMARKS_H

#include "maxima.h"
#include "nodes.h"

#include "../profile/profile.h"
#include "../profile/records.h"

#include <stdatomic.h>
#include <stdint.h>

#define BM_MAX_BENCHMARKS 10000u
#define BM_MAX_PARAMS 16u      /* further ones do not tell entries apart */
#define BM_MAX_PARAM_TEXT 255u /* bytes kept of a string */
#define BM_MAX_SINGLE_PASSES 1000u

struct bm_benchmark {
    _Alignas(16) uint64_t gauge[2]; /* a pass gauge: live, peak */
    struct bm_ledger ledger;
    struct bm_maxima maxima;  /* of saves.h */
    _Atomic(uint64_t *) pass; /* list `pass` of the open pass */
    uint64_t *passes;         /* list `passes`, from pass 1,001 on */
    uint64_t spare_pass[BM_NR_WORDS_pass]; /* for those */
    struct bm_benchmark *next;
    uint32_t frame; /* its definition */
    uint32_t nr_params;
    bool is_described; /* by bm_api.describe */
    uint64_t values[BM_MAX_PARAMS]; /* strings: address of a copy */
};

/*
 * The benchmark of a function with these arguments, found or made. NULL if
 * it cannot be kept apart.
 */
struct bm_benchmark *bm_benchmark_get(struct bm_thread *thread,
                                      const struct bm_bench *bench,
                                      const uint64_t *values);

/* Begins a pass: a record of its own, or the spare words. */
void bm_benchmark_begin_pass(struct bm_thread *thread,
                             struct bm_benchmark *benchmark, uint32_t serial);

/* The figures of a pass; 0 what is not measured. */
struct bm_pass_end {
    uint64_t peak, allocated, allocations; /* set by bm_benchmark_end_pass */
    uint64_t retained;
    uint64_t time_ns;
    uint64_t setup_peak_rss, peak_rss;
};

/* Ends the open pass. */
void bm_benchmark_end_pass(struct bm_benchmark *benchmark,
                           struct bm_pass_end *end);

/* Code was unmapped: a function's address may be another's from now on. */
void bm_benchmarks_code_changed(void);

/* In a forked child: none was entered yet. */
void bm_benchmarks_after_fork(void);

#endif
