/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A run's profiles reduced to what comparing needs: lines of source that are
 * charged, what each held in each benchmark and in the process, and the call
 * paths. It takes a tenth of a profile's memory, so that large profiles are
 * read one after the other and never lie in memory together.
 *
 * A line is charged as in every table: the innermost frame outside system
 * headers. Values are those of one metric:
 *   peak                     what was held at the peak (of the pass with the
 *                            largest peak; of the profile with the largest)
 *   allocated, allocations,  of a benchmark: of all passes together, parted
 *   leaked                   by their number (rounded down)
 */
#ifndef BENCHMEM_RESULTS_DIGEST_H
#define BENCHMEM_RESULTS_DIGEST_H

#include "results/results.h"

#define BM_NO_PATH UINT32_MAX

/* A line that is charged for one allocation site. Strings may be NULL. */
struct bm_digest_site {
    uint64_t id;      /* of the site */
    const char *file; /* of the line that is charged */
    const char *function;
    uint32_t line; /* 0: unknown, as for `outside` */
    uint32_t column;
    const char *site_file; /* of the site itself */
    const char *site_function;
    uint32_t site_line;
    uint32_t site_column;
    const char *kind;
    const char *callee;
    const char *type;
    const char *size_expr;
    const char *count;
    const char *module; /* of `outside` */
};

/* A frame of a path; those it is inlined into have lower numbers. */
struct bm_digest_frame {
    const char *function;
    const char *file;
    const char *callee;
    const char *module; /* of a foreign frame */
    uint32_t line;
    uint32_t column;
    uint32_t inlined_into; /* number of a frame, or BM_NO_PATH */
    bool system;           /* in a system header */
};

struct bm_digest_path {
    uint32_t outer; /* number, lower than its own, or BM_NO_PATH */
    uint32_t frame; /* innermost of those inlined there */
};

/*
 * One site reached by one path, in one ledger: what figures belong to. Ledger
 * 0 is the process, others are 1 + the index in run->benchmarks.
 */
struct bm_digest_entry {
    uint32_t site;
    uint32_t path; /* or BM_NO_PATH */
    int64_t value; /* a share: only sums are figures */
};

struct bm_digest {
    enum bm_measure measure;
    struct bm_digest_site *sites;
    size_t nr_sites;
    struct bm_digest_frame *frames;
    size_t nr_frames;
    struct bm_digest_path *paths;
    size_t nr_paths;
    struct bm_digest_entry *entries; /* by ledger */
    size_t nr_entries;
    size_t *first;    /* by ledger, and one more: its entries from here on */
    uint64_t *passes; /* by ledger: to part sums by; 1 of the process */
    size_t nr_ledgers;

    /* private */
    size_t sites_room, frames_room;
    uint32_t *ledgers; /* by entry, until they are in order */
    bool several;      /* profiles */
    struct bm_digest_text *texts;
    struct bm_digest_known *known_sites;
    struct bm_digest_known *known_frames;
    struct bm_arena arena;
};

/* True for the metrics that sites have: peak allocated allocations leaked. */
bool bm_digest_has(enum bm_measure measure);

/*
 * The run's digest, made when first asked for and the run's until bm_run_free.
 * NULL after an error (a profile cannot be read), or with *none set where the
 * run has no profile. Profiles that the run has read are released, so ask for
 * it as soon as a large one was loaded.
 */
const struct bm_digest *bm_run_digest(struct bm_run *run,
                                      enum bm_measure measure, bool *none);

void bm_digest_free(struct bm_digest *digest);

#endif
