/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Statistics over passes, exact above 2^53, and how values are printed. */
#include "results/measure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static long double stat_of(const struct bm_series *series, enum bm_stat stat)
{
    long double value = -1;

    assert_true(bm_series_stat(series, stat, &value));
    return value;
}

static void statistics_are_over_all_passes(void **state)
{
    static const uint64_t values[] = {2, 9, 4, 5};
    const struct bm_series series = {.values = values, .nr_values = 4};

    (void)state;
    assert_true(stat_of(&series, BM_STAT_MIN) == 2);
    assert_true(stat_of(&series, BM_STAT_MAX) == 9);
    assert_true(stat_of(&series, BM_STAT_MEAN) == 5);
    assert_true(stat_of(&series, BM_STAT_MEDIAN) == 4.5L);
    /* The squares of 3, 4, 1 and 0 are 26, by n - 1. */
    long double deviation = stat_of(&series, BM_STAT_STDDEV);
    assert_true(deviation * deviation > 26.0L / 3 - 1e-15L);
    assert_true(deviation * deviation < 26.0L / 3 + 1e-15L);
}

static void passes_not_kept_singly_count(void **state)
{
    static const uint64_t values[] = {10, 20};
    const struct bm_series series = {
        .values = values,
        .nr_values = 2,
        .more = {.min = 5, .max = 40, .sum = 70},
        .nr_more = 3,
    };
    const struct bm_series only_more = {.more = {.min = 1, .max = 3, .sum = 4},
                                        .nr_more = 2};

    (void)state;
    assert_true(stat_of(&series, BM_STAT_MIN) == 5);
    assert_true(stat_of(&series, BM_STAT_MAX) == 40);
    assert_true(stat_of(&series, BM_STAT_MEAN) == 20);
    assert_true(stat_of(&series, BM_STAT_MEDIAN) == 15);
    assert_true(stat_of(&only_more, BM_STAT_MEDIAN) == 2);
    assert_true(stat_of(&only_more, BM_STAT_STDDEV) == 0);
}

static void nothing_measured_has_no_statistics(void **state)
{
    const struct bm_series series = {.nr_values = 0};
    long double value;

    (void)state;
    assert_false(bm_series_present(&series));
    assert_false(bm_series_stat(&series, BM_STAT_MIN, &value));
}

static void large_numbers_stay_exact(void **state)
{
    static const uint64_t values[] = {UINT64_MAX, UINT64_MAX - 1};
    const struct bm_series series = {.values = values, .nr_values = 2};
    struct bm_str text = BM_STR_INIT;

    (void)state;
    bm_value_print_exact(&text, stat_of(&series, BM_STAT_MIN));
    assert_string_equal(text.data, "18446744073709551614");
    bm_str_clear(&text);
}

static void values_have_their_units(void **state)
{
    static const struct {
        long double value;
        enum bm_unit unit;
        const char *text;
    } cases[] = {
        {1000, BM_UNIT_BYTES, "1000 B"},     {1024, BM_UNIT_BYTES, "1.0 KiB"},
        {1048575, BM_UNIT_BYTES, "1.0 MiB"}, {7, BM_UNIT_COUNT, "7"},
        {0.5L, BM_UNIT_COUNT, "0.5"},        {999, BM_UNIT_NS, "999 ns"},
        {999.96e3L, BM_UNIT_NS, "1.0 ms"},   {1234, BM_UNIT_NS, "1.2 us"},
        {2.5e9L, BM_UNIT_NS, "2.5 s"},       {0, BM_UNIT_NS, "0 ns"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct bm_str text = BM_STR_INIT;

        bm_value_print(&text, cases[i].value, cases[i].unit);
        assert_string_equal(text.data, cases[i].text);
        bm_str_clear(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statistics_are_over_all_passes),
        cmocka_unit_test(passes_not_kept_singly_count),
        cmocka_unit_test(nothing_measured_has_no_statistics),
        cmocka_unit_test(large_numbers_stay_exact),
        cmocka_unit_test(values_have_their_units),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
