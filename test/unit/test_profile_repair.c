/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Figures by hand, and profiles that lack records since a kill came first. */
#include "build_profile.h"
#include "same_profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct bm_profile *parse(const struct builder *b)
{
    struct bm_profile_error error;
    struct bm_profile *profile = builder_parse(b, &error);

    if (!profile)
        fail_msg("offset %llu: %s", (unsigned long long)error.offset,
                 error.why);
    assert_null(error.why);
    return profile;
}

static void begin(struct builder *b)
{
    builder_init(b);
    add_head(b);
    add_state(b, BM_END_STATUS, 0, 0);
}

/* ---- what a kill leaves ---- */

static void records_that_a_kill_lost_are_made_up(void **state)
{
    struct bm_profile *profile;
    struct builder b;

    (void)state;
    begin(&b);
    add_ledger(&b, 0, 160, 160, 0, 0);
    add_site(&b, 3, "a.c"); /* 1 and 2 never came */
    ADD(&b, path, .index = 4, .outer = 2, .frame = 9);
    ADD(&b, path, .index = 6, .outer = 4, .frame = 3, .site = 3);
    add_kept(&b, 3, 6, 1, 100, 160);
    add_kept(&b, 2, 5, 1, 60, 160);
    profile = parse(&b);
    assert_null(bm_profile_check(profile));
    assert_int_equal(profile->nr_sites, 2);
    assert_int_equal(profile->sites[0].figures.at_peak_bytes, 100);
    assert_int_equal(profile->sites[1].figures.at_peak_bytes, 60);
    assert_string_equal(profile->sites[1].kind, "outside");
    assert_null(profile->sites[1].frame);
    assert_int_equal(profile->nr_paths, 2);
    assert_null(profile->paths[0].outer);
    assert_non_null(profile->paths[0].frame);
    assert_null(profile->paths[0].frame->function);
    assert_ptr_equal(profile->paths[1].outer, &profile->paths[0]);
    assert_ptr_equal(profile->nodes[0].path, &profile->paths[1]);
    assert_null(profile->nodes[1].path);
    assert_null(profile->nodes[0].thread);
    assert_null(small_form_differs(profile));
    bm_profile_free(profile);
    builder_clear(&b);
}

static void records_may_come_in_any_order(void **state)
{
    struct bm_profile *profile;
    struct builder b;

    (void)state;
    begin(&b);
    add_kept(&b, 2, 0, 1, 60, 160);
    add_kept(&b, 1, 0, 1, 100, 160);
    add_site(&b, 2, "b.c");
    add_ledger(&b, 0, 160, 160, 0, 0);
    add_site(&b, 1, "a.c");
    profile = parse(&b);
    assert_null(bm_profile_check(profile));
    assert_string_equal(profile->sites[0].frame->file, "a.c");
    assert_int_equal(profile->sites[0].figures.at_peak_bytes, 100);
    assert_string_equal(profile->sites[1].frame->file, "b.c");
    assert_int_equal(profile->sites[1].figures.at_peak_bytes, 60);
    bm_profile_free(profile);
    builder_clear(&b);
}

static void one_site_in_two_records_is_one(void **state)
{
    struct bm_profile *profile;
    struct builder b;

    (void)state;
    begin(&b);
    add_ledger(&b, 0, 160, 160, 0, 0);
    ADD(&b, module, .index = 1, .path = text_of("a.so"));
    add_site(&b, 1, "a.c");
    ADD(&b, site, .index = 2, .id = 1001, .kind = text_of("malloc"),
        .elided = 1);
    /* `outside` sites of unlike modules stay apart. */
    ADD(&b, site, .index = 3, .id = 1001, .kind = text_of("outside"),
        .module = 1);
    ADD(&b, path, .index = 1, .frame = 1, .site = 2);
    add_kept(&b, 1, 0, 1, 100, 160);
    add_kept(&b, 2, 1, 1, 60, 160);
    profile = parse(&b);
    assert_null(bm_profile_check(profile));
    assert_int_equal(profile->nr_sites, 2);
    assert_int_equal(profile->sites[0].figures.at_peak_bytes, 160);
    assert_false(profile->sites[0].elided);
    assert_ptr_equal(profile->paths[0].site, &profile->sites[0]);
    assert_non_null(profile->sites[1].module);
    bm_profile_free(profile);
    builder_clear(&b);
}

