/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Benchmarks: what their ids say, and which records are one benchmark. */
#include "build_profile.h"
#include "same_profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <locale.h>
#include <stdio.h>

static void begin(struct builder *b)
{
    builder_init(b);
    add_head(b);
    add_state(b, BM_END_STATUS, 0, 0);
}

static struct bm_profile *parse(const struct builder *b)
{
    struct bm_profile_error error;
    struct bm_profile *profile = builder_parse(b, &error);

    assert_non_null(profile);
    assert_null(bm_profile_check(profile));
    assert_null(small_form_differs(profile));
    return profile;
}

/* A benchmark of that index defined in a file. */
static void add_benchmark(struct builder *b, uint64_t index, const char *dir,
                          const char *file, const char *name)
{
    ADD(b, frame, .index = index, .function = text_of(name),
        .file = text_of(file), .dir = text_of(dir), .line = 3);
    ADD(b, benchmark, .index = index, .name = text_of(name), .frame = index);
}

static uint64_t bits_of(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/* ---- parameters ---- */

static const struct {
    enum bm_param_kind kind;
    uint64_t bits;
    const char *text;
    const char *shown;
} values[] = {
    {BM_VALUE_SIGNED, 100, NULL, "100"},
    {BM_VALUE_SIGNED, (uint64_t)-1, NULL, "-1"},
    {BM_VALUE_SIGNED, UINT64_C(1) << 63, NULL, "-9223372036854775808"},
    {BM_VALUE_UNSIGNED, UINT64_MAX, NULL, "18446744073709551615"},
    {BM_VALUE_BOOL, 1, NULL, "true"},
    {BM_VALUE_BOOL, 0, NULL, "false"},
    {BM_VALUE_STRING, 0, "tree", "tree"},
    {BM_VALUE_STRING, 0, "", ""},
    {BM_VALUE_STRING, 0, NULL, "(null)"},
    {BM_VALUE_STRING, 0, "(null)", "\\(null)"},
    {BM_VALUE_STRING, 0, "a,b]c\\d", "a\\,b\\]c\\\\d"},
    {BM_VALUE_STRING, 0, "x=1[2]", "x=1[2\\]"},
    {BM_VALUE_STRING, 0, "t\tn\n\x7f", "t\\x09n\\x0a\\x7f"},
    {BM_VALUE_STRING, 0, "\xc3\xa4 b", "\xc3\xa4 b"},
    {99, 5, NULL, "5"}, /* of a later version */
};

static void values_are_shown_as_they_are(void **state)
{
    const size_t nr = sizeof(values) / sizeof(values[0]);
    struct bm_profile *profile;
    struct builder b;

    (void)state;
    begin(&b);
    for (size_t i = 0; i < nr; i++) {
        add_benchmark(&b, i + 1, "/d", "bench.c", "bench_f");
        ADD(&b, param, .benchmark = i + 1, .name = text_of("p"),
            .type = values[i].kind, .bits = values[i].bits,
            .text = text_of(values[i].text));
    }
    profile = parse(&b);
    assert_int_equal(profile->nr_benchmarks, nr);
    for (size_t i = 0; i < nr; i++) {
        char id[128];

        snprintf(id, sizeof(id), "bench.c::bench_f[p=%s]", values[i].shown);
        assert_string_equal(profile->benchmarks[i].params[0].text,
                            values[i].shown);
        assert_string_equal(profile->benchmarks[i].id, id);
    }
    bm_profile_free(profile);
    builder_clear(&b);
}

static void doubles_are_as_short_as_can_be(void **state)
{
    static const struct {
        double value;
        const char *shown;
    } cases[] = {
        {0, "0"},
        {-0.0, "-0"},
        {0.1, "0.1"},
        {1.5, "1.5"},
        {1234567, "1234567"},
        {-20, "-20"},
        {1e14, "100000000000000"},
        {1e15, "1e+15"},
        {100, "100"},
        {1e22, "1e+22"},
        {1.0 / 3, "0.3333333333333333"},
        {0.1 + 0.2, "0.30000000000000004"},
        {5e-324, "5e-324"},
        {1.7976931348623157e308, "1.7976931348623157e+308"},
        {__builtin_inf(), "inf"},
        {-__builtin_inf(), "-inf"},
        {__builtin_nan(""), "nan"},
    };
    const size_t nr = sizeof(cases) / sizeof(cases[0]);
    /* One with a decimal comma, where the system has it. */
    const char *locales[] = {"C", "de_DE.UTF-8"};

    (void)state;
    for (size_t l = 0; l < 2; l++) {
        struct bm_profile *profile;
        struct builder b;

        begin(&b);
        add_benchmark(&b, 1, "/d", "bench.c", "bench_f");
        for (size_t i = 0; i < nr; i++)
            ADD(&b, param, .benchmark = 1, .name = text_of("p"),
                .type = BM_VALUE_DOUBLE, .bits = bits_of(cases[i].value));
        setlocale(LC_ALL, locales[l]);
        profile = parse(&b);
        for (size_t i = 0; i < nr; i++)
            assert_string_equal(profile->benchmarks[0].params[i].text,
                                cases[i].shown);
        setlocale(LC_ALL, "C");
        bm_profile_free(profile);
        builder_clear(&b);
    }
}

static void several_parameters_keep_their_order(void **state)
{
    struct bm_profile *profile;
    struct builder b;

    (void)state;
    begin(&b);
    ADD(&b, param, .benchmark = 1, .name = text_of("n"), .bits = 100);
    add_benchmark(&b, 1, "/d", "bench.c", "bench_sort");
    add_benchmark(&b, 2, "/d", "bench.c", "bench_none");
    ADD(&b, param, .benchmark = 1, .name = text_of("kind"),
        .type = BM_VALUE_STRING, .text = text_of("tree"));
    profile = parse(&b);
    assert_string_equal(profile->benchmarks[0].id,
                        "bench.c::bench_sort[n=100,kind=tree]");
    assert_string_equal(profile->benchmarks[0].params_text, "n=100,kind=tree");
    assert_string_equal(profile->benchmarks[1].id, "bench.c::bench_none");
    assert_string_equal(profile->benchmarks[1].params_text, "");
    bm_profile_free(profile);
    builder_clear(&b);
}

/* ---- files ---- */

#define MAX_FILES 4

static void files_are_told_apart_by_their_shortest_ends(void **state)
{
    static const struct {
        const char *dir[MAX_FILES], *file[MAX_FILES], *shown[MAX_FILES];
    } cases[] = {
        {{"/home/a"}, {"src/bench.c"}, {"bench.c"}},
        {{"/a", "/a"}, {"bench.c", "sort.c"}, {"bench.c", "sort.c"}},
        {{"/a", "/a"}, {"x/bench.c", "y/bench.c"}, {"x/bench.c", "y/bench.c"}},
        {{"/a", "/b"}, {"bench.c", "bench.c"}, {"a/bench.c", "b/bench.c"}},
        {{"/a", "/a", "/a"},
         {"x/s/bench.c", "y/s/bench.c", "sort.c"},
         {"x/s/bench.c", "y/s/bench.c", "sort.c"}},
        {{"/a", "/a"}, {"bench.c", "xbench.c"}, {"bench.c", "xbench.c"}},
        /* One path is the end of another. */
        {{NULL, "/a"}, {"bench.c", "bench.c"}, {"bench.c", "a/bench.c"}},
        {{NULL, NULL, "/r"},
         {"bench.c", "x/bench.c", "x/bench.c"},
         {"bench.c", "x/bench.c", "r/x/bench.c"}},
        {{"/a"}, {NULL}, {"?"}},
        {{"/ignored"}, {"/abs/bench.c"}, {"bench.c"}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct bm_profile *profile;
        struct builder b;

        begin(&b);
        for (size_t f = 0; f < MAX_FILES && cases[i].shown[f]; f++)
            add_benchmark(&b, f + 1, cases[i].dir[f], cases[i].file[f],
                          "bench_f");
        profile = parse(&b);
        for (size_t f = 0; f < profile->nr_benchmarks; f++)
            assert_string_equal(profile->benchmarks[f].file, cases[i].shown[f]);
        bm_profile_free(profile);
        builder_clear(&b);
    }
}

/* ---- records of one benchmark ---- */

/* In one pass of that serial: `held` bytes at its peak, all kept. */
static void add_pass(struct builder *b, uint64_t benchmark, uint64_t serial,
                     uint64_t held)
{
    uint64_t pass[BM_NR_WORDS_pass] = {serial, 0, held, held, 1, held};
    uint64_t node[BM_NR_WORDS_tally] = {
        [BM_TALLY_allocations] = 1,
        [BM_TALLY_allocated] = held,
        [BM_TALLY_live] = held,
        [BM_TALLY_pass] = serial,
    };

    add_ledger(b, benchmark, held, held, serial, 1);
    ADD(b, pass, .benchmark = benchmark, .pass = WORDS_OF(pass));
    ADD(b, node, .benchmark = benchmark, .site = 100, .thread = 1,
        .node = WORDS_OF(node));
}

static void equal_ids_are_one_benchmark(void **state)
{
    struct bm_profile *profile;
    struct bm_benchmark_info *info;
    struct builder b;

    (void)state;
    begin(&b);
    add_site(&b, 100, "a.c");
    add_ledger(&b, 0, 60, 60, 0, 0);
    add_kept(&b, 100, 0, 6, 10, 60);
    /* A static function of a header, compiled in two files. */
    add_benchmark(&b, 1, "/d", "bench.h", "bench_f");
    add_benchmark(&b, 2, "/d", "bench.h", "bench_other");
    add_benchmark(&b, 3, "/d", "bench.h", "bench_f");
    add_pass(&b, 3, 1, 20);
    add_pass(&b, 1, 2, 40);
    profile = parse(&b);
    assert_int_equal(profile->nr_benchmarks, 2);
    info = &profile->benchmarks[0];
    assert_string_equal(info->id, "bench.h::bench_f");
    assert_int_equal(info->nr_passes, 2);
    assert_int_equal(info->passes[0].peak_bytes, 20);
    assert_int_equal(info->passes[1].peak_bytes, 40);
    assert_int_equal(info->figures.peak_bytes, 40);
    assert_int_equal(info->figures.allocated_bytes, 60);
    assert_int_equal(info->nr_sites, 1);
    assert_int_equal(info->sites[0].figures.at_peak_bytes, 40);
    assert_int_equal(profile->benchmarks[1].nr_passes, 0);
    bm_profile_free(profile);
    builder_clear(&b);
}

static void a_benchmark_without_its_record_is_left_out(void **state)
{
    struct bm_profile *profile;
    struct builder b;

    (void)state;
    begin(&b);
    add_site(&b, 100, "a.c");
    add_ledger(&b, 0, 60, 60, 0, 0);
    add_kept(&b, 100, 0, 6, 10, 60);
    add_pass(&b, 1, 1, 20);
    add_pass(&b, 900, 2, 20);
    ADD(&b, param, .benchmark = 1, .name = text_of("n"));
    profile = parse(&b);
    assert_int_equal(profile->nr_benchmarks, 0);
    assert_int_equal(profile->nr_nodes, 1);
    assert_int_equal(profile->totals.peak_bytes, 60);
    bm_profile_free(profile);
    builder_clear(&b);
}

static void many_passes_are_kept_as_ranges(void **state)
{
    uint64_t more[BM_NR_WORDS_passes] = {3, 5, 9, 21, 10, 30, 60,
                                         1, 2, 5, 0,  4,  6};
    struct bm_profile *profile;
    struct bm_benchmark_info *info;
    struct builder b;

    (void)state;
    begin(&b);
    add_benchmark(&b, 1, "/d", "bench.c", "bench_f");
    ADD(&b, passes, .benchmark = 1, .passes = WORDS_OF(more));
    profile = builder_parse(&b, &(struct bm_profile_error){0});
    info = &profile->benchmarks[0];
    assert_int_equal(info->nr_more_passes, 3);
    assert_memory_equal(&info->more_peak, &more[1], 24);
    assert_memory_equal(&info->more_allocated, &more[4], 24);
    assert_memory_equal(&info->more_allocations, &more[7], 24);
    assert_memory_equal(&info->more_retained, &more[10], 24);
    bm_profile_free(profile);
    builder_clear(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_shown_as_they_are),
        cmocka_unit_test(doubles_are_as_short_as_can_be),
        cmocka_unit_test(several_parameters_keep_their_order),
        cmocka_unit_test(files_are_told_apart_by_their_shortest_ends),
        cmocka_unit_test(equal_ids_are_one_benchmark),
        cmocka_unit_test(a_benchmark_without_its_record_is_left_out),
        cmocka_unit_test(many_passes_are_kept_as_ranges),
    };

    return cmocka_run_group_tests_name("profile_benchmarks", tests, NULL, NULL);
}
