/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "maxima.h"

#include "gauge.h"
#include "memory.h"

#include "../profile/records.h"

#include <stddef.h>
#include <string.h>

#define FIRST_ROOM 64u
#define SETS_A_PART 2u
#define WORDS_A_SET (BM_SAVING_most_2 - BM_SAVING_most_1)

/* ---- the words of parts and sets ---- */

static uint64_t *part_word(const struct bm_maxima *maxima, uint32_t part,
                           enum bm_word_saving word)
{
    return &maxima->words[part - 1][word];
}

static uint64_t *most_of(const struct bm_maxima *maxima, uint32_t set)
{
    return &maxima->words[(set - 1) / SETS_A_PART]
                         [BM_SAVING_most_1 +
                          (set - 1) % SETS_A_PART * WORDS_A_SET];
}

static uint64_t *above_of(const struct bm_maxima *maxima, uint32_t set)
{
    return most_of(maxima, set) + (BM_SAVING_above_1 - BM_SAVING_most_1);
}

static void set_state(const struct bm_maxima *maxima,
                      enum bm_maxima_state state)
{
    bm_word_set(maxima->state, state);
}

/* ---- room ---- */

static bool grow(struct bm_maxima *maxima)
{
    uint32_t room = maxima->room ? 2 * maxima->room : FIRST_ROOM;
    size_t sets = (size_t)room * SETS_A_PART + 1;
    struct bm_maxima next = *maxima;

    next.words = bm_arena_get(room * sizeof(*next.words));
    next.sizes = bm_arena_get(sets * sizeof(*next.sizes));
    next.stack = bm_arena_get(sets * sizeof(*next.stack));
    next.moved = bm_arena_get(sets * sizeof(*next.moved));
    next.most = bm_arena_get(sets * sizeof(*next.most));
    next.room = room;
    if (!next.words || !next.sizes || !next.stack || !next.moved || !next.most)
        return false;
    if (maxima->nr) {
        memcpy(next.words, maxima->words, maxima->nr * sizeof(*next.words));
        memcpy(next.sizes, maxima->sizes,
               ((size_t)maxima->nr_sets + 1) * sizeof(*next.sizes));
        memcpy(next.stack, maxima->stack, maxima->depth * sizeof(*next.stack));
    }
    *maxima = next;
    return true;
}

uint32_t bm_maxima_add(struct bm_maxima *maxima, uint64_t *words)
{
    if (maxima->nr == maxima->room && !grow(maxima))
        return 0;
    maxima->words[maxima->nr] = words;
    bm_word_set(&words[BM_SAVING_others], maxima->peak);
    return ++maxima->nr;
}

/* ---- sets ---- */

static uint32_t root_of(const struct bm_maxima *maxima, uint32_t set)
{
    for (;;) {
        uint64_t *above = above_of(maxima, set);
        uint32_t next = (uint32_t)bm_word_own(above);

        if (next == set)
            return set;
        bm_word_set(above, bm_word_own(above_of(maxima, next)));
        set = (uint32_t)bm_word_own(above);
    }
}

static void begin_set(struct bm_maxima *maxima, uint32_t set, uint64_t most)
{
    bm_word_set(most_of(maxima, set), most);
    bm_word_set(above_of(maxima, set), set);
    maxima->stack[maxima->depth++] = set;
}

/* The sets on the stack that are not empty, as 1, 2, ... from its bottom. */
static void number_anew(struct bm_maxima *maxima)
{
    uint32_t nr = 0;

    set_state(maxima, BM_MAXIMA_MOVING);
    for (uint32_t i = 0; i < maxima->depth; i++) {
        uint32_t root = maxima->stack[i];

        if (!maxima->sizes[root])
            continue;
        maxima->moved[root] = ++nr;
        maxima->most[nr] = bm_word_own(most_of(maxima, root));
    }
    for (uint32_t part = 1; part <= maxima->nr; part++) {
        uint64_t *set = part_word(maxima, part, BM_SAVING_set);

        if (*set)
            bm_word_set(set, maxima->moved[root_of(maxima, (uint32_t)*set)]);
    }
    maxima->depth = 0;
    maxima->nr_sets = nr;
    for (uint32_t set = 1; set <= nr; set++) {
        maxima->sizes[set] = 0;
        begin_set(maxima, set, maxima->most[set]);
    }
    for (uint32_t part = 1; part <= maxima->nr; part++)
        maxima->sizes[*part_word(maxima, part, BM_SAVING_set)]++;
    set_state(maxima, BM_MAXIMA_CHANGING);
}

