/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Puts the call tree of a second profile onto the first one's.
 *
 * Lines move between two versions of a source, so places are matched by
 * function, file name and what they call, each such group by the order of its
 * lines. Where a group has lost or gained places, the shift of lines that
 * brings most of them together decides. What is left over on both sides is
 * matched again without the name of its file, which may have changed too; the
 * rest is new or gone. Folders and addresses are never part of it.
 */
#include "tools/flamegraph.h"

#include "tools/intern.h"

#include <stdlib.h>
#include <string.h>

/* Groups larger than this are only tried with the shift of their first places.
 */
#define MOST_SHIFTS 64

struct group {
    uint32_t *places[2]; /* of the first and the base tree, by line */
    uint32_t nr[2];
};

struct matching {
    const struct bm_call_tree *trees[2];
    struct bm_intern keys;
    struct group *groups;
    uint32_t nr_groups;
    size_t room;
    uint32_t *match; /* by base place: place of the first tree, or none */
    bool *taken;     /* by place of the first tree: it is a match */
};

static const char *base_name(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;

    return slash ? slash + 1 : path ? path : "";
}

static void put_key(const struct bm_call_place *place, bool by_file,
                    struct bm_str *key)
{
    const char *file = place->file ? place->file : place->module;
    const char *callee = place->site    ? place->site->callee
                         : place->frame ? place->frame->callee
                                        : NULL;

    bm_str_printf(key, "%s\n%s\n%s\n%s\n%u", place->function,
                  by_file ? base_name(file) : "", callee ? callee : "",
                  place->site ? place->site->kind : "",
                  place->flags & (BM_CALL_REST | BM_CALL_OUTSIDE));
}

static void add_place(struct matching *m, unsigned side, uint32_t number,
                      bool by_file)
{
    struct bm_str key = BM_STR_INIT;

    put_key(&m->trees[side]->places[number], by_file, &key);
    uint32_t g = bm_intern(&m->keys, key.data);
    bm_str_clear(&key);
    if (g >= m->nr_groups) {
        m->groups =
            bm_xgrow(m->groups, m->nr_groups, &m->room, sizeof(*m->groups));
        m->groups[m->nr_groups++] = (struct group){{NULL, NULL}, {0, 0}};
    }
    struct group *group = &m->groups[g];
    size_t room = group->nr[side];
    /* Grown by doubling: room is the power of two that nr has reached. */
    if (!(room & (room - 1))) {
        uint32_t *more = bm_xcalloc(room ? room * 2 : 1, sizeof(*more));
        if (room)
            memcpy(more, group->places[side], room * sizeof(*more));
        free(group->places[side]);
        group->places[side] = more;
    }
    group->places[side][group->nr[side]++] = number;
}

static int by_line(const void *a, const void *b, void *context)
{
    const struct bm_call_tree *tree = context;
    const struct bm_call_place *x = &tree->places[*(const uint32_t *)a];
    const struct bm_call_place *y = &tree->places[*(const uint32_t *)b];

    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    return (x->flags > y->flags) - (x->flags < y->flags);
}

static int64_t line_of(const struct matching *m, const struct group *group,
                       unsigned side, uint32_t i)
{
    return m->trees[side]->places[group->places[side][i]].line;
}

static void keep_pair(struct matching *m, const struct group *group, uint32_t a,
                      uint32_t b)
{
    m->match[group->places[1][b]] = group->places[0][a];
    m->taken[group->places[0][a]] = true;
}

/* Pairs of a group whose lines are `shift` apart; kept if told to. */
static uint32_t pair_up(struct matching *m, const struct group *group,
                        int64_t shift, bool keep)
{
    uint32_t pairs = 0;

    for (uint32_t a = 0, b = 0; a < group->nr[0] && b < group->nr[1];) {
        int64_t head = line_of(m, group, 0, a);
        int64_t base = line_of(m, group, 1, b) + shift;

        if (head == base) {
            if (keep)
                keep_pair(m, group, a, b);
            pairs++;
        }
        a += head <= base;
        b += base <= head;
    }
    return pairs;
}

static void match_by_shift(struct matching *m, const struct group *group)
{
    uint32_t limit = group->nr[0] <= MOST_SHIFTS && group->nr[1] <= MOST_SHIFTS
                         ? MOST_SHIFTS
                         : 1;
    int64_t best_shift = 0;
    uint32_t best = pair_up(m, group, 0, false);

    for (uint32_t a = 0; a < group->nr[0] && a < limit; a++) {
        for (uint32_t b = 0; b < group->nr[1] && b < limit; b++) {
            int64_t shift = line_of(m, group, 0, a) - line_of(m, group, 1, b);
            uint32_t pairs = pair_up(m, group, shift, false);

            if (pairs > best ||
                (pairs == best && llabs(shift) < llabs(best_shift))) {
                best = pairs;
                best_shift = shift;
            }
        }
    }
    pair_up(m, group, best_shift, true);
}

static void match_group(struct matching *m, struct group *group)
{
    if (!group->nr[0] || !group->nr[1])
        return;
    for (unsigned side = 0; side < 2; side++)
        qsort_r(group->places[side], group->nr[side],
                sizeof(*group->places[side]), by_line, (void *)m->trees[side]);
    if (group->nr[0] == group->nr[1]) {
        for (uint32_t i = 0; i < group->nr[0]; i++)
            keep_pair(m, group, i, i);
    } else {
        match_by_shift(m, group);
    }
}

