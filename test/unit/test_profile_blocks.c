/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Records of many nodes and paths read as records of one would.
 */
#include "build_profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void begin(struct builder *b)
{
    builder_init(b);
    add_head(b);
    add_state(b, BM_END_STATUS, 0, 0);
    add_site(b, 1, "a.c");
    add_site(b, 2, "b.c");
    ADD(b, thread, .index = 1, .tid = 10);
}

static struct bm_profile *parse(const struct builder *b)
{
    struct bm_profile_error error;
    struct bm_profile *profile = builder_parse(b, &error);

    if (!profile)
        fail_msg("%s", error.why);
    return profile;
}

static void paths_of_every_kind(void **state)
{
    uint64_t words[] = {
        bm_path_word(BM_PATH_FRAME, 1, 0),
        bm_path_word(BM_PATH_SITE, 2, 1), /* at its site's frame */
        bm_path_word(BM_PATH_BOTH, UINT64_C(1) << 16 | 2, 1),
        bm_path_word(BM_PATH_INDEX, 7, 0),
        bm_path_word(BM_PATH_SITE_FRAME, 1, 0),
        bm_path_word(BM_PATH_SITE, 2, 1),
        bm_path_word(BM_PATH_OTHERS, 1, 0),
        0,
        bm_path_word(BM_PATH_FRAME, 1, 0), /* behind the end */
    };
    static const struct {
        unsigned frame, site, outer;
    } paths[] = {{0, 0, 0}, {1, 2, 1}, {0, 2, 1}, {0, 2, 1}, {0, 1, 0}};
    struct bm_profile *profile;
    struct builder b;

    (void)state;
    begin(&b);
    ADD(&b, paths, .first = 1, .paths = WORDS_OF(words));
    profile = parse(&b);
    assert_int_equal(profile->nr_paths, 5);
    for (size_t i = 0; i < 5; i++) {
        const struct bm_path_info *path = &profile->paths[i];

        assert_ptr_equal(path->frame, &profile->frames[paths[i].frame]);
        assert_ptr_equal(path->site, paths[i].site
                                         ? &profile->sites[paths[i].site - 1]
                                         : NULL);
        assert_ptr_equal(path->outer, paths[i].outer
                                          ? &profile->paths[paths[i].outer - 1]
                                          : NULL);
        assert_int_equal(path->other, i == 4);
    }
    bm_profile_free(profile);
    builder_clear(&b);
}

static void damaged_paths_are_told(void **state)
{
    static const uint64_t damaged[] = {
        1,                         /* of no kind */
        UINT64_C(99) << 24,        /* of none that is known */
        UINT64_C(1) << 24 | 1,     /* below itself */
        UINT64_C(1) << 24 | 0xfff, /* below a later one */
    };

    (void)state;
    for (size_t i = 0; i < sizeof(damaged) / sizeof(damaged[0]); i++) {
        uint64_t word = htole64(damaged[i]);
        struct bm_profile_error error;
        struct builder b;

        begin(&b);
        ADD(&b, paths, .first = 1, .paths = {&word, 1});
        assert_null(builder_parse(&b, &error));
        assert_non_null(error.why);
        builder_clear(&b);
    }
}

/* Two of the process that keep blocks, and room for one more. */
static void nodes_of_paths(void **state)
{
    uint64_t paths[] = {bm_path_word(BM_PATH_SITE, 1, 0),
                        bm_path_word(BM_PATH_SITE, 2, 0)};
    uint64_t words[3][8] = {
        {UINT64_C(2) << 24 | 1, 3, 1, 90, 30, 100, 60, 1},
        {UINT64_C(1) << 24 | 2, 1, 0, 40, 0, 100, 40, 0},
    };
    const struct bm_node_figures *figures;
    struct bm_profile *profile;
    struct builder b;

    (void)state;
    begin(&b);
    add_ledger(&b, 0, 0, 100, 0, 0);
    ADD(&b, nodes, .thread = 1, .paths = 1, .stride = 8,
        .nodes = words_of(words[0], 24));
    ADD(&b, paths, .first = 1, .paths = WORDS_OF(paths));
    profile = parse(&b);
    assert_null(bm_profile_check(profile));
    assert_int_equal(profile->nr_nodes, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_ptr_equal(profile->nodes[i].path, &profile->paths[i]);
        assert_ptr_equal(profile->nodes[i].site, &profile->sites[i]);
        assert_ptr_equal(profile->nodes[i].thread, &profile->threads[0]);
    }
    figures = &profile->nodes[0].figures;
    assert_int_equal(figures->allocations, 3);
    assert_int_equal(figures->frees, 1);
    assert_int_equal(figures->allocated_bytes, 90);
    assert_int_equal(figures->freed_bytes, 30);
    assert_int_equal(figures->at_peak_bytes, 60);
    assert_int_equal(figures->at_peak_blocks, 2);
    assert_int_equal(figures->temporary, 1);
    assert_int_equal(bm_node_live_blocks(&profile->nodes[0]), 2);
    assert_int_equal(profile->totals.peak_bytes, 100);
    bm_profile_free(profile);
    builder_clear(&b);
}

