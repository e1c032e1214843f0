/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The grammar of limits. How they decide is in test/lit/compare. */
#include "results/gate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void limits_are_read(void **state)
{
    static const struct {
        const char *text;
        enum bm_gate_subject subject;
        const char *pattern;
        uint32_t line;
        enum bm_measure measure;
        bool percent;
        uint64_t limit;
    } cases[] = {
        {"peak:10%", BM_GATE_BENCHMARKS, NULL, 0, BM_MEASURE_PEAK, true,
         10000000},
        {"peak:0.3%", BM_GATE_BENCHMARKS, NULL, 0, BM_MEASURE_PEAK, true,
         300000},
        {"peak:5MiB", BM_GATE_BENCHMARKS, NULL, 0, BM_MEASURE_PEAK, false,
         5 << 20},
        {"rss:5MB", BM_GATE_BENCHMARKS, NULL, 0, BM_MEASURE_RSS, false,
         5000000},
        {"leaked:1.5 KiB", BM_GATE_BENCHMARKS, NULL, 0, BM_MEASURE_LEAKED,
         false, 1536},
        {"allocations:0", BM_GATE_BENCHMARKS, NULL, 0, BM_MEASURE_ALLOCATIONS,
         false, 0},
        {"time:2.5ms", BM_GATE_BENCHMARKS, NULL, 0, BM_MEASURE_TIME, false,
         2500000},
        {"time:0", BM_GATE_BENCHMARKS, NULL, 0, BM_MEASURE_TIME, false, 0},
        {"site:parser.c:88:peak:0", BM_GATE_SITE, "parser.c", 88,
         BM_MEASURE_PEAK, false, 0},
        {"site:a:b.c:1:allocated:1%", BM_GATE_SITE, "a:b.c", 1,
         BM_MEASURE_ALLOCATED, true, 1000000},
        {"function:ns::parse_*:leaked:1k", BM_GATE_FUNCTIONS, "ns::parse_*", 0,
         BM_MEASURE_LEAKED, false, 1024},
        {"benchmark:b.c::f[n=1]:peak:0", BM_GATE_BENCHMARKS, "b.c::f[n=1]", 0,
         BM_MEASURE_PEAK, false, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct bm_gates gates = {.count = 0};

        assert_null(bm_gates_add(&gates, cases[i].text, false));
        assert_int_equal(gates.count, 1);
        const struct bm_gate *gate = &gates.items[0];
        assert_int_equal(gate->subject, cases[i].subject);
        assert_int_equal(gate->line, cases[i].line);
        assert_int_equal(gate->measure, cases[i].measure);
        assert_int_equal(gate->percent, cases[i].percent);
        assert_int_equal(gate->limit, cases[i].limit);
        if (cases[i].pattern)
            assert_string_equal(gate->pattern, cases[i].pattern);
        else
            assert_null(gate->pattern);
        bm_gates_clear(&gates);
    }
}

static void what_is_no_limit_says_why(void **state)
{
    static const char *const cases[] = {
        "",
        "peak",
        "peak:",
        ":5",
        "peak:%",
        "peak:1.2.3%",
        "peak:1e3%",
        "peak:-5",
        "peak:99999999%",
        "speed:5",
        "allocations:5k",
        "peak:18446744073709551616",
        "time:5",
        "time:5 min",
        "site:a.c:peak:0",
        "where:peak:0",
        "site:a.c:5:rss:0",
        "growth:",
        "growth:-1",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct bm_gates gates = {.count = 0};
        const char *why = bm_gates_add(&gates, cases[i], false);

        if (!why)
            fail_msg("%s is taken for a limit", cases[i]);
        assert_true(strlen(why) > 10);
        assert_int_equal(gates.count, 0);
        bm_gates_clear(&gates);
    }
}

static void largest_values_are_no_percentages(void **state)
{
    struct bm_gates gates = {.count = 0};

    (void)state;
    assert_non_null(bm_gates_add(&gates, "peak:10%", true));
    assert_non_null(bm_gates_add(&gates, "growth:1.2", true));
    assert_null(bm_gates_add(&gates, "peak:10", true));
    assert_null(bm_gates_add_ceiling(&gates, "a.c::f[s=x peak y]", "peak",
                                     "1 MiB", "b:3"));
    assert_string_equal(gates.items[1].pattern, "a.c::f[s=x peak y]");
    assert_string_equal(gates.items[1].origin, "b:3");
    assert_false(bm_gates_need_sites(&gates));
    assert_null(bm_gates_add_ceiling(&gates, "site:a.c:3", "peak", "1", "b:4"));
    assert_true(bm_gates_need_sites(&gates));
    bm_gates_clear(&gates);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_are_read),
        cmocka_unit_test(what_is_no_limit_says_why),
        cmocka_unit_test(largest_values_are_no_percentages),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