static void an_index_given_twice_keeps_the_first(void **state)
{
    struct bm_profile *profile;
    struct builder b;

    (void)state;
    begin(&b);
    add_site(&b, 1, "a.c");
    add_site(&b, 1, "b.c");
    profile = parse(&b);
    assert_int_equal(profile->nr_sites, 1);
    assert_string_equal(profile->sites[0].frame->file, "a.c");
    bm_profile_free(profile);
    builder_clear(&b);
}

/* ---- figures by hand ---- */

static void threads_free_each_others_blocks(void **state)
{
    uint64_t made[BM_NR_WORDS_tally] = {
        [BM_TALLY_allocations] = 3, [BM_TALLY_allocated] = 300,
        [BM_TALLY_live] = 300,      [BM_TALLY_at_peak] = 300,
        [BM_TALLY_seen] = 300,
    };
    uint64_t freed[BM_NR_WORDS_tally] = {
        [BM_TALLY_frees] = 2,
        [BM_TALLY_freed] = 200,
        [BM_TALLY_live] = -UINT64_C(200),
        [BM_TALLY_seen] = 300,
    };
    struct bm_profile *profile;
    struct builder b;

    (void)state;
    begin(&b);
    add_site(&b, 1, "a.c");
    add_ledger(&b, 0, 100, 300, 0, 0);
    ADD(&b, thread, .index = 1, .tid = 10, .name = text_of("main"));
    ADD(&b, thread, .index = 2, .tid = 11);
    ADD(&b, node, .site = 1, .thread = 1, .node = WORDS_OF(made));
    ADD(&b, node, .site = 1, .thread = 2, .node = WORDS_OF(freed));
    profile = parse(&b);
    assert_null(bm_profile_check(profile));
    assert_int_equal(profile->sites[0].figures.live_blocks, 1);
    assert_int_equal(profile->sites[0].figures.live_bytes, 100);
    assert_int_equal(profile->sites[0].figures.peak_bytes, 300);
    assert_int_equal((int64_t)bm_node_live_bytes(&profile->nodes[1]), -200);
    assert_int_equal(profile->nodes[1].figures.at_peak_bytes, 0);
    assert_string_equal(profile->nodes[0].thread->name, "main");
    assert_null(small_form_differs(profile));
    bm_profile_free(profile);
    builder_clear(&b);
}

static void inherited_blocks_stand_apart(void **state)
{
    uint64_t words[BM_NR_WORDS_tally] = {
        [BM_TALLY_allocations] = 1,
        [BM_TALLY_allocated] = 10,
        [BM_TALLY_frees] = 2,
        [BM_TALLY_freed] = 60,
        [BM_TALLY_inherited_blocks] = 2,
        [BM_TALLY_inherited_bytes] = 100,
        [BM_TALLY_live] = 50,
        [BM_TALLY_at_peak] = 110,
        [BM_TALLY_seen] = 110,
    };
    struct bm_profile *profile;
    struct builder b;

    (void)state;
    begin(&b);
    add_site(&b, 1, "a.c");
    add_ledger(&b, 0, 50, 110, 0, 0);
    ADD(&b, node, .site = 1, .thread = 1, .node = WORDS_OF(words));
    profile = parse(&b);
    assert_null(bm_profile_check(profile));
    assert_int_equal(profile->totals.live_blocks, 1);
    assert_int_equal(profile->totals.live_bytes, 50);
    assert_int_equal(profile->totals.inherited_blocks, 2);
    assert_int_equal(profile->totals.peak_bytes, 110);
    bm_profile_free(profile);
    builder_clear(&b);
}

