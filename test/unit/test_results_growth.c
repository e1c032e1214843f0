/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Laws of growth: known ones are found, and what is none is not. */
#include "results/growth.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const double sizes[] = {10, 100, 1000, 10000};

static struct bm_law fit(const double values[4], size_t nr)
{
    return bm_law_fit(sizes, values, nr);
}

static void assert_near(double a, double b)
{
    assert_true(fabs(a - b) < 1e-9);
}

static void powers_are_exact(void **state)
{
    static const struct {
        double values[4];
        double exponent;
    } cases[] = {
        {{10, 100, 1000, 10000}, 1}, {{100, 10000, 1e6, 1e8}, 2},
        {{7, 7, 7, 7}, 0},           {{1000, 100, 10, 1}, -1},
        {{3e3, 3e6, 3e9, 3e12}, 3},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct bm_law law = fit(cases[i].values, 4);

        assert_true(law.known);
        assert_near(law.exponent, cases[i].exponent);
        assert_near(law.error, 0);
    }
}

/* By hand: x = 0, 1, 2 and y = 0, 1, 3: slope 1.5, residuals 1/6, -1/3, 1/6. */
static void the_error_is_that_of_the_slope(void **state)
{
    const double e = 2.718281828459045;
    const double n[] = {1, e, e * e};
    const double values[] = {1, e, e * e * e};
    struct bm_law law = bm_law_fit(n, values, 3);

    (void)state;
    assert_near(law.exponent, 1.5);
    assert_near(law.error, sqrt(1.0 / 6 / 2));
}

static void few_points_and_zeros(void **state)
{
    (void)state;
    /* Two values leave no error, one leaves no law. */
    struct bm_law law = fit((const double[4]){10, 100}, 2);
    assert_near(law.exponent, 1);
    assert_true(law.known && isnan(law.error));
    assert_false(fit((const double[4]){10}, 1).known);
    assert_false(
        bm_law_fit((const double[]){5, 5, 5}, (const double[]){1, 2, 3}, 3)
            .known);

    law = fit((const double[4]){0, 100, 1000, 10000}, 4);
    assert_near(law.exponent, 1);
    assert_int_equal(law.nr_zeros, 1);
    assert_int_equal(law.nr_points, 3);

    /* Nothing, whatever n, is a law; one figure among nothings is none. */
    law = fit((const double[4]){0, 0, 0, 0}, 4);
    assert_true(law.known && law.exponent == 0 && law.error == 0);
    assert_false(fit((const double[4]){0, 0, 0, 10}, 4).known);
}

static void limits_allow_for_the_error(void **state)
{
    struct bm_law law = {.known = true, .exponent = 1.25, .error = 0.1};

    (void)state;
    assert_false(bm_law_exceeds(&law, 1.2));
    assert_true(bm_law_exceeds(&law, 1.1));
    law.error = NAN;
    assert_true(bm_law_exceeds(&law, 1.2));
    law.known = false;
    assert_false(bm_law_exceeds(&law, 0));
    struct bm_law exact = fit((const double[4]){100, 10000, 1e6, 1e8}, 4);
    assert_false(bm_law_exceeds(&exact, 2));
}

static void laws_are_printed(void **state)
{
    struct bm_str out = BM_STR_INIT;
    struct bm_law law = {
        .known = true, .exponent = 1.024, .error = 0.011, .nr_points = 3};

    (void)state;
    bm_law_print(&out, &law, "n");
    bm_str_puts(&out, " ");
    law = (struct bm_law){
        .known = true, .exponent = -0.0001, .error = NAN, .nr_points = 2};
    bm_law_print(&out, &law, "size");
    bm_str_puts(&out, " ");
    law.known = false;
    bm_law_print(&out, &law, "n");
    assert_string_equal(out.data, "n^1.02 ± 0.01 size^0.00 -");
    bm_str_clear(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers_are_exact),
        cmocka_unit_test(the_error_is_that_of_the_slope),
        cmocka_unit_test(few_points_and_zeros),
        cmocka_unit_test(limits_allow_for_the_error),
        cmocka_unit_test(laws_are_printed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