/* All that is not matched yet. */
static void match_round(struct matching *m, bool by_file)
{
    m->keys = (struct bm_intern)BM_INTERN_INIT;
    for (uint32_t i = 0; i < m->trees[0]->nr_places; i++) {
        if (!m->taken[i])
            add_place(m, 0, i, by_file);
    }
    for (uint32_t i = 0; i < m->trees[1]->nr_places; i++) {
        if (m->match[i] == BM_CALL_NO_PLACE)
            add_place(m, 1, i, by_file);
    }
    for (uint32_t g = 0; g < m->nr_groups; g++) {
        match_group(m, &m->groups[g]);
        free(m->groups[g].places[0]);
        free(m->groups[g].places[1]);
    }
    m->nr_groups = 0;
    bm_intern_clear(&m->keys);
}

static void match_places(struct matching *m)
{
    uint32_t nr_base = m->trees[1]->nr_places;

    m->match = bm_xcalloc((size_t)nr_base + 1, sizeof(*m->match));
    m->taken =
        bm_xcalloc((size_t)m->trees[0]->nr_places + 1, sizeof(*m->taken));
    for (uint32_t i = 0; i < nr_base; i++)
        m->match[i] = BM_CALL_NO_PLACE;
    match_round(m, true);
    match_round(m, false);
    free(m->groups);
    free(m->taken);
}

/*
 * Functions of the base get the numbers that they have in the first tree,
 * where any of their places is matched there.
 */
static void number_routines(struct bm_call_tree *head,
                            const struct bm_call_tree *base,
                            const struct matching *m, uint32_t first_new)
{
    uint32_t *numbers =
        bm_xcalloc((size_t)base->nr_routines + 1, sizeof(*numbers));

    for (uint32_t i = 0; i < base->nr_places; i++) {
        if (m->match[i] < first_new)
            numbers[base->places[i].routine] =
                head->places[m->match[i]].routine + 1;
    }
    for (uint32_t i = 0; i < base->nr_places; i++) {
        uint32_t *number = &numbers[base->places[i].routine];

        if (m->match[i] < first_new)
            continue;
        if (!*number)
            *number = ++head->nr_routines;
        head->places[m->match[i]].routine = *number - 1;
    }
    free(numbers);
}

/* Places that the first tree has not are added to it. */
static void adopt_places(struct bm_flame *flame, struct matching *m)
{
    struct bm_call_tree *head = &flame->tree;
    const struct bm_call_tree *base = &flame->base->tree;
    uint32_t first_new = head->nr_places;
    size_t most = (size_t)head->nr_places + base->nr_places;
    struct bm_call_place *places = bm_xcalloc(most + 1, sizeof(*places));

    if (head->nr_places)
        memcpy(places, head->places, head->nr_places * sizeof(*places));
    free(head->places);
    head->places = places;
    flame->base->line_of = bm_xcalloc(most + 1, sizeof(uint32_t));
    for (uint32_t i = 0; i < base->nr_places; i++) {
        if (m->match[i] == BM_CALL_NO_PLACE) {
            m->match[i] = head->nr_places++;
            places[m->match[i]] = base->places[i];
        }
        flame->base->line_of[m->match[i]] = base->places[i].line;
    }
    number_routines(head, base, m, first_new);
}

static void adopt_nodes(struct bm_flame *flame, const struct matching *m)
{
    struct bm_call_tree *head = &flame->tree;
    const struct bm_call_tree *base = &flame->base->tree;
    uint32_t *node_of = bm_xcalloc(base->nr_nodes, sizeof(*node_of));
    bool fold = head->options.fold;

    /* The base is folded already. */
    head->options.fold = false;
    for (uint32_t n = 1; n < base->nr_nodes; n++)
        node_of[n] = bm_call_tree_child(head, node_of[base->nodes[n].parent],
                                        m->match[base->nodes[n].place]);
    head->options.fold = fold;
    flame->base->node_of = node_of;
}

static void adopt_totals(struct bm_flame *flame, enum bm_metric metric,
                         uint32_t nr_before)
{
    struct bm_call_tree *head = &flame->tree;
    const struct bm_call_tree *base = &flame->base->tree;
    uint64_t *own = bm_xcalloc(head->nr_nodes, sizeof(*own));
    uint64_t *more = bm_xcalloc(head->nr_nodes, sizeof(*more));

    memcpy(more, head->totals[metric], nr_before * sizeof(*more));
    free(head->totals[metric]);
    head->totals[metric] = more;

    for (uint32_t n = 1; n < base->nr_nodes; n++) {
        if (!base->nodes[n].first)
            own[flame->base->node_of[n]] += base->totals[metric][n];
    }
    for (uint32_t n = head->nr_nodes - 1; n > 0; n--)
        own[head->nodes[n].parent] += own[n];
    flame->base->totals[metric] = own;
}

void bm_flame_compare(struct bm_flame *flame, const struct bm_profile *profile,
                      const struct bm_benchmark_info *benchmark)
{
    uint32_t nr_before = flame->tree.nr_nodes;

    flame->base = bm_xcalloc(1, sizeof(*flame->base));
    bm_call_tree_init(&flame->base->tree, profile, benchmark,
                      flame->tree.options);
    struct matching m = {
        .trees = {&flame->tree, &flame->base->tree},
    };
    match_places(&m);
    adopt_places(flame, &m);
    adopt_nodes(flame, &m);
    for (int metric = 0; metric < BM_NR_METRICS; metric++)
        adopt_totals(flame, (enum bm_metric)metric, nr_before);
    free(m.match);
}

void bm_flame_base_clear(struct bm_flame_base *base)
{
    if (!base)
        return;
    bm_call_tree_clear(&base->tree);
    free(base->node_of);
    free(base->line_of);
    for (int m = 0; m < BM_NR_METRICS; m++)
        free(base->totals[m]);
    free(base);
}