/* A thread that was read early shows less than one that was read late. */
static void a_running_program_shows_nothing_negative(void **state)
{
    uint64_t freed[BM_NR_WORDS_tally] = {
        [BM_TALLY_frees] = 2,
        [BM_TALLY_freed] = 200,
        [BM_TALLY_live] = -UINT64_C(200),
    };
    struct bm_profile *profile;
    struct builder b;

    (void)state;
    builder_init(&b);
    add_head(&b);
    add_state(&b, BM_END_UNKNOWN, 0, 0);
    add_site(&b, 1, "a.c");
    add_ledger(&b, 0, 100, 300, 0, 0);
    add_kept(&b, 1, 0, 1, 100, 300);
    ADD(&b, node, .site = 1, .thread = 2, .node = WORDS_OF(freed));
    profile = parse(&b);
    assert_null(bm_profile_check(profile));
    assert_int_equal(profile->totals.live_bytes, 0);
    assert_int_equal(profile->totals.live_blocks, 0);
    assert_int_equal(profile->flags, BM_STATE_IN_FLIGHT);
    bm_profile_free(profile);
    builder_clear(&b);
}

static void idle_nodes_are_left_out(void **state)
{
    uint64_t idle[BM_NR_WORDS_tally] = {[BM_TALLY_seen] = 5};
    struct bm_profile *profile;
    struct builder b;

    (void)state;
    begin(&b);
    add_site(&b, 1, "a.c");
    ADD(&b, node, .site = 1, .thread = 1, .node = WORDS_OF(idle));
    profile = parse(&b);
    assert_int_equal(profile->nr_nodes, 0);
    bm_profile_free(profile);
    builder_clear(&b);
}

static void a_mark_is_at_most_what_there_was(void **state)
{
    static const struct {
        uint64_t mark, allocated, peak;
    } cases[] = {
        {0, 500, 100},   {100, 500, 100}, {150, 500, 150},
        {160, 500, 160}, {999, 500, 160}, {999, 140, 140},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        uint64_t words[BM_NR_WORDS_mark] = {[BM_MARK_peak] = cases[i].mark};
        uint64_t node[BM_NR_WORDS_tally] = {
            [BM_TALLY_allocations] = 2,
            [BM_TALLY_allocated] = cases[i].allocated,
            [BM_TALLY_frees] = 1,
            [BM_TALLY_freed] = cases[i].allocated - 100,
            [BM_TALLY_live] = 100,
        };
        struct bm_profile *profile;
        struct builder b;

        begin(&b);
        add_site(&b, 1, "a.c");
        add_site(&b, 2, "a.c");
        add_ledger(&b, 0, 160, 160, 0, 0);
        ADD(&b, node, .site = 1, .thread = 1, .node = WORDS_OF(node));
        add_kept(&b, 2, 0, 1, 60, 160);
        ADD(&b, mark, .site = 1, .mark = WORDS_OF(words));
        profile = parse(&b);
        assert_null(bm_profile_check(profile));
        assert_int_equal(profile->sites[0].figures.peak_bytes, cases[i].peak);
        bm_profile_free(profile);
        builder_clear(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_that_a_kill_lost_are_made_up),
        cmocka_unit_test(records_may_come_in_any_order),
        cmocka_unit_test(one_site_in_two_records_is_one),
        cmocka_unit_test(an_index_given_twice_keeps_the_first),
        cmocka_unit_test(threads_free_each_others_blocks),
        cmocka_unit_test(inherited_blocks_stand_apart),
        cmocka_unit_test(a_running_program_shows_nothing_negative),
        cmocka_unit_test(idle_nodes_are_left_out),
        cmocka_unit_test(a_mark_is_at_most_what_there_was),
    };

    return cmocka_run_group_tests_name("profile_repair", tests, NULL, NULL);
}
