/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Sizes: one rule for showing them, every usual spelling for reading them. */
#include "base/size.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void assert_shown(uint64_t bytes, const char *expected)
{
    struct bm_str out = BM_STR_INIT;

    bm_size_print(&out, bytes);
    assert_string_equal(out.data, expected);
    bm_str_clear(&out);
}

static void sizes_are_shown_by_one_rule(void **state)
{
    static const struct {
        uint64_t bytes;
        const char *shown;
    } cases[] = {
        {0, "0 B"},
        {1, "1 B"},
        {1000, "1000 B"},
        {1023, "1023 B"},
        {1024, "1.0 KiB"},
        {1075, "1.0 KiB"},
        {1076, "1.1 KiB"}, /* 1.0508 */
        {1048524, "1023.9 KiB"},
        {1048525, "1.0 MiB"}, /* rounds to 1024.0 KiB */
        {1048575, "1.0 MiB"},
        {1048576, "1.0 MiB"},
        {3145728, "3.0 MiB"},
        {23592960, "22.5 MiB"},
        {1073741824, "1.0 GiB"},
        {(uint64_t)1 << 40, "1.0 TiB"},
        {(uint64_t)1 << 50, "1.0 PiB"},
        {(uint64_t)1 << 60, "1.0 EiB"},
        {UINT64_MAX, "16.0 EiB"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_shown(cases[i].bytes, cases[i].shown);
}

static void changes_have_a_sign(void **state)
{
    static const struct {
        int64_t bytes;
        const char *shown;
    } cases[] = {
        {0, "0 B"},          {12, "+12 B"},           {-12, "-12 B"},
        {-2048, "-2.0 KiB"}, {INT64_MIN, "-8.0 EiB"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct bm_str out = BM_STR_INIT;
        bm_size_print_change(&out, cases[i].bytes);
        assert_string_equal(out.data, cases[i].shown);
        bm_str_clear(&out);
    }
}

static void sizes_are_read_in_every_spelling(void **state)
{
    static const struct {
        const char *text;
        uint64_t bytes;
    } cases[] = {
        {"0", 0},
        {"5", 5},
        {"5B", 5},
        {"5 b", 5},
        {"5k", 5120},
        {"5K", 5120},
        {"5kB", 5000},
        {"5KB", 5000},
        {"5KiB", 5120},
        {"5MB", 5000000},
        {"5MiB", 5242880},
        {"5 MiB", 5242880},
        {"1.5MiB", 1572864},
        {".5k", 512},
        {"0.1k", 102},
        {"2G", 2147483648},
        {"1TB", 1000000000000},
        {"1PiB", (uint64_t)1 << 50},
        {"15E", (uint64_t)15 << 60},
        {"18446744073709551615", UINT64_MAX},
        {"15.999999999999999999E", UINT64_MAX - 1},
        {"0.12345678901234567890123456789k", 126},
    };
    uint64_t bytes;

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (!bm_size_parse(cases[i].text, &bytes))
            fail_msg("%s is refused", cases[i].text);
        if (bytes != cases[i].bytes)
            fail_msg("%s is read as %llu", cases[i].text,
                     (unsigned long long)bytes);
    }
}

static void what_is_no_size_is_refused(void **state)
{
    static const char *const cases[] = {
        "",
        " ",
        ".",
        "k",
        "-1",
        "+1",
        "1x",
        "1kx",
        "1 k B",
        "1e3",
        "5Mi",
        "5%",
        "1..5",
        "0x10",
        "1,5MiB",
        "16E",
        "18446744073709551616",
        "5  k",
        "99999999999999999999999999999999999999999999999999",
    };
    uint64_t bytes;

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (bm_size_parse(cases[i], &bytes))
            fail_msg("%s is read as %llu", cases[i], (unsigned long long)bytes);
    }
}

static void percentages_have_one_decimal(void **state)
{
    static const struct {
        uint64_t part, whole;
        const char *shown;
    } cases[] = {
        {0, 0, "-"},         {5, 0, "-"},
        {0, 7, "0.0"},       {1, 3, "33.3"},
        {2, 3, "66.7"},      {7, 7, "100.0"},
        {952, 1000, "95.2"}, {UINT64_MAX, UINT64_MAX, "100.0"},
        {14, 7, "200.0"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct bm_str out = BM_STR_INIT;
        bm_percent_print(&out, cases[i].part, cases[i].whole);
        assert_string_equal(out.data, cases[i].shown);
        bm_str_clear(&out);
    }
}

static void counts_are_plain_numbers(void **state)
{
    uint64_t count;

    (void)state;
    assert_true(bm_count_parse("18446744073709551615", &count));
    assert_true(count == UINT64_MAX);
    assert_false(bm_count_parse("18446744073709551616", &count));
    assert_false(bm_count_parse("", &count));
    assert_false(bm_count_parse("-1", &count));
    assert_false(bm_count_parse("1 ", &count));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_shown_by_one_rule),
        cmocka_unit_test(changes_have_a_sign),
        cmocka_unit_test(sizes_are_read_in_every_spelling),
        cmocka_unit_test(what_is_no_size_is_refused),
        cmocka_unit_test(percentages_have_one_decimal),
        cmocka_unit_test(counts_are_plain_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
