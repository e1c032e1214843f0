/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the reader makes of `saving` records: the open interval of a part, what
 * several ledgers of one benchmark come to, and files that say what no recorder
 * writes.
 */
#include "build_profile.h"
#include "same_profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>

/* A part: level site, of its own index. */
struct part {
    uint64_t benchmark, index, of;
    uint64_t words[BM_NR_WORDS_saving];
};

static void add_part(struct builder *b, const struct part *part)
{
    uint64_t words[BM_NR_WORDS_saving];

    memcpy(words, part->words, sizeof(words));
    ADD(b, saving, .benchmark = part->benchmark, .index = part->index,
        .level = BM_SAVED_SITE, .of = part->of, .saving = WORDS_OF(words));
}

static void add_saves_ledger(struct builder *b, uint64_t benchmark,
                             uint64_t peak, uint64_t saves)
{
    uint64_t words[BM_NR_WORDS_ledger] = {
        [BM_LEDGER_peak] = peak,
        [BM_LEDGER_saves] = saves,
    };

    ADD(b, ledger, .benchmark = benchmark, .ledger = WORDS_OF(words));
}

static struct bm_profile *parse(struct builder *b)
{
    struct bm_profile_error error;
    struct bm_profile *profile = builder_parse(b, &error);

    assert_non_null(profile);
    builder_clear(b);
    return profile;
}

/* Two sites that hold 60 and 40, a peak of 100. */
static struct bm_profile *process(const struct part *parts, size_t nr,
                                  uint64_t state, unsigned flags)
{
    struct builder b;

    builder_init(&b);
    add_head(&b);
    add_state(&b, BM_END_STATUS, 0, flags);
    ADD(&b, thread, .index = 1);
    add_site(&b, 1, "a.c");
    add_site(&b, 2, "a.c");
    add_kept(&b, 1, 0, 1, 60, 100);
    add_kept(&b, 2, 0, 1, 40, 100);
    add_saves_ledger(&b, 0, 100, state);
    for (size_t i = 0; i < nr; i++)
        add_part(&b, &parts[i]);
    ADD(&b, grouping, .site = 1, .function = 7, .type = 8);
    ADD(&b, grouping, .site = 1, .function = 7, .type = 8);
    ADD(&b, grouping, .site = 9, .function = 7);
    ADD(&b, grouping, .site = 2, .path = 5, .function = 7);
    return parse(&b);
}

/* What site `of` saves, -1 if it is not known. */
static long saves(const struct bm_profile *profile, size_t benchmark,
                  uint64_t of)
{
    const struct bm_saving_info *info =
        bm_profile_saving(profile, benchmark, BM_SAVED_SITE, of);

    return info ? (long)info->saves_bytes : -1;
}

