/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/call_tree.h"

#include "tools/call_places.h"

#include <stdlib.h>
#include <string.h>

/*
 * Longest chain of inlining that is followed. Real ones are below 100; a
 * damaged profile must not make every path cost as much as its longest.
 */
#define MOST_INLINED 512

/* Children by (parent, place): open addressing, at most half full. */
struct bm_call_index {
    struct bm_call_places places;
    uint32_t *slots;        /* nodes; 0 is free */
    unsigned bits;          /* 2^bits slots */
    uint32_t *node_of_path; /* plus 1, as a caller; 0: not yet known */
    const struct bm_path_info **stack; /* paths yet to be made */
    size_t stack_room;
};

static size_t slot_of(const struct bm_call_index *index, uint32_t parent,
                      uint32_t place)
{
    /* Fibonacci hashing: 2^64 divided by the golden ratio. */
    uint64_t key = (uint64_t)parent << 32 | place;

    key ^= key >> 29;
    return (size_t)((key * 0x9e3779b97f4a7c15u) >> (64 - index->bits));
}

static void put_slot(struct bm_call_tree *tree, uint32_t node)
{
    struct bm_call_index *index = tree->index;
    size_t mask = ((size_t)1 << index->bits) - 1;
    size_t slot =
        slot_of(index, tree->nodes[node].parent, tree->nodes[node].place);

    while (index->slots[slot])
        slot = (slot + 1) & mask;
    index->slots[slot] = node;
}

static void fill_index(struct bm_call_tree *tree)
{
    struct bm_call_index *index = tree->index;

    index->slots = bm_xcalloc((size_t)1 << index->bits, sizeof(*index->slots));
    for (uint32_t node = 1; node < tree->nr_nodes; node++)
        put_slot(tree, node);
}

static void grow_index(struct bm_call_tree *tree)
{
    free(tree->index->slots);
    tree->index->bits++;
    fill_index(tree);
}

/* What only building needs; the slots come back where another tree is merged.
 */
static void drop_index(struct bm_call_index *index)
{
    free(index->slots);
    index->slots = NULL;
    free(index->node_of_path);
    index->node_of_path = NULL;
    free(index->stack);
    index->stack = NULL;
}

static uint32_t add_node(struct bm_call_tree *tree, uint32_t parent,
                         uint32_t place)
{
    tree->nodes = bm_xgrow(tree->nodes, tree->nr_nodes, &tree->room,
                           sizeof(*tree->nodes));
    uint32_t node = tree->nr_nodes++;
    tree->nodes[node] = (struct bm_call_node){.parent = parent, .place = place};
    if (node == 0)
        return 0;
    tree->nodes[node].next = tree->nodes[parent].first;
    tree->nodes[parent].first = node;
    put_slot(tree, node);
    if ((size_t)tree->nr_nodes * 2 > (size_t)1 << tree->index->bits)
        grow_index(tree);
    return node;
}

/* With fold, a function stands on a path but once: where it was first. */
static uint32_t fold_parent(const struct bm_call_tree *tree, uint32_t parent,
                            uint32_t place)
{
    uint32_t routine = tree->places[place].routine;
    uint32_t found = parent;

    for (uint32_t n = parent; n; n = tree->nodes[n].parent) {
        if (tree->places[tree->nodes[n].place].routine == routine)
            found = tree->nodes[n].parent;
    }
    return found;
}

uint32_t bm_call_tree_child(struct bm_call_tree *tree, uint32_t parent,
                            uint32_t place)
{
    const struct bm_call_index *index = tree->index;
    size_t mask = ((size_t)1 << index->bits) - 1;

    if (!index->slots)
        fill_index(tree);
    if (tree->options.fold)
        parent = fold_parent(tree, parent, place);
    for (size_t slot = slot_of(index, parent, place); index->slots[slot];
         slot = (slot + 1) & mask) {
        const struct bm_call_node *node = &tree->nodes[index->slots[slot]];
        if (node->parent == parent && node->place == place)
            return index->slots[slot];
    }
    return add_node(tree, parent, place);
}

/* True if the place adds no box below parent: hidden, or the same module. */
static bool is_no_box(const struct bm_call_tree *tree, uint32_t parent,
                      uint32_t number)
{
    const struct bm_call_place *place = &tree->places[number];

    if ((place->flags & BM_CALL_OWN) && !tree->options.own)
        return true;
    return (place->flags & BM_CALL_FOREIGN) && !tree->options.native &&
           place->frame && !place->frame->function && parent != 0 &&
           tree->nodes[parent].place == number;
}

