/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Lines of source and call paths of two runs against each other: what grew.
 * Lines are matched as results/match.h says, so that moved lines, renamed
 * files and other build folders change nothing; addresses are never part of
 * it. Inlined calls are frames of a path as any other, so that a path is the
 * same whatever was inlined.
 *
 *   1. bm_sites_match(&sites, base, head)
 *   2. bm_sites_compare for each benchmark that is of interest
 *   3. bm_sites_clear
 */
#ifndef BENCHMEM_RESULTS_SITES_H
#define BENCHMEM_RESULTS_SITES_H

#include "results/digest.h"

struct bm_sites {
    const struct bm_digest *sides[2]; /* base, head; perhaps the same one */
    uint32_t *numbers[2]; /* by site: of its pair, equal where matched */
    uint32_t nr_pairs;
    uint32_t *site_in[2]; /* by pair: the site, or BM_NO_PATH */

    /* private: sums by pair, all 0 between calls */
    int64_t *sums[2];
    uint32_t *met;
    bool *is_met;
};

/* A line in one ledger of each side, or what one path brought there. */
struct bm_site_row {
    const struct bm_digest_site *base; /* NULL: not in the profile */
    const struct bm_digest_site *head;
    uint32_t pair;
    uint64_t base_value;
    uint64_t head_value;
    unsigned side; /* by path: which side's path is named, the head's if any */
    uint32_t path; /* of that side; BM_NO_PATH: recorded without its path */
};

struct bm_site_rows {
    struct bm_site_row *items; /* the caller's to free */
    size_t count;
};

/* The digests are borrowed until bm_sites_clear. */
void bm_sites_match(struct bm_sites *sites, const struct bm_digest *base,
                    const struct bm_digest *head);

/*
 * Every line that did anything in the ledger of one side or the other, the
 * largest growth first, then what is the same, then the largest decline last;
 * equal ones by name.
 */
void bm_sites_compare(struct bm_sites *sites, uint32_t base_ledger,
                      uint32_t head_ledger, struct bm_site_rows *rows);

/* The same by path, of the lines of some rows alone. */
void bm_sites_paths(const struct bm_sites *sites, uint32_t base_ledger,
                    uint32_t head_ledger, const struct bm_site_row *lines,
                    size_t nr_lines, struct bm_site_rows *rows);

/* "same", "changed", "new" or "gone", by the two values. */
const char *bm_site_status(const struct bm_site_row *row);

/* head_value - base_value, as far as 64 bits go. */
int64_t bm_site_change(const struct bm_site_row *row);

/* The line as it is in the head, or else was in the base. */
const struct bm_digest_site *bm_site_of(const struct bm_site_row *row);

/* "file:line function"; "(outside) module" of `outside`. */
void bm_site_name(const struct bm_digest_site *site, struct bm_str *out);

/* The frames of a row's path outside system headers, one a line, the outermost
   first. */
void bm_site_path(const struct bm_sites *sites, const struct bm_site_row *row,
                  struct bm_str *out);

void bm_sites_clear(struct bm_sites *sites);

/* For paths.c: the order of rows, and the last part of a path. */
void bm_site_rows_sort(struct bm_site_rows *rows);
const char *bm_base_name(const char *path);

#endif
