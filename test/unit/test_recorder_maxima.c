/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a peak falls by without each part, against brute force: after every
 * event of random traces the words of all parts give what a look at the whole
 * course gives.
 */
#include "runtime/maxima.h"

#include "profile/records.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MAX_PARTS 200u
#define MAX_EVENTS 600u
#define MAX_BLOCKS 60u
#define MAX_AT_ONCE 4u

struct trace {
    unsigned nr_parts, nr_events;
    unsigned most_at_once; /* parts that one event changes */
    uint64_t max_size;
    unsigned restart_odds; /* one event in so many begins a pass; 0: none */
    bool shrinks;          /* in its second half it frees alone */
    uint64_t seed;
};

struct block {
    unsigned nr_parts; /* 0: there is none */
    unsigned parts[MAX_AT_ONCE];
    uint64_t size;
};

/* The maxima, and the whole course for brute force. */
static struct {
    struct bm_maxima maxima;
    uint64_t state;
    uint64_t words[MAX_PARTS][BM_NR_WORDS_saving];
    uint32_t numbers[MAX_PARTS]; /* 0: not yet added */
    uint64_t held[MAX_PARTS];
    struct block blocks[MAX_BLOCKS];
    uint64_t live, peak;
    uint64_t others[MAX_PARTS]; /* the largest live less what the part held */
    uint64_t random;
} t;

static uint64_t pick(uint64_t n)
{
    /* xorshift64 (Marsaglia) */
    t.random ^= t.random << 13;
    t.random ^= t.random >> 7;
    t.random ^= t.random << 17;
    return t.random % n;
}

static uint64_t *set_word(uint64_t set, enum bm_word_saving first)
{
    return &t.words[(set - 1) / 2][first + (set - 1) % 2 * 2];
}

/* As a reader does it: docs/profile-format.md, words `saving`. */
static uint64_t read_others(unsigned number)
{
    const uint64_t *words = t.words[number - 1];
    uint64_t set = words[BM_SAVING_set], most;

    if (!set)
        return words[BM_SAVING_others];
    while (*set_word(set, BM_SAVING_above_1) != set)
        set = *set_word(set, BM_SAVING_above_1);
    most = *set_word(set, BM_SAVING_most_1) - words[BM_SAVING_live];
    return most > words[BM_SAVING_others] ? most : words[BM_SAVING_others];
}

static void look(unsigned nr_parts)
{
    if (t.live > t.peak)
        t.peak = t.live;
    for (unsigned i = 0; i < nr_parts; i++)
        if (t.live - t.held[i] > t.others[i])
            t.others[i] = t.live - t.held[i];
}

static void check(unsigned nr_parts)
{
    assert_int_equal(t.state, BM_MAXIMA_SETTLED);
    assert_int_equal(t.maxima.live, t.live);
    assert_int_equal(t.maxima.peak, t.peak);
    for (unsigned i = 0; i < nr_parts; i++)
        if (t.numbers[i])
            assert_int_equal(read_others(t.numbers[i]), t.others[i]);
}

static uint32_t number_of(unsigned part)
{
    if (!t.numbers[part])
        t.numbers[part] = bm_maxima_add(&t.maxima, t.words[t.maxima.nr]);
    assert_int_not_equal(t.numbers[part], 0);
    return t.numbers[part];
}

/* Parts overlap, as a site's, its function's and its type's do. */
static unsigned count(const struct block *block, uint64_t sign,
                      struct bm_maxima_change *changes)
{
    for (unsigned i = 0; i < block->nr_parts; i++) {
        uint64_t grown = sign * block->size;

        t.held[block->parts[i]] += grown;
        changes[i] =
            (struct bm_maxima_change){number_of(block->parts[i]), grown};
    }
    t.live += sign * block->size;
    return block->nr_parts;
}

static struct block pick_block(const struct trace *trace)
{
    struct block block = {.size = pick(trace->max_size + 1)};
    unsigned nr = (unsigned)pick(trace->most_at_once) + 1;

    for (unsigned i = 0; i < nr; i++) {
        unsigned part = (unsigned)pick(trace->nr_parts), known = 0;

        for (unsigned j = 0; j < block.nr_parts; j++)
            known |= block.parts[j] == part;
        if (!known)
            block.parts[block.nr_parts++] = part;
    }
    return block;
}

/* One block comes, goes, or takes another's place, in one event. */
static void one_event(const struct trace *trace, bool frees)
{
    struct bm_maxima_change changes[2 * MAX_AT_ONCE + 1];
    struct block *block = &t.blocks[pick(MAX_BLOCKS)];
    bool makes = !frees && (!block->nr_parts || pick(3) == 0);
    uint64_t before = t.live;
    unsigned nr = 0;

    if (block->nr_parts)
        nr = count(block, -(uint64_t)1, changes);
    changes[nr++] = (struct bm_maxima_change){0, 12345}; /* found no room */
    *block = makes ? pick_block(trace) : (struct block){.nr_parts = 0};
    if (makes)
        nr += count(block, 1, changes + nr);
    look(trace->nr_parts);
    bm_maxima_change(&t.maxima, changes, nr, t.live - before);
}

static void restart(void)
{
    memset(t.held, 0, sizeof(t.held));
    memset(t.blocks, 0, sizeof(t.blocks));
    t.live = 0;
    bm_maxima_restart(&t.maxima);
}

static void run(const struct trace *trace)
{
    memset(&t, 0, sizeof(t));
    t.random = trace->seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    bm_maxima_init(&t.maxima, &t.state);
    t.state = BM_MAXIMA_SETTLED;
    for (unsigned i = 0; i < trace->nr_events; i++) {
        bool late = trace->shrinks && i > trace->nr_events / 2;

        if (trace->restart_odds && pick(trace->restart_odds) == 0)
            restart();
        else
            one_event(trace, late);
        check(trace->nr_parts);
    }
    /* Two sets a part, whatever came. */
    assert_true(t.maxima.nr_sets <= 2 * t.maxima.nr);
}

static void against_brute_force(void **state)
{
    static const struct trace traces[] = {
        {1, 100, 1, 10, 0, false, 0},
        {2, 300, 1, 3, 0, false, 0},
        {3, 400, 2, 100, 0, true, 0},
        {10, 600, 4, 1000, 0, true, 0},
        {10, 600, 4, 2, 0, false, 0},
        {40, 600, 4, 1000000, 20, false, 0},
        {MAX_PARTS, MAX_EVENTS, 4, 1000, 0, true, 0},
        {MAX_PARTS, MAX_EVENTS, 1, 1000, 100, false, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(traces) / sizeof(traces[0]); i++)
        for (uint64_t seed = 1; seed <= 40; seed++) {
            struct trace trace = traces[i];

            trace.seed = seed;
            run(&trace);
        }
}

static void change(unsigned part, uint64_t grown)
{
    const struct bm_maxima_change changes[] = {{number_of(part), grown}};

    t.held[part] += grown;
    t.live += grown;
    bm_maxima_change(&t.maxima, changes, 1, grown);
}

/*
 * The first part holds 95 of a peak of 100; later, without it, there are 39:
 * without the first part the peak falls by 61, without the second by none.
 */
static void by_hand(void **state)
{
    (void)state;
    memset(&t, 0, sizeof(t));
    bm_maxima_init(&t.maxima, &t.state);
    change(0, 95);
    change(1, 5);
    change(0, -(uint64_t)95);
    change(1, 34);
    change(1, -(uint64_t)39);
    assert_int_equal(t.maxima.peak, 100);
    assert_int_equal(read_others(1), 39);
    assert_int_equal(read_others(2), 95);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(against_brute_force),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
