/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A call tree once its nodes are there: their numbers, the order of siblings,
 * the walk.
 */
#include "tools/call_tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The children of each node, by old numbers, in the order of the profile. */
struct children {
    uint32_t *starts; /* those of node n are nodes[starts[n]...starts[n + 1]] */
    uint32_t *nodes;
};

static void find_children(const struct bm_call_tree *tree,
                          struct children *children)
{
    uint32_t nr = tree->nr_nodes;
    /* Counts stand one place further on, so that they become starts. */
    uint32_t *starts = bm_xcalloc((size_t)nr + 2, sizeof(*starts));

    children->starts = starts;
    children->nodes = bm_xmalloc(nr * sizeof(*children->nodes));
    for (uint32_t n = 1; n < nr; n++)
        starts[tree->nodes[n].parent + 2]++;
    for (uint32_t n = 2; n <= nr; n++)
        starts[n] += starts[n - 1];
    for (uint32_t n = 1; n < nr; n++)
        children->nodes[starts[tree->nodes[n].parent + 1]++] = n;
}

/* order: old numbers by new ones, which this makes breadth first. */
static struct bm_call_node *renumber(const struct bm_call_tree *tree,
                                     const struct children *children,
                                     uint32_t *order)
{
    uint32_t nr = tree->nr_nodes, filled = 1;
    struct bm_call_node *nodes = bm_xmalloc(nr * sizeof(*nodes));

    order[0] = 0;
    nodes[0] = (struct bm_call_node){.place = BM_CALL_NO_PLACE};
    for (uint32_t n = 0; n < nr; n++) {
        uint32_t start = children->starts[order[n]];
        uint32_t count = children->starts[order[n] + 1] - start;

        for (uint32_t i = 0; i < count; i++) {
            uint32_t old = children->nodes[start + i];

            order[filled + i] = old;
            nodes[filled + i] = (struct bm_call_node){
                .parent = n,
                .next = i + 1 < count ? filled + i + 1 : 0,
                .place = tree->nodes[old].place,
            };
        }
        nodes[n].first = count ? filled : 0;
        filled += count;
    }
    return nodes;
}

/* Children that are yet to be numbered, of one node on the way down. */
struct pending {
    uint32_t at, end; /* in children->nodes */
    uint32_t parent;  /* new numbers */
    uint32_t last;    /* child, 0: none yet */
};

static struct pending *push(struct pending *stack, size_t depth, size_t *room,
                            const struct children *children, uint32_t old,
                            uint32_t number)
{
    stack = bm_xgrow(stack, depth, room, sizeof(*stack));
    stack[depth] = (struct pending){.at = children->starts[old],
                                    .end = children->starts[old + 1],
                                    .parent = number};
    return stack;
}

/* The same depth first: a node's first child has the next number. */
static struct bm_call_node *renumber_deep(const struct bm_call_tree *tree,
                                          const struct children *children,
                                          uint32_t *order)
{
    struct bm_call_node *nodes = bm_xmalloc(tree->nr_nodes * sizeof(*nodes));
    size_t room = 0, depth = 0;
    uint32_t filled = 1;
    struct pending *stack = push(NULL, depth++, &room, children, 0, 0);

    order[0] = 0;
    nodes[0] = (struct bm_call_node){.place = BM_CALL_NO_PLACE};
    while (depth) {
        struct pending *top = &stack[depth - 1];

        if (top->at == top->end) {
            depth--;
            continue;
        }
        uint32_t old = children->nodes[top->at++];
        uint32_t number = filled++;

        order[number] = old;
        nodes[number] = (struct bm_call_node){.parent = top->parent,
                                              .place = tree->nodes[old].place};
        if (top->last)
            nodes[top->last].next = number;
        else
            nodes[top->parent].first = number;
        top->last = number;
        stack = push(stack, depth++, &room, children, old, number);
    }
    free(stack);
    return nodes;
}