/* live, others, set, most 1, above 1, most 2, above 2 */
static void open_intervals(void **state)
{
    static const struct {
        struct part parts[2];
        long saves[2];
    } cases[] = {
        /* No interval is open. */
        {{{0, 1, 1, {60, 70, 0}}, {0, 2, 2, {40, 90, 0}}}, {30, 10}},
        /* In a set of its own, in that of the other, by way of another. */
        {{{0, 1, 1, {60, 0, 1, 100, 1}}, {0, 2, 2, {40, 70, 0}}}, {60, 30}},
        {{{0, 1, 1, {60, 0, 3}}, {0, 2, 2, {40, 0, 3, 100, 3}}}, {60, 40}},
        {{{0, 1, 1, {60, 70, 1, 5, 3}}, {0, 2, 2, {40, 0, 3, 9, 4, 99, 4}}},
         {30, 41}},
        /* Records come in any order. */
        {{{0, 2, 2, {40, 0, 1}}, {0, 1, 1, {60, 0, 1, 100, 1}}}, {60, 40}},
        /* What all else held is more than the peak: a kill within a call. */
        {{{0, 1, 1, {60, 170, 0}}, {0, 2, 2, {40, 100, 0}}}, {0, 0}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct bm_profile *p = process(cases[i].parts, 2, 1, 0);

        assert_int_equal(saves(p, 0, 1), cases[i].saves[0]);
        assert_int_equal(saves(p, 0, 2), cases[i].saves[1]);
        assert_int_equal(p->sites[0].figures.saves_bytes, saves(p, 0, 1));
        assert_int_equal(p->nr_groupings, 1);
        assert_null(small_form_differs(p));
        bm_profile_free(p);
    }
}

/* Of these nothing is known, and nothing else is wrong with the profile. */
static void damaged(void **state)
{
    static const struct part cases[][2] = {
        {{0, 1, 1, {60, 0, 5}}, {0, 2, 2, {40, 0, 0}}}, /* beyond the last */
        {{0, 1, 1, {60, 0, 3}}, {0, 2, 2, {40, 0, 0}}}, /* in no set */
        {{0, 3, 1, {60, 0, 1}}, {0, 9, 2, {40, 0, 0}}}, /* without its part */
        {{0, 1, 1, {60, 0, ~0ull}}, {0, 1, 2, {40, 0, 0}}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct bm_profile *p = process(cases[i], 2, 1, 0);

        assert_int_equal(saves(p, 0, 1), -1);
        assert_null(bm_profile_check(p));
        bm_profile_free(p);
    }
}

/* Sets in a ring have no end: they are left all the same. */
static void ring(void **state)
{
    static const struct part parts[] = {
        {0, 1, 1, {60, 40, 1, 9, 3, 9, 1}},
        {0, 2, 2, {40, 60, 4, 9, 2, 9, 1}},
    };
    struct bm_profile *p = process(parts, 2, 1, 0);

    (void)state;
    assert_int_equal(saves(p, 0, 1), 60);
    assert_null(bm_profile_check(p));
    bm_profile_free(p);
}

static void not_told(void **state)
{
    static const struct part parts[] = {{0, 1, 1, {60, 70, 0}},
                                        {0, 2, 2, {40, 90, 0}},
                                        {0, 3, 9, {40, 90, 0}},
                                        {4, 1, 1, {40, 90, 0}}};
    struct bm_profile *p;

    (void)state;
    for (uint64_t ledger = 0; ledger < 5; ledger++) {
        p = process(parts, 4, ledger, 0);
        assert_int_equal(p->nr_savings, ledger == 1 || ledger == 2 ? 2 : 0);
        bm_profile_free(p);
    }
    p = process(parts, 4, 1, BM_STATE_UNSAVED);
    assert_int_equal(p->nr_savings, 0);
    assert_true(p->complete);
    assert_int_equal(p->nr_notes, 1);
    bm_profile_free(p);
}

/* A pass of a benchmark that is `raw` in the file, of two sites. */
static void add_bench(struct builder *b, uint64_t raw, const uint64_t *held,
                      uint64_t saves)
{
    uint64_t pass[BM_NR_WORDS_pass] = {
        [BM_PASS_serial] = raw,
        [BM_PASS_peak] = held[0] + held[1],
        [BM_PASS_allocated] = held[0] + held[1],
        [BM_PASS_allocations] = 2,
        [BM_PASS_retained] = held[0] + held[1],
    };
    uint64_t ledger[BM_NR_WORDS_ledger] = {
        [BM_LEDGER_peak] = held[0] + held[1],
        [BM_LEDGER_peak_pass] = raw,
        [BM_LEDGER_nr_passes] = 1,
        [BM_LEDGER_saves] = saves,
    };

    ADD(b, benchmark, .index = raw, .name = text_of("bench"), .frame = 1);
    ADD(b, ledger, .benchmark = raw, .ledger = WORDS_OF(ledger));
    ADD(b, pass, .benchmark = raw, .pass = WORDS_OF(pass));
    for (uint64_t site = 1; site <= 2; site++) {
        uint64_t size = held[site - 1];
        uint64_t node[BM_NR_WORDS_tally] = {
            [BM_TALLY_allocations] = 1,
            [BM_TALLY_allocated] = size,
            [BM_TALLY_live] = size,
            [BM_TALLY_at_peak] = size,
            [BM_TALLY_seen] = held[0] + held[1],
            [BM_TALLY_pass] = raw,
            [BM_TALLY_at_peak_blocks] = 1,
        };

        ADD(b, node, .benchmark = raw, .site = site, .thread = 1,
            .node = WORDS_OF(node));
    }
}

/*
 * Passes of one benchmark in three processes: what is left without a site is
 * the most that is left in any; where it has no record, all of it.
 */
static void one_benchmark_of_several(void **state)
{
    static const uint64_t held[][2] = {{60, 40}, {10, 30}, {5, 80}};
    static const struct part parts[] =
        {
            {1, 1, 1, {60, 40, 0}}, {1, 2, 2, {40, 60, 0}},
            {2, 1, 1, {10, 35, 0}}, {2, 2, 2, {30, 25, 0}},
            {3, 1, 2, {80, 50, 0}}, /* site 1 was never met: all 85 were others'
                                     */
        };
    struct builder b;

    (void)state;
    for (uint64_t last = 0; last < 2; last++) {
        builder_init(&b);
        add_head(&b);
        add_state(&b, BM_END_STATUS, 0, BM_STATE_MERGED);
        ADD(&b, thread, .index = 1);
        add_site(&b, 1, "a.c");
        add_site(&b, 2, "a.c");
        add_kept(&b, 1, 0, 1, 75, 225);
        add_kept(&b, 2, 0, 1, 150, 225);
        for (uint64_t raw = 1; raw <= 3; raw++)
            add_bench(&b, raw, held[raw - 1], raw < 3 || last);
        for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
            add_part(&b, &parts[i]);
        struct bm_profile *p = parse(&b);

        assert_int_equal(p->nr_benchmarks, 1);
        assert_int_equal(p->benchmarks[0].figures.peak_bytes, 100);
        assert_int_equal(saves(p, 0, 1), -1);
        assert_int_equal(saves(p, 1, 1), last ? 15 : -1);
        assert_int_equal(saves(p, 1, 2), last ? 40 : -1);
        bm_profile_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_intervals),
        cmocka_unit_test(damaged),
        cmocka_unit_test(ring),
        cmocka_unit_test(not_told),
        cmocka_unit_test(one_benchmark_of_several),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
