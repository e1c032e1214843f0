/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Running a case: warm-up, then passes, each a set-up, a window around the
 * calls, a check and a tear-down. Figures are kept of up to BM_MAX_PASSES.
 *
 * Without --repeats, as many passes as it takes: at least 2, until two in a
 * row set no new minimum, at most 10. In rss mode one, without warm-up, since
 * the kernel's maximum is that of the whole process.
 */
#ifndef BENCHMEM_HARNESS_PASSES_H
#define BENCHMEM_HARNESS_PASSES_H

#include "cases.h"
#include "options.h"

#define BM_FAILURE_SIZE 256

struct bm_pass {
    bool is_memory; /* result holds figures */
    struct benchmem_result result;
    uint64_t ns;                                   /* of all calls */
    uint64_t setup_peak_rss_bytes, peak_rss_bytes; /* in rss mode, else 0 */
};

struct bm_passes {
    struct bm_pass *items;
    size_t nr;
    char failure[BM_FAILURE_SIZE]; /* empty: it did not fail */
};

/* Runs c here. bm_passes_clear frees what is kept. */
void bm_passes_run(struct bm_passes *out, const struct bm_case *c,
                   const struct bm_harness_options *options);
void bm_passes_add(struct bm_passes *passes, const struct bm_pass *pass);
void bm_passes_fail(struct bm_passes *passes, const char *why);
void bm_passes_clear(struct bm_passes *passes);

#endif
