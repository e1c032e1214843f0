/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which places of two versions are the same. */
#include "results/match.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* A place: what it is, strictly and loosely, and its line. */
struct place {
    const char *strict;
    const char *loose;
    uint32_t line;
};

struct versions {
    struct place base[6], head[6]; /* until one without a text */
    int expected[6];               /* head item of each base item, or -1 */
};

static const struct place *side_of(const struct versions *v, unsigned side)
{
    return side ? v->head : v->base;
}

static struct bm_match_place place(const void *context, unsigned side,
                                   size_t item)
{
    return (struct bm_match_place){side_of(context, side)[item].line, 1};
}

static void text(const void *context, unsigned side, size_t item,
                 unsigned round, struct bm_str *out)
{
    const struct place *p = &side_of(context, side)[item];

    bm_str_puts(out, round ? p->loose : p->strict);
}

static size_t count(const struct place *places)
{
    size_t n = 0;

    while (n < 6 && places[n].strict)
        n++;
    return n;
}

static void assert_matched(const struct versions *v)
{
    const struct bm_match_sides sides = {
        .nr = {count(v->base), count(v->head)},
        .place = place,
        .text = text,
        .nr_rounds = 2,
        .context = v,
    };
    uint32_t *match = bm_match(&sides);

    for (size_t i = 0; i < sides.nr[0]; i++)
        assert_int_equal(match[i], v->expected[i] < 0
                                       ? BM_NO_MATCH
                                       : (uint32_t)v->expected[i]);
    free(match);
}

static void equal_numbers_are_paired_in_order(void **state)
{
    (void)state;
    assert_matched(&(struct versions){
        .base = {{"f", "f", 10}, {"f", "f", 12}, {"g", "g", 20}},
        .head = {{"g", "g", 90}, {"f", "f", 75}, {"f", "f", 30}},
        .expected = {2, 1, 0},
    });
}

static void the_shift_that_pairs_most_decides(void **state)
{
    (void)state;
    /* One was put in front of three, which all moved by 21 lines. */
    assert_matched(&(struct versions){
        .base = {{"f", "f", 10}, {"f", "f", 12}, {"f", "f", 15}},
        .head =
            {{"f", "f", 29}, {"f", "f", 31}, {"f", "f", 33}, {"f", "f", 36}},
        .expected = {1, 2, 3},
    });
    /* The middle one is gone. */
    assert_matched(&(struct versions){
        .base = {{"f", "f", 10}, {"f", "f", 12}, {"f", "f", 15}},
        .head = {{"f", "f", 10}, {"f", "f", 15}},
        .expected = {0, -1, 1},
    });
}

static void what_is_left_over_is_matched_by_less(void **state)
{
    (void)state;
    assert_matched(&(struct versions){
        .base = {{"f n", "f", 4}, {"f m", "f", 5}, {"h", "h", 9}},
        .head = {{"f 2*n", "f", 4}, {"f m", "f", 5}, {"k", "k", 9}},
        .expected = {0, 1, -1},
    });
}

static void an_empty_side_has_no_pairs(void **state)
{
    (void)state;
    assert_matched(&(struct versions){
        .base = {{"f", "f", 1}},
        .expected = {-1},
    });
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_numbers_are_paired_in_order),
        cmocka_unit_test(the_shift_that_pairs_most_decides),
        cmocka_unit_test(what_is_left_over_is_matched_by_less),
        cmocka_unit_test(an_empty_side_has_no_pairs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
