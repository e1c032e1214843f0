/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a page keeps of the call tree. A page must open at once, whatever the
 * profile holds: nodes that are below the threshold in every metric are merged
 * into one leaf "small" beside their siblings, and the threshold rises until
 * few enough are left. What is merged keeps its figures, so that every sum
 * stays exact.
 */
#ifndef BENCHMEM_TOOLS_FLAMEGRAPH_PRUNED_H
#define BENCHMEM_TOOLS_FLAMEGRAPH_PRUNED_H

#include "tools/flamegraph.h"

/* Metrics of the page, by the names that it knows them under. */
#define BM_FLAME_NR_METRICS 4
struct bm_flame_metric {
    enum bm_metric metric;
    const char *key;
};
extern const struct bm_flame_metric bm_flame_metrics[BM_FLAME_NR_METRICS];

/* In place of a place. */
#define BM_FLAME_ROOT -1
#define BM_FLAME_SMALL -2

/* Nodes and places of the page; a parent's index is below its children's. */
struct bm_flame_pruned {
    uint32_t *node_of; /* by node of the tree */
    uint32_t *parent;
    int32_t *place;   /* of the page, or one of the above */
    uint32_t *merged; /* number of leaves in a node "small", else 0 */
    uint32_t nr_nodes;
    uint32_t *used; /* places of the tree, by place of the page */
    uint32_t nr_used;

    /* private */
    int32_t *place_of; /* by place of the tree, -1: not used */
    uint32_t *small;   /* by node: its leaf "small", 0: none */
};

void bm_flame_prune(struct bm_flame_pruned *pruned,
                    const struct bm_flame *flame);
/* What one thread has in one node of the page. */
struct bm_flame_sums {
    uint32_t node;
    int32_t thread;                       /* index, -1: unknown */
    uint64_t values[BM_FLAME_NR_METRICS]; /* two's complement, see profile.h */
};

/*
 * Adds up a tree's entries by node of the page and thread, in that order; the
 * caller frees them. node_of: nodes of the pruned tree by those of this one,
 * NULL where it is the same tree.
 */
struct bm_flame_sums *bm_flame_gather(const struct bm_flame_pruned *pruned,
                                      const struct bm_call_tree *tree,
                                      const uint32_t *node_of, size_t *count);

void bm_flame_pruned_clear(struct bm_flame_pruned *pruned);

#endif