/* The frames that frame is inlined into, outermost first, then itself. */
static unsigned expand(const struct bm_frame_info *frame,
                       const struct bm_frame_info **chain)
{
    unsigned count = 0;

    for (; frame && count < MOST_INLINED; frame = frame->inlined_into)
        chain[count++] = frame;
    for (unsigned i = 0; i < count / 2; i++) {
        const struct bm_frame_info *other = chain[i];
        chain[i] = chain[count - 1 - i];
        chain[count - 1 - i] = other;
    }
    return count;
}

static uint32_t add_frames(struct bm_call_tree *tree, uint32_t parent,
                           const struct bm_frame_info *const *chain,
                           unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        uint32_t place = bm_call_places_frame(&tree->index->places, chain[i]);
        if (!is_no_box(tree, parent, place))
            parent = bm_call_tree_child(tree, parent, place);
    }
    return parent;
}

static size_t path_number(const struct bm_call_tree *tree,
                          const struct bm_path_info *path)
{
    return (size_t)(path - tree->profile->paths);
}

/* The node of a path as the caller of others. */
static uint32_t node_of_caller(struct bm_call_tree *tree,
                               const struct bm_path_info *path)
{
    struct bm_call_index *index = tree->index;
    const struct bm_frame_info *chain[MOST_INLINED];
    size_t depth = 0;
    uint32_t node = 0;

    for (; path; path = path->outer) {
        uint32_t known = index->node_of_path[path_number(tree, path)];
        if (known) {
            node = known - 1;
            break;
        }
        index->stack = bm_xgrow(index->stack, depth, &index->stack_room,
                                sizeof(*index->stack));
        index->stack[depth++] = path;
    }
    while (depth) {
        path = index->stack[--depth];
        node = add_frames(tree, node, chain, expand(path->frame, chain));
        index->node_of_path[path_number(tree, path)] = node + 1;
    }
    return node;
}

static uint32_t leaf_of(struct bm_call_tree *tree,
                        const struct bm_node_info *source)
{
    const struct bm_frame_info *chain[MOST_INLINED];
    const struct bm_path_info *path = source->path;
    const struct bm_frame_info *frame = path ? path->frame : NULL;
    bool rest = path && path->other;
    uint32_t parent = 0;

    if (!path && source->site->frame)
        tree->no_paths = true;
    if (rest)
        tree->has_rest = true;
    if (path)
        parent = node_of_caller(tree, path->outer);
    if (!frame)
        frame = source->site->frame;
    unsigned count = expand(frame, chain);
    if (count)
        parent = add_frames(tree, parent, chain, count - 1);
    return bm_call_tree_child(
        tree, parent,
        bm_call_places_leaf(&tree->index->places, source->site, frame, rest));
}

static uint64_t value_of(const struct bm_node_info *source,
                         enum bm_metric metric)
{
    switch (metric) {
    case BM_METRIC_PEAK:
        return source->figures.at_peak_bytes;
    case BM_METRIC_ALLOCATED:
        return source->figures.allocated_bytes;
    case BM_METRIC_ALLOCATIONS:
        return source->figures.allocations;
    case BM_METRIC_LEAKED:
        return bm_node_live_bytes(source);
    case BM_METRIC_TEMPORARY:
        return source->figures.temporary;
    default:
        return 0;
    }
}

int64_t bm_call_entry_value(const struct bm_call_tree *tree,
                            const struct bm_call_entry *entry,
                            enum bm_metric metric)
{
    return (int64_t)value_of(&tree->profile->nodes[entry->source], metric);
}

static bool says_nothing(const struct bm_node_info *source)
{
    for (enum bm_metric m = 0; m < BM_NR_METRICS; m++) {
        if (value_of(source, m))
            return false;
    }
    return true;
}

/* The number of the tree's benchmark among sources, 0 for the process. */
static size_t window_of(const struct bm_call_tree *tree)
{
    if (!tree->benchmark)
        return 0;
    return (size_t)(tree->benchmark - tree->profile->benchmarks) + 1;
}

void bm_call_sources_init(struct bm_call_sources *sources,
                          const struct bm_profile *profile)
{
    /* Counts stand one place further on, so that they become starts. */
    size_t *starts = bm_xcalloc(profile->nr_benchmarks + 3, sizeof(*starts));

    sources->starts = starts;
    sources->order = bm_xcalloc(profile->nr_nodes, sizeof(*sources->order));
    for (size_t i = 0; i < profile->nr_nodes; i++)
        starts[profile->nodes[i].benchmark + 2]++;
    for (size_t b = 2; b < profile->nr_benchmarks + 3; b++)
        starts[b] += starts[b - 1];
    for (size_t i = 0; i < profile->nr_nodes; i++)
        sources->order[starts[profile->nodes[i].benchmark + 1]++] = (uint32_t)i;
}

