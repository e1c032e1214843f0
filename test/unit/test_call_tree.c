/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The call tree: what paths of a profile become, and their totals. */
#include "tools/call_tree.h"

#include "text_profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* The tree as lines "depth label total", in the order of the metric. */
static char *show(const struct bm_call_tree *tree, enum bm_metric metric)
{
    struct bm_call_walk walk = {.tree = tree};
    struct bm_str out = BM_STR_INIT;

    while (bm_call_walk_next(&walk)) {
        const struct bm_call_place *place = bm_call_place_of(tree, walk.node);

        bm_str_printf(&out, "%u ", walk.depth);
        bm_call_label(place, &out);
        bm_str_printf(&out, "%s%s %llu\n",
                      place->flags & BM_CALL_INLINED ? " inlined" : "",
                      place->site ? " site" : "",
                      (unsigned long long)tree->totals[metric][walk.node]);
    }
    return bm_str_detach(&out);
}

static void check_with(const char *text, struct bm_call_options options,
                       enum bm_metric metric, const char *expected)
{
    struct bm_profile *profile = text_profile_parse(text);
    struct bm_call_tree tree;

    bm_call_tree_init(&tree, profile, NULL, options);
    bm_call_tree_order(&tree, metric);
    char *shown = show(&tree, metric);
    assert_string_equal(shown, expected);
    assert_int_equal(tree.totals[BM_METRIC_PEAK][0],
                     profile->totals.peak_bytes);
    for (uint32_t n = 1; n < tree.nr_nodes; n++)
        assert_true(tree.nodes[n].parent < n);
    free(shown);
    bm_call_tree_clear(&tree);
    bm_profile_free(profile);
}

static void check(const char *text, const char *expected)
{
    check_with(text, (struct bm_call_options){.own = false}, BM_METRIC_PEAK,
               expected);
}

static void merges_what_paths_share(void **state)
{
    (void)state;
    check("block 0 : 1 10 10 0 : main at a.c:9 > f at a.c:4 = malloc\n"
          "block 0 : 1 30 30 0 : main at a.c:9 > g at a.c:6 = malloc\n"
          "block 0 : 1 5 5 0 : main at a.c:8 > f at a.c:4 = malloc\n",
          "1 main (a.c:9) 40\n"
          "2 g (a.c:6) site 30\n"
          "2 f (a.c:4) site 10\n"
          "1 main (a.c:8) 5\n"
          "2 f (a.c:4) site 5\n");
}

static void orders_by_the_metric(void **state)
{
    const char *text = "block 0 : 7 70 1 0 : f at a.c:1 = malloc\n"
                       "block 0 : 1 10 2 0 : g at a.c:2 = malloc\n";

    (void)state;
    check(text, "1 g (a.c:2) site 2\n1 f (a.c:1) site 1\n");
    check_with(text, (struct bm_call_options){.own = false},
               BM_METRIC_ALLOCATIONS,
               "1 f (a.c:1) site 7\n1 g (a.c:2) site 1\n");
}

static void gives_inlined_frames_boxes_of_their_own(void **state)
{
    (void)state;
    check("block 0 : 1 8 8 0 : main at a.c:9 > inlined f at a.c:4 > "
          "inlined g at a.c:2 = malloc\n",
          "1 main (a.c:9) 8\n"
          "2 f (a.c:4) inlined 8\n"
          "3 g (a.c:2) inlined site 8\n");
}

static void tells_calls_of_one_line_apart_by_column(void **state)
{
    (void)state;
    check("block 0 : 1 8 8 0 : f at a.c:3:5 > g at a.c:1:1 = malloc\n"
          "block 0 : 1 4 4 0 : f at a.c:3:9 > g at a.c:1:1 = malloc\n",
          "1 f (a.c:3:5) 8\n"
          "2 g (a.c:1) site 8\n"
          "1 f (a.c:3:9) 4\n"
          "2 g (a.c:1) site 4\n");
}

static void names_files_by_their_shortest_end(void **state)
{
    (void)state;
    check("block 0 : 1 8 8 0 : f at /x/lib/a.c:3 = malloc\n"
          "block 0 : 1 4 4 0 : g at /x/src/a.c:3 = malloc\n"
          "block 0 : 1 2 2 0 : h at /x/src/b.c:3 = malloc\n",
          "1 f (lib/a.c:3) site 8\n"
          "1 g (src/a.c:3) site 4\n"
          "1 h (b.c:3) site 2\n");
}

static void adds_up_threads_that_free_for_others(void **state)
{
    (void)state;
    check("thread 1 main\nthread 2 worker\n"
          "block 1 : 3 30 30 30 : f at a.c:1 = malloc\n"
          "block 2 : 0 0 -20 -20 : f at a.c:1 = malloc\n",
          "1 f (a.c:1) site 10\n");
}

static void merges_foreign_frames_of_a_module(void **state)
{
    const char *text = "module /usr/lib/libx.so\n"
                       "block 0 : 1 8 8 0 : main at a.c:9 > - in 1 > - in 1 > "
                       "- in 1 > f at a.c:1 = malloc\n";

    (void)state;
    check(text, "1 main (a.c:9) 8\n2 [libx.so] 8\n3 f (a.c:1) site 8\n");
    check_with(text, (struct bm_call_options){.native = true}, BM_METRIC_PEAK,
               "1 main (a.c:9) 8\n2 libx.so+0x20 8\n3 libx.so+0x30 8\n"
               "4 libx.so+0x40 8\n5 f (a.c:1) site 8\n");
}

