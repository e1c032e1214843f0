/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* BENCHMEM_OPTIONS: what is understood, what is complained about. */
#include "runtime/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* How all options are shown: from timeline on, and as they are at first. */
#define REST                                                                   \
    "timeline=0:saves=0:stop_live=0:stop_allocation=0:stop_benchmark=0:"       \
    "stop_site=0:stop_ordinal=0:measure="
#define INITIAL                                                                \
    "paths=full:max_paths=250000:native=0:temporary=1:slack=0:" REST "memory"

static void options_are_read_and_shown(void **state)
{
    static const struct {
        const char *text, *shown, *complaint;
    } cases[] = {
        {NULL, INITIAL, ""},
        {"", INITIAL, ""},
        {"paths=sites:temporary=64:slack=0:measure=memory",
         "paths=sites:max_paths=250000:native=0:temporary=64:slack=0:" REST
         "memory",
         ""},
        {"::native=1:",
         "paths=full:max_paths=250000:native=1:temporary=1:slack=0:" REST
         "memory",
         ""},
        {"native=2:temporary=0:temporary=65", INITIAL,
         "BENCHMEM_OPTIONS, not understood: native=2, temporary=0, "
         "temporary=65"},
        {"paths=sitesx:paths=:nonsense:max_paths=1k", INITIAL,
         "BENCHMEM_OPTIONS, not understood: paths=sitesx, paths=, nonsense, "
         "max_paths=1k"},
        {"measure=rss",
         "paths=full:max_paths=250000:native=0:temporary=1:slack=0:" REST "rss",
         ""},
        {"max_paths=18446744073709551617", INITIAL,
         "BENCHMEM_OPTIONS, not understood: max_paths=18446744073709551617"},
    };
    const struct bm_options initial = bm_options;

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char shown[256], complained[256];
        struct bm_line show = bm_line_in(shown, sizeof(shown));
        struct bm_line complaint = bm_line_in(complained, sizeof(complained));

        bm_options = initial;
        bm_options_read(cases[i].text, &complaint);
        bm_options_show(&show);
        assert_string_equal(shown, cases[i].shown);
        assert_string_equal(complained, cases[i].complaint);
    }
    bm_options = initial;
}

static void lines_are_cut_not_overrun(void **state)
{
    char buffer[8];
    struct bm_line line = bm_line_in(buffer, sizeof(buffer));

    (void)state;
    bm_line_text(&line, "abc");
    bm_line_number(&line, 1234);
    assert_string_equal(buffer, "abc1234");
    assert_false(line.cut);
    bm_line_number(&line, UINT64_MAX);
    assert_string_equal(buffer, "abc1234");
    assert_true(line.cut);
}

static void variables_are_found_by_their_whole_name(void **state)
{
    char *environment[] = {"NAMES=x", "NAM=y", "NAME=", "NAME=z", NULL};

    (void)state;
    assert_string_equal(bm_text_env(environment, "NAME"), "");
    assert_string_equal(bm_text_env(environment, "NAMES"), "x");
    assert_null(bm_text_env(environment, "N"));
    assert_null(bm_text_env(NULL, "N"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_read_and_shown),
        cmocka_unit_test(lines_are_cut_not_overrun),
        cmocka_unit_test(variables_are_found_by_their_whole_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