void bm_call_sources_clear(struct bm_call_sources *sources)
{
    free(sources->starts);
    free(sources->order);
    *sources = (struct bm_call_sources){NULL, NULL};
}

static void add_entry(struct bm_call_tree *tree, size_t source, size_t *room)
{
    struct bm_call_entry entry = {.source = (uint32_t)source};

    if (says_nothing(&tree->profile->nodes[source]))
        return;
    entry.leaf = leaf_of(tree, &tree->profile->nodes[source]);
    tree->entries =
        bm_xgrow(tree->entries, tree->nr_entries, room, sizeof(*tree->entries));
    tree->entries[tree->nr_entries++] = entry;
}

static void add_entries(struct bm_call_tree *tree)
{
    const struct bm_profile *profile = tree->profile;
    const struct bm_call_sources *sources = tree->options.sources;
    size_t wanted = window_of(tree);
    size_t room = 0;

    if (sources) {
        for (size_t i = sources->starts[wanted];
             i < sources->starts[wanted + 1]; i++)
            add_entry(tree, sources->order[i], &room);
        return;
    }
    for (size_t i = 0; i < profile->nr_nodes; i++) {
        if (profile->nodes[i].benchmark == wanted)
            add_entry(tree, i, &room);
    }
}

static void add_leaves(const struct bm_call_tree *tree, enum bm_metric metric)
{
    uint64_t *totals = tree->totals[metric];

    for (size_t i = 0; i < tree->nr_entries; i++)
        totals[tree->entries[i].leaf] +=
            value_of(&tree->profile->nodes[tree->entries[i].source], metric);
}

/* Shares add up to no less than nothing, but for a damaged profile. */
static void add_up(struct bm_call_tree *tree, enum bm_metric metric)
{
    bool is_share = metric == BM_METRIC_PEAK || metric == BM_METRIC_LEAKED;
    uint64_t *totals = bm_xcalloc(tree->nr_nodes, sizeof(*totals));

    tree->totals[metric] = totals;
    add_leaves(tree, metric);
    for (uint32_t n = tree->nr_nodes - 1; n > 0; n--) {
        if (is_share && (int64_t)totals[n] < 0)
            totals[n] = 0;
        totals[tree->nodes[n].parent] += totals[n];
    }
}

/* Slots for the nodes that the entries may need, so that few trees grow. */
static unsigned first_bits(const struct bm_call_tree *tree)
{
    const struct bm_profile *profile = tree->profile;
    const struct bm_call_sources *sources = tree->options.sources;
    size_t window = window_of(tree);
    size_t wanted = profile->nr_paths + profile->nr_sites;
    size_t entries = sources
                         ? sources->starts[window + 1] - sources->starts[window]
                         : profile->nr_nodes;
    unsigned bits = 1;

    if (wanted > entries)
        wanted = entries;
    while ((size_t)1 << bits < 2 * wanted + 2)
        bits++;
    return bits;
}

void bm_call_tree_init(struct bm_call_tree *tree,
                       const struct bm_profile *profile,
                       const struct bm_benchmark_info *benchmark,
                       struct bm_call_options options)
{
    struct bm_call_index *index = bm_xcalloc(1, sizeof(*index));

    *tree = (struct bm_call_tree){
        .profile = profile,
        .benchmark = benchmark,
        .options = options,
        .index = index,
        .arena = BM_ARENA_INIT,
    };
    bm_call_places_init(&index->places, tree);
    index->node_of_path =
        bm_xcalloc(profile->nr_paths + 1, sizeof(*index->node_of_path));
    index->bits = first_bits(tree);
    fill_index(tree);
    add_node(tree, 0, BM_CALL_NO_PLACE);
    add_entries(tree);
    bm_call_places_finish(&index->places);
    drop_index(index);
    bm_call_tree_settle(tree);
    for (enum bm_metric m = 0; m < BM_NR_METRICS; m++) {
        if (!options.metrics || options.metrics >> m & 1)
            add_up(tree, m);
    }
}

const struct bm_call_place *bm_call_place_of(const struct bm_call_tree *tree,
                                             uint32_t node)
{
    return &tree->places[tree->nodes[node].place];
}

void bm_call_tree_clear(struct bm_call_tree *tree)
{
    bm_call_places_clear(&tree->index->places);
    free(tree->index->slots);
    free(tree->index);
    free(tree->places);
    free(tree->nodes);
    free(tree->entries);
    for (int m = 0; m < BM_NR_METRICS; m++)
        free(tree->totals[m]);
    bm_arena_release(&tree->arena);
}
