/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Entries of the tree, added up for the page. There may be a million of them,
 * so they are put in order by counting, and only what is left is stored.
 */
#include "tools/flamegraph_pruned.h"

#include <stdlib.h>

/* Sums of the node that is worked on, by thread plus 1. */
struct slots {
    struct bm_flame_sums *items;
    bool *used;
    uint32_t *touched;
    size_t nr_touched;
};

static uint32_t page_node(const struct bm_flame_pruned *pruned,
                          const uint32_t *node_of, uint32_t leaf)
{
    return pruned->node_of[node_of ? node_of[leaf] : leaf];
}

/* Indices of the entries by node; *begin: where each node's begin, and end. */
static uint32_t *order_by_node(const struct bm_flame_pruned *pruned,
                               const struct bm_call_tree *tree,
                               const uint32_t *node_of, uint32_t **begin)
{
    uint32_t *order = bm_xcalloc(tree->nr_entries + 1, sizeof(*order));
    uint32_t *ends = bm_xcalloc((size_t)pruned->nr_nodes + 2, sizeof(*ends));

    for (size_t i = 0; i < tree->nr_entries; i++)
        ends[page_node(pruned, node_of, tree->entries[i].leaf) + 2]++;
    for (uint32_t n = 2; n < pruned->nr_nodes + 2; n++)
        ends[n] += ends[n - 1];
    /* Filling moves each node's end on to where the next one begins. */
    for (size_t i = 0; i < tree->nr_entries; i++)
        order[ends[page_node(pruned, node_of, tree->entries[i].leaf) + 1]++] =
            (uint32_t)i;
    *begin = ends;
    return order;
}

static void add_entry(struct slots *slots, const struct bm_call_tree *tree,
                      uint32_t number)
{
    const struct bm_call_entry *entry = &tree->entries[number];
    const struct bm_thread_info *thread =
        tree->profile->nodes[entry->source].thread;
    uint32_t slot =
        thread ? (uint32_t)(thread - tree->profile->threads) + 1 : 0;
    struct bm_flame_sums *sums = &slots->items[slot];

    if (!slots->used[slot]) {
        *sums = (struct bm_flame_sums){.thread = (int32_t)slot - 1};
        slots->used[slot] = true;
        slots->touched[slots->nr_touched++] = slot;
    }
    for (size_t m = 0; m < BM_FLAME_NR_METRICS; m++)
        sums->values[m] += (uint64_t)bm_call_entry_value(
            tree, entry, bm_flame_metrics[m].metric);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

struct bm_flame_sums *bm_flame_gather(const struct bm_flame_pruned *pruned,
                                      const struct bm_call_tree *tree,
                                      const uint32_t *node_of, size_t *count)
{
    size_t nr_slots = tree->profile->nr_threads + 1;
    struct slots slots = {
        .items = bm_xcalloc(nr_slots, sizeof(*slots.items)),
        .used = bm_xcalloc(nr_slots, sizeof(*slots.used)),
        .touched = bm_xcalloc(nr_slots, sizeof(*slots.touched)),
    };
    struct bm_flame_sums *sums = NULL;
    size_t kept = 0, room = 0;
    uint32_t *begin;
    uint32_t *order = order_by_node(pruned, tree, node_of, &begin);

    for (uint32_t node = 0; node < pruned->nr_nodes; node++) {
        slots.nr_touched = 0;
        for (uint32_t i = begin[node]; i < begin[node + 1]; i++)
            add_entry(&slots, tree, order[i]);
        qsort(slots.touched, slots.nr_touched, sizeof(*slots.touched),
              by_number);
        for (size_t i = 0; i < slots.nr_touched; i++) {
            uint32_t slot = slots.touched[i];
            sums = bm_xgrow(sums, kept, &room, sizeof(*sums));
            sums[kept] = slots.items[slot];
            sums[kept++].node = node;
            slots.used[slot] = false;
        }
    }
    free(order);
    free(begin);
    free(slots.items);
    free(slots.used);
    free(slots.touched);
    *count = kept;
    return sums;
}