void bm_call_tree_settle(struct bm_call_tree *tree)
{
    uint32_t nr = tree->nr_nodes;
    uint32_t *order = bm_xmalloc(nr * sizeof(*order));
    uint32_t *numbers;
    struct children children;

    find_children(tree, &children);
    struct bm_call_node *nodes = tree->options.depth_first
                                     ? renumber_deep(tree, &children, order)
                                     : renumber(tree, &children, order);
    free(children.starts);
    free(tree->nodes);
    tree->nodes = nodes;
    tree->room = nr;

    numbers = children.nodes; /* has the room, and is done with */
    for (uint32_t n = 0; n < nr; n++)
        numbers[order[n]] = n;
    for (size_t i = 0; i < tree->nr_entries; i++)
        tree->entries[i].leaf = numbers[tree->entries[i].leaf];
    free(numbers);
    free(order);
}

struct order {
    const struct bm_call_tree *tree;
    const uint64_t *totals;
};

static int compare_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

static int by_total(const void *a, const void *b, void *context)
{
    const struct order *order = context;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    if (order->totals[x] != order->totals[y])
        return order->totals[x] > order->totals[y] ? -1 : 1;

    const struct bm_call_place *p = bm_call_place_of(order->tree, x);
    const struct bm_call_place *q = bm_call_place_of(order->tree, y);
    int diff = compare_text(p->function, q->function);
    if (!diff)
        diff = compare_text(p->file, q->file);
    if (!diff && p->line != q->line)
        diff = p->line < q->line ? -1 : 1;
    if (!diff && p->column != q->column)
        diff = p->column < q->column ? -1 : 1;
    return diff ? diff : (x > y) - (x < y);
}

void bm_call_tree_order(struct bm_call_tree *tree, enum bm_metric metric)
{
    const struct order order = {tree, tree->totals[metric]};
    uint32_t *children = NULL;
    size_t room = 0;

    for (uint32_t n = 0; n < tree->nr_nodes; n++) {
        size_t count = 0;

        for (uint32_t c = tree->nodes[n].first; c; c = tree->nodes[c].next) {
            children = bm_xgrow(children, count, &room, sizeof(*children));
            children[count++] = c;
        }
        if (count < 2)
            continue;
        qsort_r(children, count, sizeof(*children), by_total, (void *)&order);
        tree->nodes[n].first = children[0];
        for (size_t i = 0; i < count; i++)
            tree->nodes[children[i]].next = i + 1 < count ? children[i + 1] : 0;
    }
    free(children);
}

bool bm_call_walk_next(struct bm_call_walk *walk)
{
    const struct bm_call_node *nodes = walk->tree->nodes;
    uint32_t n = walk->node;
    bool skip = walk->skip;

    walk->skip = false;
    if (!skip && nodes[n].first) {
        walk->node = nodes[n].first;
        walk->depth++;
        return true;
    }
    while (n != walk->top && !nodes[n].next) {
        n = nodes[n].parent;
        walk->depth--;
    }
    if (n == walk->top) {
        walk->node = n;
        return false;
    }
    walk->node = nodes[n].next;
    return true;
}

uint32_t bm_call_charged(const struct bm_call_tree *tree, uint32_t leaf)
{
    for (uint32_t n = leaf; n; n = tree->nodes[n].parent) {
        if (!(bm_call_place_of(tree, n)->flags & BM_CALL_SYSTEM))
            return n;
    }
    return leaf;
}

void bm_call_label(const struct bm_call_place *place, struct bm_str *out)
{
    bm_str_puts(out, place->function);
    if (place->file) {
        bm_str_printf(out, " (%s", place->short_file);
        if (place->line)
            bm_str_printf(out, ":%" PRIu32, place->line);
        if (place->line && (place->flags & BM_CALL_COLUMN))
            bm_str_printf(out, ":%" PRIu32, place->column);
        bm_str_putc(out, ')');
    } else if (place->module && place->frame && place->frame->function) {
        const char *slash = strrchr(place->module, '/');
        bm_str_printf(out, " (%s)", slash ? slash + 1 : place->module);
    }
}

bool bm_call_is_native(const struct bm_profile *profile)
{
    const char *option = profile->options;

    while (option && *option) {
        size_t size = strcspn(option, ":");
        if (size == strlen("native=1") && !strncmp(option, "native=1", size))
            return true;
        option += size + (option[size] == ':');
    }
    return false;
}
