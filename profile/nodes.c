/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Records of nodes. What one holds at the peak is told by words that mean
 * something only beside the ledger's. The process's ledger comes before its
 * nodes, mostly, so that these are worked out as they are read; the words of
 * others are kept aside until their ledgers are known.
 */
#include "figures.h"
#include "load.h"

/* Made for a site or path that then did nothing. */
static bool is_idle(struct bm_words words)
{
    static const unsigned char telling[] = {
        BM_TALLY_allocations,     BM_TALLY_frees,     BM_TALLY_allocated,
        BM_TALLY_freed,           BM_TALLY_temporary, BM_TALLY_inherited_blocks,
        BM_TALLY_inherited_bytes,
    };

    for (size_t i = 0; i < sizeof(telling); i++)
        if (bm_words_get(words, telling[i]))
            return false;
    return true;
}

struct bm_node_rest *bm_node_rest_for(struct bm_load *load,
                                      struct bm_node_info *node)
{
    if (!node->figures.rest) {
        node->figures.rest =
            bm_arena_take(load->arena, sizeof(*node->figures.rest));
        if (!node->figures.rest)
            bm_load_fail_memory(load);
        else
            *node->figures.rest = (struct bm_node_rest){0};
    }
    return node->figures.rest;
}

static bool load_inherited(struct bm_load *load, struct bm_node_info *node,
                           struct bm_words words)
{
    uint64_t blocks = BM_LOAD_WORD(words, TALLY, inherited_blocks);
    uint64_t bytes = BM_LOAD_WORD(words, TALLY, inherited_bytes);

    if (blocks == 0 && bytes == 0)
        return true;
    if (!bm_node_rest_for(load, node))
        return false;
    node->figures.rest->inherited_blocks = blocks;
    node->figures.rest->inherited_bytes = bytes;
    return true;
}

/* seen: whether at_peak was taken for the peak of the process. */
static void take_peak(struct bm_node_info *node, bool seen)
{
    if (seen)
        return;
    node->figures.at_peak_bytes = bm_node_live_bytes(node);
    node->figures.at_peak_blocks = bm_node_live_blocks(node);
}

static bool keep_aside(struct bm_load *load, struct bm_node_info *node,
                       struct bm_words words)
{
    struct bm_raw_node *raw = bm_load_add(load, &load->raw_nodes);

    if (!raw)
        return false;
    raw->pass = BM_LOAD_WORD(words, TALLY, pass);
    raw->seen = BM_LOAD_WORD(words, TALLY, seen);
    raw->live = BM_LOAD_WORD(words, TALLY, live);
    raw->before_blocks = BM_LOAD_WORD(words, TALLY, before_blocks);
    raw->rest = node->figures.rest;
    node->figures.rest = bm_index_as_pointer(load->raw_nodes.nr);
    if (node->benchmark == 0)
        load->nr_early_nodes = load->nodes.nr;
    return true;
}

bool bm_load_one_node(struct bm_load *load, const struct bm_record_node *r)
{
    struct bm_node_info *node;
    struct bm_node_figures *figures;

    if (is_idle(r->node))
        return true;
    node = bm_load_add(load, &load->nodes);
    if (!node)
        return false;
    node->benchmark = bm_load_benchmark_index(load, r->benchmark);
    node->site = bm_load_reference(load, r->site);
    node->path = bm_load_reference(load, r->path);
    node->thread = bm_load_reference(load, r->thread);
    figures = &node->figures;
    figures->allocations = BM_LOAD_WORD(r->node, TALLY, allocations);
    figures->frees = BM_LOAD_WORD(r->node, TALLY, frees);
    figures->allocated_bytes = BM_LOAD_WORD(r->node, TALLY, allocated);
    figures->freed_bytes = BM_LOAD_WORD(r->node, TALLY, freed);
    figures->temporary = BM_LOAD_WORD(r->node, TALLY, temporary);
    figures->at_peak_blocks = BM_LOAD_WORD(r->node, TALLY, at_peak_blocks);
    figures->at_peak_bytes = BM_LOAD_WORD(r->node, TALLY, at_peak);
    if (!load_inherited(load, node, r->node))
        return false;
    if (node->benchmark || !load->has_ledger)
        return keep_aside(load, node, r->node);
    take_peak(node, BM_LOAD_WORD(r->node, TALLY, seen) == load->process.peak);
    return true;
}

bool bm_load_node(struct bm_load *load, const msgpack_object *object)
{
    BM_LOAD_UNPACK(node, r);
    return bm_load_one_node(load, &r);
}

void bm_load_early_nodes(struct bm_load *load)
{
    struct bm_node_info *nodes = load->nodes.rows;

    for (size_t i = 0; i < load->nr_early_nodes; i++) {
        const struct bm_raw_node *raw;

        if (nodes[i].benchmark)
            continue;
        raw = bm_raw_node_of(load, &nodes[i]);
        nodes[i].figures.rest = raw->rest;
        take_peak(&nodes[i], raw->seen == load->process.peak);
    }
}