/* Sizes count the parts that are in no set at 0, where no one looks. */
static uint32_t new_set(struct bm_maxima *maxima)
{
    if (maxima->nr_sets == maxima->nr * SETS_A_PART)
        number_anew(maxima);
    maxima->sizes[++maxima->nr_sets] = 0;
    return maxima->nr_sets;
}

/*
 * Takes sets off the stack whose value is not above `live`, and empty ones
 * over them: one set with the parts of all, or 0 if there was none.
 */
static uint32_t unite(struct bm_maxima *maxima)
{
    uint32_t united = 0;

    while (maxima->depth) {
        uint32_t set = maxima->stack[maxima->depth - 1];

        if (maxima->sizes[set] &&
            bm_word_own(most_of(maxima, set)) > maxima->live)
            break;
        /* First, so that no part is ever found below a larger value. */
        bm_word_set(most_of(maxima, set), maxima->live);
        if (united && maxima->sizes[united]) {
            bm_word_set(above_of(maxima, united), set);
            maxima->sizes[set] += maxima->sizes[united];
        }
        united = set;
        maxima->depth--;
    }
    return united;
}

/* ---- events ---- */

/* Ends the interval since the part's last change: it is in no set then. */
static void settle(struct bm_maxima *maxima, uint32_t part)
{
    uint64_t *set = part_word(maxima, part, BM_SAVING_set);
    uint64_t *others = part_word(maxima, part, BM_SAVING_others);
    uint32_t root;
    uint64_t most;

    if (!*set)
        return;
    root = root_of(maxima, (uint32_t)*set);
    most = bm_word_own(most_of(maxima, root)) -
           bm_word_own(part_word(maxima, part, BM_SAVING_live));
    if (most > bm_word_own(others))
        bm_word_set(others, most);
    maxima->sizes[root]--;
    bm_word_set(set, 0);
}

static void join(struct bm_maxima *maxima, uint32_t part, uint32_t set)
{
    uint64_t *word = part_word(maxima, part, BM_SAVING_set);

    if (*word)
        return;
    bm_word_set(word, set);
    maxima->sizes[set]++;
}

void bm_maxima_change(struct bm_maxima *maxima,
                      const struct bm_maxima_change *changes, unsigned nr,
                      uint64_t grown)
{
    uint32_t set;

    set_state(maxima, BM_MAXIMA_CHANGING);
    for (unsigned i = 0; i < nr; i++)
        if (changes[i].part)
            settle(maxima, changes[i].part);
    for (unsigned i = 0; i < nr; i++)
        if (changes[i].part)
            bm_word_add(part_word(maxima, changes[i].part, BM_SAVING_live),
                        changes[i].grown);
    maxima->live += grown;
    if (maxima->live > maxima->peak)
        maxima->peak = maxima->live;
    set = unite(maxima);
    if (!set && maxima->nr)
        set = new_set(maxima);
    if (set)
        begin_set(maxima, set, maxima->live);
    for (unsigned i = 0; i < nr; i++)
        if (changes[i].part)
            join(maxima, changes[i].part, set);
    set_state(maxima, BM_MAXIMA_SETTLED);
}

void bm_maxima_restart(struct bm_maxima *maxima)
{
    set_state(maxima, BM_MAXIMA_MOVING);
    for (uint32_t part = 1; part <= maxima->nr; part++) {
        settle(maxima, part);
        bm_word_set(part_word(maxima, part, BM_SAVING_live), 0);
    }
    maxima->live = 0;
    maxima->depth = 0;
    maxima->nr_sets = 0;
    if (maxima->nr) {
        uint32_t set = new_set(maxima);

        begin_set(maxima, set, 0);
        for (uint32_t part = 1; part <= maxima->nr; part++)
            join(maxima, part, set);
    }
    set_state(maxima, BM_MAXIMA_SETTLED);
}