static void leaves_out_frames_of_its_own(void **state)
{
    const char *text = "block 0 : 1 8 8 0 : _start at crt.c:1 > main at a.c:9 "
                       "> __benchmem_x at rt.c:2 > f at a.c:1 = malloc\n";

    (void)state;
    check(text, "1 main (a.c:9) 8\n2 f (a.c:1) site 8\n");
    check_with(text, (struct bm_call_options){.own = true}, BM_METRIC_PEAK,
               "1 _start (crt.c:1) 8\n2 main (a.c:9) 8\n"
               "3 __benchmem_x (rt.c:2) 8\n4 f (a.c:1) site 8\n");
}

static void folds_recursion(void **state)
{
    const char *text =
        "block 0 : 1 8 8 0 : main at a.c:9 > f at a.c:3 = malloc\n"
        "block 0 : 1 4 4 0 : main at a.c:9 > f at a.c:5 > f at a.c:3 = malloc\n"
        "block 0 : 1 2 2 0 : main at a.c:9 > f at a.c:5 > g at a.c:7 > "
        "f at a.c:3 = malloc\n";

    (void)state;
    check_with(text, (struct bm_call_options){.fold = true}, BM_METRIC_PEAK,
               "1 main (a.c:9) 14\n"
               "2 f (a.c:3) site 14\n"
               "2 f (a.c:5) 0\n"
               "3 g (a.c:7) 0\n");
}

static void keeps_sites_without_paths(void **state)
{
    struct bm_profile *profile =
        text_profile_parse("block 0 : 1 8 8 0 :  = outside\n");
    struct bm_call_tree tree;
    (void)state;

    bm_call_tree_init(&tree, profile, NULL, (struct bm_call_options){0});
    assert_int_equal(tree.nr_nodes, 2);
    assert_string_equal(bm_call_place_of(&tree, 1)->function, "outside");
    assert_true(bm_call_place_of(&tree, 1)->flags & BM_CALL_OUTSIDE);
    assert_int_equal(tree.totals[BM_METRIC_PEAK][1], 8);
    bm_call_tree_clear(&tree);
    bm_profile_free(profile);
}

static void charges_the_innermost_line_outside_system_headers(void **state)
{
    struct bm_profile *profile = text_profile_parse(
        "block 0 : 1 8 8 0 : main at a.cc:9 > inlined system grow at vector:3 "
        "> inlined system allocate at alloc.h:7 = new\n");
    struct bm_call_tree tree;
    (void)state;

    bm_call_tree_init(&tree, profile, NULL, (struct bm_call_options){0});
    assert_int_equal(tree.nr_nodes, 4);
    assert_string_equal(
        bm_call_place_of(&tree, bm_call_charged(&tree, 3))->function, "main");
    bm_call_tree_clear(&tree);
    bm_profile_free(profile);
}

static void walks_below_a_node_alone(void **state)
{
    struct bm_profile *profile = text_profile_parse(
        "block 0 : 1 1 1 0 : a at x:1 > b at x:2 > c at x:3 = malloc\n"
        "block 0 : 1 1 1 0 : d at x:4 = malloc\n");
    struct bm_call_tree tree;
    unsigned met = 0;
    (void)state;

    bm_call_tree_init(&tree, profile, NULL, (struct bm_call_options){0});
    struct bm_call_walk walk = {.tree = &tree, .node = 1, .top = 1};
    while (bm_call_walk_next(&walk))
        met++;
    assert_int_equal(met, 2);
    bm_call_tree_clear(&tree);
    bm_profile_free(profile);
}

static void knows_native_profiles(void **state)
{
    static const struct {
        const char *options;
        bool native;
    } cases[] = {
        {"option native=1\n", true},
        {"option paths=full:native=1:slack=0\n", true},
        {"option native=10\n", false},
        {"option native=0\n", false},
        {"", false},
    };
    char text[200];
    (void)state;

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        snprintf(text, sizeof(text),
                 "%sblock 0 : 1 1 1 0 : f at x:1 = malloc\n", cases[i].options);
        struct bm_profile *profile = text_profile_parse(text);
        assert_int_equal(bm_call_is_native(profile), cases[i].native);
        bm_profile_free(profile);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(merges_what_paths_share),
        cmocka_unit_test(orders_by_the_metric),
        cmocka_unit_test(gives_inlined_frames_boxes_of_their_own),
        cmocka_unit_test(tells_calls_of_one_line_apart_by_column),
        cmocka_unit_test(names_files_by_their_shortest_end),
        cmocka_unit_test(adds_up_threads_that_free_for_others),
        cmocka_unit_test(merges_foreign_frames_of_a_module),
        cmocka_unit_test(leaves_out_frames_of_its_own),
        cmocka_unit_test(folds_recursion),
        cmocka_unit_test(keeps_sites_without_paths),
        cmocka_unit_test(charges_the_innermost_line_outside_system_headers),
        cmocka_unit_test(walks_below_a_node_alone),
        cmocka_unit_test(knows_native_profiles),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