/* A thread that freed what another allocated has less than no block. */
static void signed_blocks_at_the_peak(void **state)
{
    uint64_t made[8] = {UINT64_C(3) << 24 | 1, 3, 0, 30, 0, 20, 30};
    uint64_t gone[8] = {-UINT64_C(1) << 24 | 1, 0, 1, 0, 10, 20, -UINT64_C(10)};
    struct bm_profile *profile;
    struct builder b;

    (void)state;
    begin(&b);
    ADD(&b, thread, .index = 2, .tid = 11);
    add_ledger(&b, 0, 0, 20, 0, 0);
    ADD(&b, nodes, .thread = 1, .stride = 8, .nodes = WORDS_OF(made));
    ADD(&b, nodes, .thread = 2, .stride = 8, .nodes = WORDS_OF(gone));
    profile = parse(&b);
    assert_null(bm_profile_check(profile));
    assert_int_equal(profile->nr_nodes, 2);
    assert_null(profile->nodes[1].path);
    assert_int_equal((int64_t)profile->nodes[1].figures.at_peak_blocks, -1);
    assert_int_equal(profile->sites[0].figures.at_peak_blocks, 2);
    assert_int_equal(profile->sites[0].figures.at_peak_bytes, 20);
    bm_profile_free(profile);
    builder_clear(&b);
}

/* What a forked child was born with is taken off what it freed. */
static void inherited_blocks(void **state)
{
    uint64_t words[BM_NR_WORDS_node] = {
        [BM_NODE_key] = UINT64_C(2) << 24 | 1,
        [BM_NODE_frees] = 1 - UINT64_C(3),
        [BM_NODE_freed] = 10 - UINT64_C(30),
        [BM_NODE_seen] = 30,
        [BM_NODE_at_peak] = 30,
        [BM_NODE_inherited_blocks] = 3,
        [BM_NODE_inherited_bytes] = 30,
    };
    const struct bm_figures *figures;
    struct bm_profile *profile;
    struct builder b;

    (void)state;
    begin(&b);
    add_ledger(&b, 0, 0, 30, 0, 0);
    ADD(&b, nodes, .thread = 1, .stride = BM_NR_WORDS_node,
        .nodes = WORDS_OF(words));
    profile = parse(&b);
    figures = &profile->sites[0].figures;
    assert_int_equal(figures->frees, 1);
    assert_int_equal(figures->freed_bytes, 10);
    assert_int_equal(figures->live_bytes, 20);
    assert_int_equal(figures->live_blocks, 2);
    assert_int_equal(figures->inherited_blocks, 3);
    assert_int_equal(figures->at_peak_bytes, 30);
    bm_profile_free(profile);
    builder_clear(&b);
}

/* No node fits, or the words end within one. */
static void strides_that_do_not_fit(void **state)
{
    static const uint64_t strides[] = {0, 7, 8, 9, 100, UINT64_MAX};
    static const size_t found[] = {0, 1, 1, 1, 0, 0};

    (void)state;
    for (size_t i = 0; i < sizeof(strides) / sizeof(strides[0]); i++) {
        uint64_t words[11] = {1, 1, 0, 10, 0, 10, 10};
        struct bm_profile *profile;
        struct builder b;

        begin(&b);
        add_ledger(&b, 0, 0, 10, 0, 0);
        ADD(&b, nodes, .thread = 1, .stride = strides[i],
            .nodes = WORDS_OF(words));
        profile = parse(&b);
        assert_int_equal(profile->nr_nodes, found[i]);
        bm_profile_free(profile);
        builder_clear(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_of_every_kind),
        cmocka_unit_test(damaged_paths_are_told),
        cmocka_unit_test(nodes_of_paths),
        cmocka_unit_test(signed_blocks_at_the_peak),
        cmocka_unit_test(inherited_blocks),
        cmocka_unit_test(strides_that_do_not_fit),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
