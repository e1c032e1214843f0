/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/memory.h"
#include "profile/figures.h"
#include "tools/export.h"

#include <stdlib.h>

#define AHEAD 12 /* entries: what a look into memory takes as long as */

void bm_leaves_init(struct bm_leaves *leaves, const struct bm_call_tree *tree)
{
    /* Counts stand one place further on, so that they become starts. */
    uint32_t *starts = bm_xcalloc((size_t)tree->nr_nodes + 2, sizeof(*starts));

    leaves->tree = tree;
    leaves->starts = starts;
    leaves->sources =
        bm_xmalloc((tree->nr_entries + 1) * sizeof(*leaves->sources));
    for (size_t i = 0; i < tree->nr_entries; i++)
        starts[tree->entries[i].leaf + 2]++;
    for (uint32_t n = 2; n <= tree->nr_nodes; n++)
        starts[n] += starts[n - 1];
    for (size_t i = 0; i < tree->nr_entries; i++)
        leaves->sources[starts[tree->entries[i].leaf + 1]++] =
            tree->entries[i].source;
}

/* Shares may be below nothing one by one; together they are not. */
static uint64_t held(uint64_t sum)
{
    return (int64_t)sum < 0 ? 0 : sum;
}

/*
 * Leaves are asked for in the order of their numbers, mostly, and what they
 * stand for lies all over memory.
 */
static void look_ahead(const struct bm_leaves *leaves, size_t i)
{
    const struct bm_call_tree *tree = leaves->tree;
    const struct bm_node_figures *figures;

    if (i + AHEAD >= tree->nr_entries)
        return;
    figures = &tree->profile->nodes[leaves->sources[i + AHEAD]].figures;
    __builtin_prefetch(&figures->allocations);
    __builtin_prefetch(&figures->at_peak_blocks);
}

void bm_leaves_sum(const struct bm_leaves *leaves, uint32_t node,
                   struct bm_figures *sum)
{
    const struct bm_call_tree *tree = leaves->tree;

    *sum = (struct bm_figures){0};
    for (uint32_t i = leaves->starts[node]; i < leaves->starts[node + 1]; i++) {
        look_ahead(leaves, i);
        bm_figures_add_node(sum, &tree->profile->nodes[leaves->sources[i]]);
    }
    sum->live_blocks = held(sum->live_blocks);
    sum->at_peak_blocks = held(sum->at_peak_blocks);
    sum->live_bytes = tree->totals[BM_METRIC_LEAKED][node];
    sum->at_peak_bytes = tree->totals[BM_METRIC_PEAK][node];
}

void bm_leaves_clear(struct bm_leaves *leaves)
{
    free(leaves->starts);
    free(leaves->sources);
}

bool bm_export_knows_peak_blocks(const struct bm_figures *stack)
{
    return stack->at_peak_blocks || !stack->at_peak_bytes;
}

uint64_t bm_export_peak_blocks(const struct bm_figures *stack)
{
    if (bm_export_knows_peak_blocks(stack))
        return stack->at_peak_blocks;
    return stack->at_peak_bytes == stack->live_bytes
               ? stack->live_blocks
               : bm_export_blocks(stack, stack->at_peak_bytes);
}

uint64_t bm_export_blocks(const struct bm_figures *stack, uint64_t bytes)
{
    uint64_t all_bytes = stack->allocated_bytes + stack->inherited_bytes;
    uint64_t all_blocks = stack->allocations + stack->inherited_blocks;

    if (!bytes || !all_bytes)
        return 0;

    /* Both factors are below 2^64. */
    unsigned __int128 product = (unsigned __int128)bytes * all_blocks;
    uint64_t blocks = (uint64_t)((product + all_bytes / 2) / all_bytes);
    return blocks ? blocks : 1;
}
