/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "results/match.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* Larger groups are tried with the shifts of their first places alone. */
#define MOST_SHIFTS 32

/* Items of one text. */
struct group {
    UT_hash_handle hh;
    const char *text;
    uint32_t *items[2];
    uint32_t nr[2];
    size_t room[2];
    struct group *next;
};

struct matching {
    const struct bm_match_sides *sides;
    uint32_t *match; /* by base item */
    bool *taken;     /* by head item */
    struct group *groups;
    struct group *first;
    struct bm_arena arena;
};

/* An item with its place at hand, for sorting. */
struct placed {
    struct bm_match_place place;
    uint32_t item;
};

static int by_place(const void *a, const void *b)
{
    const struct placed *p = a, *q = b;

    if (p->place.line != q->place.line)
        return p->place.line < q->place.line ? -1 : 1;
    if (p->place.column != q->place.column)
        return p->place.column < q->place.column ? -1 : 1;
    return (p->item > q->item) - (p->item < q->item);
}

static struct placed *sort_side(const struct matching *m,
                                const struct group *group, unsigned side)
{
    struct placed *sorted = bm_xcalloc(group->nr[side], sizeof(*sorted));

    for (uint32_t i = 0; i < group->nr[side]; i++) {
        uint32_t item = group->items[side][i];

        sorted[i].item = item;
        sorted[i].place = m->sides->place(m->sides->context, side, item);
    }
    if (group->nr[side] > 1)
        qsort(sorted, group->nr[side], sizeof(*sorted), by_place);
    return sorted;
}

static void keep(struct matching *m, const struct placed *base,
                 const struct placed *head)
{
    m->match[base->item] = head->item;
    m->taken[head->item] = true;
}

/* -- groups that lost or gained places ------------------------------------- */

struct lists {
    struct placed *items[2];
    uint32_t nr[2];
};

/* How many pairs are `shift` lines apart. */
static uint32_t count_pairs(const struct lists *lists, int64_t shift)
{
    uint32_t pairs = 0;

    for (uint32_t b = 0, h = 0; b < lists->nr[0] && h < lists->nr[1];) {
        int64_t base = (int64_t)lists->items[0][b].place.line + shift;
        int64_t head = lists->items[1][h].place.line;

        pairs += base == head;
        b += base <= head;
        h += head <= base;
    }
    return pairs;
}

static int64_t best_shift(const struct lists *lists)
{
    int64_t best = 0;
    uint32_t most = 0;

    for (uint32_t b = 0; b < lists->nr[0] && b < MOST_SHIFTS; b++) {
        for (uint32_t h = 0; h < lists->nr[1] && h < MOST_SHIFTS; h++) {
            int64_t shift = (int64_t)lists->items[1][h].place.line -
                            lists->items[0][b].place.line;
            uint32_t pairs = count_pairs(lists, shift);

            if (pairs > most || (pairs == most && llabs(shift) < llabs(best))) {
                most = pairs;
                best = shift;
            }
        }
    }
    return best;
}

/* Keeps the pairs that are `shift` apart and takes them out of the lists. */
static void take_pairs(struct matching *m, struct lists *lists, int64_t shift)
{
    uint32_t b = 0, h = 0, left[2] = {0, 0};

    while (b < lists->nr[0] && h < lists->nr[1]) {
        int64_t base = (int64_t)lists->items[0][b].place.line + shift;
        int64_t head = lists->items[1][h].place.line;

        if (base == head) {
            keep(m, &lists->items[0][b++], &lists->items[1][h++]);
        } else if (base < head) {
            lists->items[0][left[0]++] = lists->items[0][b++];
        } else {
            lists->items[1][left[1]++] = lists->items[1][h++];
        }
    }
    while (b < lists->nr[0])
        lists->items[0][left[0]++] = lists->items[0][b++];
    while (h < lists->nr[1])
        lists->items[1][left[1]++] = lists->items[1][h++];
    lists->nr[0] = left[0];
    lists->nr[1] = left[1];
}

static void match_group(struct matching *m, const struct group *group)
{
    struct lists lists;

    if (!group->nr[0] || !group->nr[1])
        return;
    for (unsigned side = 0; side < 2; side++) {
        lists.items[side] = sort_side(m, group, side);
        lists.nr[side] = group->nr[side];
    }
    if (lists.nr[0] == lists.nr[1]) {
        for (uint32_t i = 0; i < lists.nr[0]; i++)
            keep(m, &lists.items[0][i], &lists.items[1][i]);
    } else {
        while (lists.nr[0] && lists.nr[1])
            take_pairs(m, &lists, best_shift(&lists));
    }
    free(lists.items[0]);
    free(lists.items[1]);
}

/* -- rounds ---------------------------------------------------------------- */

static void add_item(struct matching *m, unsigned side, size_t item,
                     const struct bm_str *text)
{
    struct group *group;

    HASH_FIND(hh, m->groups, text->data, text->size, group);
    if (!group) {
        group = bm_arena_alloc(&m->arena, sizeof(*group));
        group->text = bm_arena_strdup(&m->arena, text->data);
        group->next = m->first;
        m->first = group;
        HASH_ADD_KEYPTR(hh, m->groups, group->text, text->size, group);
    }
    group->items[side] =
        bm_xgrow(group->items[side], group->nr[side], &group->room[side],
                 sizeof(*group->items[side]));
    group->items[side][group->nr[side]++] = (uint32_t)item;
}

static void add_side(struct matching *m, unsigned side, unsigned round)
{
    const struct bm_match_sides *sides = m->sides;
    struct bm_str text = BM_STR_INIT;

    for (size_t i = 0; i < sides->nr[side]; i++) {
        if (side ? m->taken[i] : m->match[i] != BM_NO_MATCH)
            continue;
        bm_str_truncate(&text, 0);
        sides->text(sides->context, side, i, round, &text);
        add_item(m, side, i, &text);
    }
    bm_str_clear(&text);
}

static void match_round(struct matching *m, unsigned round)
{
    m->groups = m->first = NULL;
    add_side(m, 0, round);
    add_side(m, 1, round);
    for (struct group *group = m->first; group; group = group->next) {
        match_group(m, group);
        free(group->items[0]);
        free(group->items[1]);
    }
    HASH_CLEAR(hh, m->groups);
    bm_arena_release(&m->arena);
    m->arena = (struct bm_arena)BM_ARENA_INIT;
}

uint32_t *bm_match(const struct bm_match_sides *sides)
{
    struct matching m = {.sides = sides, .arena = BM_ARENA_INIT};

    m.match = bm_xcalloc(sides->nr[0] + 1, sizeof(*m.match));
    m.taken = bm_xcalloc(sides->nr[1] + 1, sizeof(*m.taken));
    for (size_t i = 0; i < sides->nr[0]; i++)
        m.match[i] = BM_NO_MATCH;
    for (unsigned round = 0; round < sides->nr_rounds; round++)
        match_round(&m, round);
    free(m.taken);
    return m.match;
}
