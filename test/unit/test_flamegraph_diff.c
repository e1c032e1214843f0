/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Comparing two profiles: which places of one are which of the other. */
#include "tools/flamegraph.h"

#include "text_profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* Leaves as lines "label before after", largest first, "<-N" if moved. */
static char *compare(const char *before, const char *after)
{
    struct bm_profile *head = text_profile_parse(after);
    struct bm_profile *base = text_profile_parse(before);
    struct bm_flame flame = {.profile = head};
    struct bm_str out = BM_STR_INIT;

    bm_call_tree_init(&flame.tree, head, NULL, (struct bm_call_options){0});
    bm_flame_compare(&flame, base, NULL);
    bm_call_tree_order(&flame.tree, BM_METRIC_PEAK);
    struct bm_call_walk walk = {.tree = &flame.tree};
    while (bm_call_walk_next(&walk)) {
        const struct bm_call_place *place =
            bm_call_place_of(&flame.tree, walk.node);
        uint32_t line = flame.base->line_of[flame.tree.nodes[walk.node].place];

        if (!place->site)
            continue;
        bm_call_label(place, &out);
        if (line && line != place->line)
            bm_str_printf(&out, "<-%u", line);
        bm_str_printf(
            &out, " %llu %llu\n",
            (unsigned long long)flame.base->totals[BM_METRIC_PEAK][walk.node],
            (unsigned long long)flame.tree.totals[BM_METRIC_PEAK][walk.node]);
    }
    assert_int_equal(flame.base->totals[BM_METRIC_PEAK][0],
                     base->totals.peak_bytes);
    assert_int_equal(flame.tree.totals[BM_METRIC_PEAK][0],
                     head->totals.peak_bytes);
    bm_flame_base_clear(flame.base);
    bm_call_tree_clear(&flame.tree);
    bm_profile_free(head);
    bm_profile_free(base);
    return bm_str_detach(&out);
}

static void check(const char *before, const char *after, const char *expected)
{
    char *shown = compare(before, after);

    assert_string_equal(shown, expected);
    free(shown);
}

static void follows_lines_that_moved_together(void **state)
{
    (void)state;
    check("block 0 : 1 8 8 0 : main at a.c:9 > f at a.c:1 = malloc\n"
          "block 0 : 1 4 4 0 : main at a.c:9 > f at a.c:2 = malloc\n",
          "block 0 : 1 8 8 0 : main at a.c:29 > f at a.c:21 = malloc\n"
          "block 0 : 1 5 5 0 : main at a.c:29 > f at a.c:22 = malloc\n",
          "f (a.c:21)<-1 8 8\nf (a.c:22)<-2 4 5\n");
}

static void is_not_misled_by_lines_that_overlap(void **state)
{
    (void)state;
    check("block 0 : 1 8 8 0 : f at a.c:10 = malloc\n"
          "block 0 : 1 4 4 0 : f at a.c:11 = malloc\n"
          "block 0 : 1 2 2 0 : f at a.c:12 = malloc\n",
          "block 0 : 1 8 8 0 : f at a.c:11 = malloc\n"
          "block 0 : 1 4 4 0 : f at a.c:12 = malloc\n"
          "block 0 : 1 2 2 0 : f at a.c:13 = malloc\n",
          "f (a.c:11)<-10 8 8\nf (a.c:12)<-11 4 4\nf (a.c:13)<-12 2 2\n");
}

static void finds_the_shift_where_one_was_added(void **state)
{
    (void)state;
    check("block 0 : 1 8 8 0 : f at a.c:10 = malloc\n"
          "block 0 : 1 4 4 0 : f at a.c:14 = malloc\n",
          "block 0 : 1 9 9 0 : f at a.c:3 = malloc\n"
          "block 0 : 1 8 8 0 : f at a.c:13 = malloc\n"
          "block 0 : 1 4 4 0 : f at a.c:17 = malloc\n",
          "f (a.c:3) 0 9\nf (a.c:13)<-10 8 8\nf (a.c:17)<-14 4 4\n");
}

static void tells_new_and_gone(void **state)
{
    (void)state;
    check("block 0 : 1 8 8 0 : f at a.c:1 = malloc\n"
          "block 0 : 1 4 4 0 : g at a.c:9 = malloc\n",
          "block 0 : 1 8 8 0 : f at a.c:1 = malloc\n"
          "block 0 : 1 3 3 0 : f at a.c:2 = calloc\n",
          "f (a.c:1) 8 8\nf (a.c:2) 0 3\ng (a.c:9) 4 0\n");
}

static void follows_a_file_that_was_renamed_or_moved(void **state)
{
    (void)state;
    check("block 0 : 1 8 8 0 : f at /old/a.c:1 = malloc\n"
          "block 0 : 1 4 4 0 : g at /old/b.c:1 = malloc\n",
          "block 0 : 1 9 9 0 : f at /new/a.c:1 = malloc\n"
          "block 0 : 1 5 5 0 : g at /new/c.c:7 = malloc\n",
          "f (a.c:1) 8 9\ng (c.c:7)<-1 4 5\n");
}

static void compares_equal_profiles_as_equal(void **state)
{
    const char *text =
        "block 0 : 1 8 8 0 : main at a.c:9 > f at a.c:1 = malloc int\n"
        "block 0 : 2 7 6 5 : main at a.c:8 > inlined g at a.c:3 = new T\n";

    (void)state;
    check(text, text, "f (a.c:1) 8 8\ng (a.c:3) 6 6\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(follows_lines_that_moved_together),
        cmocka_unit_test(is_not_misled_by_lines_that_overlap),
        cmocka_unit_test(finds_the_shift_where_one_was_added),
        cmocka_unit_test(tells_new_and_gone),
        cmocka_unit_test(follows_a_file_that_was_renamed_or_moved),
        cmocka_unit_test(compares_equal_profiles_as_equal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
