/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How far the peak falls without a row. The recorder knew it of groups of its
 * own making; a row has a group's figure only if the two hold the same nodes.
 * That makes every other choice of rows (callers of wrappers, names that were
 * looked up later) come out without a figure and never with a wrong one.
 */
#include "tools/ranking.h"

#include "base/memory.h"

#include <stdlib.h>

/* One to one, as far as it is; several: with more than one. */
struct match {
    size_t other; /* plus 1; 0: none so far */
    bool several;
};

struct matching {
    const struct bm_grouping_info **of_path, **of_site;
    struct match *rows;    /* to savings */
    struct match *savings; /* to rows */
};

bool bm_ranking_has_saves(enum bm_by by)
{
    return by == BM_BY_SITE || by == BM_BY_FUNCTION || by == BM_BY_TYPE;
}

bool bm_saves_are_told(const struct bm_profile *profile,
                       const struct bm_benchmark_info *benchmark)
{
    size_t number =
        benchmark ? (size_t)(benchmark - profile->benchmarks) + 1 : 0;

    return bm_profile_has_savings(profile, number);
}

static void matching_init(struct matching *matching,
                          const struct bm_ranking *ranking)
{
    const struct bm_profile *profile = ranking->profile;

    *matching = (struct matching){
        .of_path = bm_xcalloc(profile->nr_paths, sizeof(void *)),
        .of_site = bm_xcalloc(profile->nr_sites, sizeof(void *)),
        .rows = bm_xcalloc(ranking->nr_rows, sizeof(struct match)),
        .savings = bm_xcalloc(profile->nr_savings, sizeof(struct match)),
    };
    for (size_t i = 0; i < profile->nr_groupings; i++) {
        const struct bm_grouping_info *grouping = &profile->groupings[i];

        if (grouping->path)
            matching->of_path[grouping->path - profile->paths] = grouping;
        else
            matching->of_site[grouping->site - profile->sites] = grouping;
    }
}

static void matching_clear(struct matching *matching)
{
    free(matching->of_path);
    free(matching->of_site);
    free(matching->rows);
    free(matching->savings);
}

/* The saving that a node counts for, NULL if none is known. */
static const struct bm_saving_info *saving_of(const struct matching *matching,
                                              const struct bm_ranking *ranking,
                                              const struct bm_node_info *node)
{
    const struct bm_profile *profile = ranking->profile;
    const struct bm_grouping_info *grouping =
        node->path ? matching->of_path[node->path - profile->paths]
                   : matching->of_site[node->site - profile->sites];
    enum bm_saved_level level = ranking->by == BM_BY_FUNCTION
                                    ? BM_SAVED_FUNCTION
                                : ranking->by == BM_BY_TYPE ? BM_SAVED_TYPE
                                                            : BM_SAVED_SITE;

    if (!grouping || grouping->site != node->site)
        return NULL;
    if (level == BM_SAVED_SITE && grouping->of[BM_SAVED_LINE])
        level = BM_SAVED_LINE;
    return bm_profile_saving(profile, node->benchmark, level,
                             grouping->of[level]);
}

static void match(struct match *match, size_t other)
{
    match->several |= match->other && match->other != other + 1;
    match->other = other + 1;
}

static void match_node(struct matching *matching,
                       const struct bm_ranking *ranking, size_t row,
                       const struct bm_node_info *node)
{
    const struct bm_saving_info *saving = saving_of(matching, ranking, node);

    if (!saving) {
        matching->rows[row].several = true;
        return;
    }
    size_t number = (size_t)(saving - ranking->profile->savings);
    match(&matching->rows[row], number);
    match(&matching->savings[number], row);
}

static void take(const struct matching *matching, struct bm_ranking *ranking,
                 size_t number)
{
    const struct match *of_row = &matching->rows[number];
    struct bm_row *row = &ranking->rows[number];
    const struct bm_saving_info *saving;

    if (!of_row->other || of_row->several ||
        matching->savings[of_row->other - 1].several)
        return;
    saving = &ranking->profile->savings[of_row->other - 1];
    row->own_saves = true;
    /* More only where the process ended within a call. */
    struct bm_figures *figures = bm_ranking_own(ranking, row);
    figures->saves_bytes = saving->saves_bytes < figures->at_peak_bytes
                               ? saving->saves_bytes
                               : figures->at_peak_bytes;
}

void bm_ranking_take_saves(struct bm_ranking *ranking)
{
    const struct bm_node_order *nodes = ranking->nodes;
    size_t number =
        ranking->benchmark
            ? (size_t)(ranking->benchmark - ranking->profile->benchmarks) + 1
            : 0;
    struct matching matching;

    if (!bm_ranking_has_saves(ranking->by) ||
        !bm_saves_are_told(ranking->profile, ranking->benchmark))
        return;
    ranking->has_saves = true;
    matching_init(&matching, ranking);
    for (size_t i = nodes->first[number]; i < nodes->first[number + 1]; i++) {
        const struct bm_node_info *node = nodes->order[i];
        const struct bm_row *row =
            bm_is_active_node(node)
                ? bm_ranking_find(ranking, node->site, node->path, node)
                : NULL;

        if (row)
            match_node(&matching, ranking, (size_t)(row - ranking->rows), node);
    }
    for (size_t i = 0; i < ranking->nr_rows; i++)
        take(&matching, ranking, i);
    matching_clear(&matching);
}
