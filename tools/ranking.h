/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The rows of a report: a profile's figures, or those of one benchmark,
 * gathered by one property and ranked by one metric. Whatever the property,
 * the rows add up to the totals.
 *
 *   1. bm_ranking_init with what is asked for.
 *   2. bm_ranking_sort puts the largest rows first; equal ones by name, so that
 *      equal profiles give equal reports.
 *   3. read rows[0 .. nr_rows); bm_ranking_clear.
 */
#ifndef BENCHMEM_TOOLS_RANKING_H
#define BENCHMEM_TOOLS_RANKING_H

#include "profile/profile.h"
#include "results/charge.h"
#include "tools/intern.h"
#include "tools/metric.h"
#include "tools/names.h"

#include <stdbool.h>

enum bm_by {
    BM_BY_SITE,
    BM_BY_FUNCTION,
    BM_BY_FILE,
    BM_BY_TYPE,
    BM_BY_MODULE,
    BM_BY_BENCHMARK, /* has no rows here: its passes are its figures */
    BM_BY_PATH,
    BM_BY_THREAD,
    BM_BY_CHARGE, /* the lines that each site is charged to */
};

/* Names for --by, in their order, without the last; NULL at the end. */
extern const char *const bm_by_names[];

struct bm_row {
    const char *label;                 /* of function, file, type, module;
                                          NULL where it is not known */
    const struct bm_site_info *site;   /* the first one of the row */
    const struct bm_frame_info *frame; /* that is charged; NULL for `outside` */
    const struct bm_node_info *node;   /* the first one, NULL for a site */
    /*
     * Those of the profile's site as long as there is but one; NULL: those of
     * node alone. bm_row_figures gives them all the same.
     */
    const struct bm_figures *figures;
    uint32_t order;   /* of coming into being */
    bool own_figures; /* figures are of the ranking's arena */
    bool own_peak;    /* the row is one whole site */
    bool own_saves;   /* figures->saves_bytes is known */
    bool mixed;       /* more than one site */
    /* Below zero, and 0 here: a thread freed what others had allocated. */
    bool owes_at_peak;
    bool owes_live;
};

/* Of any row; peak_bytes is known only if own_peak. */
struct bm_figures bm_row_figures(const struct bm_row *row);

static inline uint64_t bm_row_allocated(const struct bm_row *row)
{
    return row->figures ? row->figures->allocated_bytes
                        : row->node->figures.allocated_bytes;
}

static inline const struct bm_path_info *bm_row_path(const struct bm_row *row)
{
    return row->node ? row->node->path : NULL;
}

static inline const struct bm_thread_info *
bm_row_thread(const struct bm_row *row)
{
    return row->node ? row->node->thread : NULL;
}

/*
 * The nodes of a profile by the benchmark that they belong to: those of
 * number b (0 is the process) are order[first[b]] to order[first[b + 1]].
 */
struct bm_node_order {
    const struct bm_node_info **order;
    size_t *first;
};

void bm_node_order_init(struct bm_node_order *order,
                        const struct bm_profile *profile);
void bm_node_order_clear(struct bm_node_order *order);

/* True for a site that did anything; others are no rows. */
bool bm_is_active(const struct bm_site_info *site,
                  const struct bm_figures *figures);
bool bm_is_active_node(const struct bm_node_info *node);

/*
 * The type that a block has by its site, else by the frame that it is charged
 * to, which called a wrapper; NULL if neither knows.
 */
const char *bm_type_of(const struct bm_site_info *site,
                       const struct bm_frame_info *frame);

/* What rows are made of. All borrowed until bm_ranking_clear. */
struct bm_ranking_source {
    const struct bm_profile *profile;
    const struct bm_charge *charge;
    const struct bm_charge *types; /* as bm_charge_init_types has it */
    const struct bm_node_order *nodes;
    struct bm_names *names;
};

struct bm_ranking {
    enum bm_by by;
    struct bm_row *rows;
    size_t nr_rows;
    struct bm_figures totals;
    bool has_saves;  /* they were recorded, for rows of this property */
    bool has_access; /* likewise figures.access */

    /* private */
    const struct bm_profile *profile;
    const struct bm_benchmark_info *benchmark;
    const struct bm_charge *charge;
    const struct bm_charge *types;
    const struct bm_node_order *nodes;
    struct bm_names *names;
    struct bm_ranking_index *index;
    struct bm_intern strings;
    uint32_t *number_of_frame; /* by --by; UINT32_MAX: not yet known */
    uint32_t *number_of_site;
    uint32_t *row_of_site;
    uint32_t *row_of_path; /* by path only, which are too many for the index */
    size_t room;
    struct bm_arena arena;
};

/* benchmark NULL: the whole process. */
void bm_ranking_init(struct bm_ranking *ranking, enum bm_by by,
                     const struct bm_ranking_source *source,
                     const struct bm_benchmark_info *benchmark);

/* The first `top` rows are in order then, the others in none. */
void bm_ranking_sort(struct bm_ranking *ranking, enum bm_metric metric,
                     size_t top);

/* Rows from first on as one, for "+N more". */
struct bm_figures bm_ranking_sum(struct bm_ranking *ranking, size_t first);

/* Whether there can be saves of rows by this property. */
bool bm_ranking_has_saves(enum bm_by by);

/* Whether the profile has saves, of the process or of a benchmark. */
bool bm_saves_are_told(const struct bm_profile *profile,
                       const struct bm_benchmark_info *benchmark);

void bm_ranking_clear(struct bm_ranking *ranking);

/* Of bm_ranking_init. The row's figures, as they may be changed. */
struct bm_figures *bm_ranking_own(struct bm_ranking *ranking,
                                  struct bm_row *row);

/* Of bm_ranking_init. The row of such a contribution, NULL if there is none. */
struct bm_row *bm_ranking_find(struct bm_ranking *ranking,
                               const struct bm_site_info *site,
                               const struct bm_path_info *path,
                               const struct bm_node_info *node);
void bm_ranking_take_saves(struct bm_ranking *ranking);

#endif
