/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Arithmetic of figures for reader and checks; sums are modulo 2^64. */
#ifndef BENCHMEM_PROFILE_FIGURES_H
#define BENCHMEM_PROFILE_FIGURES_H

#include "profile.h"

/* The words of a record `access` (BM_NR_WORDS_access of records.h). */
void bm_access_put(const struct bm_access *access, uint64_t *words);

static inline void bm_access_add(struct bm_access *sum,
                                 const struct bm_access *more)
{
    sum->blocks += more->blocks;
    sum->bytes += more->bytes;
    sum->escaped_bytes += more->escaped_bytes;
    sum->untouched_bytes += more->untouched_bytes;
    sum->never_written_bytes += more->never_written_bytes;
    sum->never_read_bytes += more->never_read_bytes;
    sum->idle_bytes += more->idle_bytes;
    sum->reached_bytes += more->reached_bytes;
}

/*
 * Adds all but the peak and its ordinal, whose sums mean nothing, and but
 * access, for which somebody has to find room.
 */
static inline void bm_figures_add(struct bm_figures *sum,
                                  const struct bm_figures *more)
{
    sum->allocations += more->allocations;
    sum->frees += more->frees;
    sum->allocated_bytes += more->allocated_bytes;
    sum->freed_bytes += more->freed_bytes;
    sum->at_peak_bytes += more->at_peak_bytes;
    sum->live_bytes += more->live_bytes;
    sum->live_blocks += more->live_blocks;
    sum->temporary += more->temporary;
    sum->inherited_bytes += more->inherited_bytes;
    sum->inherited_blocks += more->inherited_blocks;
    sum->at_peak_blocks += more->at_peak_blocks;
}

/* Bytes that a site or process holds, by what it was given and freed. */
static inline uint64_t bm_figures_held(const struct bm_figures *figures)
{
    return figures->inherited_bytes + figures->allocated_bytes -
           figures->freed_bytes;
}

static inline uint64_t bm_figures_held_blocks(const struct bm_figures *figures)
{
    return figures->inherited_blocks + figures->allocations - figures->frees;
}

/* bm_figures_add of a node. */
static inline void bm_figures_add_node(struct bm_figures *sum,
                                       const struct bm_node_info *node)
{
    const struct bm_node_figures *more = &node->figures;

    sum->allocations += more->allocations;
    sum->frees += more->frees;
    sum->allocated_bytes += more->allocated_bytes;
    sum->freed_bytes += more->freed_bytes;
    sum->at_peak_bytes += more->at_peak_bytes;
    sum->live_bytes += bm_node_live_bytes(node);
    sum->live_blocks += bm_node_live_blocks(node);
    sum->temporary += more->temporary;
    sum->at_peak_blocks += more->at_peak_blocks;
    if (more->rest) {
        sum->inherited_bytes += more->rest->inherited_bytes;
        sum->inherited_blocks += more->rest->inherited_blocks;
    }
}

/*
 * A site's high-water mark: at least what it held at some moment, and at
 * most what it was given and the whole's peak, which threads that race for
 * the mark can pass. ordinal is the allocation's that set the mark, or 0.
 */
static inline void bm_figures_mark(struct bm_figures *figures, uint64_t mark,
                                   uint64_t ordinal, uint64_t peak)
{
    uint64_t given = figures->inherited_bytes + figures->allocated_bytes;

    if (mark > peak)
        mark = peak;
    if (mark > given)
        mark = given;
    if (figures->peak_bytes < mark) {
        figures->peak_bytes = mark;
        figures->peak_ordinal = ordinal;
    }
    if (figures->peak_bytes < figures->at_peak_bytes) {
        figures->peak_bytes = figures->at_peak_bytes;
        figures->peak_ordinal = 0;
    }
}

/* Live or at_peak below zero, as two's complement. */
bool bm_figures_any_negative(const struct bm_figures *figures);

bool bm_node_is_idle(const struct bm_node_info *node);

/*
 * A running program was read, or a killed one was in several calls: a free
 * was seen whose allocation was not, since another thread has yet to count
 * it. Such frees have not happened yet. site is the sum that node is part
 * of; it and the node are changed as far as this node can mend it.
 */
void bm_forget_early_frees(struct bm_node_info *node, struct bm_figures *site);

/* NULL if a benchmark's passes account for its figures, else what differs. */
const char *bm_check_passes(const struct bm_benchmark_info *info);

#endif
