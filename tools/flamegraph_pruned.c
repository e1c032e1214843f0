/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/flamegraph_pruned.h"

#include <stdlib.h>

/* What browsers read and lay out within a second or two. */
#define MOST_NODES 200000

/* Out of the total, unless --threshold says otherwise. */
#define DEFAULT_THRESHOLD 0.00001

const struct bm_flame_metric bm_flame_metrics[] = {
    {BM_METRIC_PEAK, "peak"},
    {BM_METRIC_ALLOCATED, "allocated"},
    {BM_METRIC_ALLOCATIONS, "allocations"},
    {BM_METRIC_LEAKED, "live"},
};

static bool is_above(const struct bm_flame *flame, uint32_t node,
                     double threshold)
{
    for (size_t m = 0; m < BM_FLAME_NR_METRICS; m++) {
        const uint64_t *totals = flame->tree.totals[bm_flame_metrics[m].metric];
        const uint64_t *base =
            flame->base ? flame->base->totals[bm_flame_metrics[m].metric]
                        : NULL;

        if (totals[node] &&
            (double)totals[node] >= threshold * (double)totals[0])
            return true;
        if (base && base[node] &&
            (double)base[node] >= threshold * (double)base[0])
            return true;
    }
    return false;
}

static double choose_threshold(const struct bm_flame *flame)
{
    double threshold = flame->options->threshold >= 0
                           ? flame->options->threshold
                           : DEFAULT_THRESHOLD;

    for (;; threshold = threshold > 0 ? threshold * 2 : DEFAULT_THRESHOLD) {
        uint32_t kept = 0;
        for (uint32_t n = 1; n < flame->tree.nr_nodes; n++)
            kept += is_above(flame, n, threshold);
        if (kept <= MOST_NODES)
            return threshold;
    }
}

static uint32_t add_node(struct bm_flame_pruned *pruned, uint32_t parent,
                         int32_t place)
{
    pruned->parent[pruned->nr_nodes] = parent;
    pruned->place[pruned->nr_nodes] = place;
    return pruned->nr_nodes++;
}

static int32_t use_place(struct bm_flame_pruned *pruned, uint32_t place)
{
    if (pruned->place_of[place] < 0) {
        pruned->place_of[place] = (int32_t)pruned->nr_used;
        pruned->used[pruned->nr_used++] = place;
    }
    return pruned->place_of[place];
}

/* A node below the threshold, or below one that is. */
static void merge_node(struct bm_flame_pruned *pruned,
                       const struct bm_call_node *nodes, uint32_t node)
{
    uint32_t parent = pruned->node_of[nodes[node].parent];
    uint32_t *small = &pruned->small[parent];

    if (pruned->place[parent] == BM_FLAME_SMALL) {
        pruned->node_of[node] = parent;
    } else {
        if (!*small)
            *small = add_node(pruned, parent, BM_FLAME_SMALL);
        pruned->node_of[node] = *small;
    }
    if (!nodes[node].first)
        pruned->merged[pruned->node_of[node]]++;
}

void bm_flame_prune(struct bm_flame_pruned *pruned,
                    const struct bm_flame *flame)
{
    const struct bm_call_tree *tree = &flame->tree;
    double threshold = choose_threshold(flame);
    /* Each node of the tree makes one of the page at most. */
    size_t most = (size_t)tree->nr_nodes + 1;

    *pruned = (struct bm_flame_pruned){.nr_nodes = 0};
    pruned->node_of = bm_xcalloc(most, sizeof(*pruned->node_of));
    pruned->parent = bm_xcalloc(most, sizeof(*pruned->parent));
    pruned->place = bm_xcalloc(most, sizeof(*pruned->place));
    pruned->small = bm_xcalloc(most, sizeof(*pruned->small));
    pruned->merged = bm_xcalloc(most, sizeof(*pruned->merged));
    pruned->used =
        bm_xcalloc((size_t)tree->nr_places + 1, sizeof(*pruned->used));
    pruned->place_of =
        bm_xcalloc((size_t)tree->nr_places + 1, sizeof(*pruned->place_of));
    for (uint32_t i = 0; i < tree->nr_places; i++)
        pruned->place_of[i] = -1;

    add_node(pruned, 0, BM_FLAME_ROOT);
    for (uint32_t n = 1; n < tree->nr_nodes; n++) {
        uint32_t parent = pruned->node_of[tree->nodes[n].parent];

        if (pruned->place[parent] != BM_FLAME_SMALL &&
            is_above(flame, n, threshold))
            pruned->node_of[n] = add_node(
                pruned, parent, use_place(pruned, tree->nodes[n].place));
        else
            merge_node(pruned, tree->nodes, n);
    }
}

void bm_flame_pruned_clear(struct bm_flame_pruned *pruned)
{
    free(pruned->node_of);
    free(pruned->parent);
    free(pruned->place);
    free(pruned->merged);
    free(pruned->used);
    free(pruned->place_of);
    free(pruned->small);
}
