/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A run that was saved loads as what it was, under its name and as `last`. */
#include "in_folder.h"
#include "synthetic.h"

#include "base/error.h"
#include "results/digest.h"
#include "results/results.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static int write_out(void *data, const char *bytes, size_t size)
{
    return fwrite(bytes, 1, size, data) == size ? 0 : -1;
}

static void write_profile(const char *path, size_t benchmarks, uint64_t seed)
{
    const struct synthetic what = {.sites = 5,
                                   .paths = 20,
                                   .depth = 4,
                                   .threads = 2,
                                   .benchmarks = benchmarks,
                                   .passes = 1003,
                                   .seed = seed};
    FILE *file = fopen(path, "w");
    msgpack_packer packer;

    assert_non_null(file);
    msgpack_packer_init(&packer, file, write_out);
    assert_int_equal(synthetic_pack(&packer, &what), 0);
    assert_int_equal(fclose(file), 0);
}

static void assert_same_series(const struct bm_series *a,
                               const struct bm_series *b)
{
    assert_int_equal(a->nr_values, b->nr_values);
    for (size_t i = 0; i < a->nr_values; i++)
        assert_int_equal(a->values[i], b->values[i]);
    assert_int_equal(a->nr_more, b->nr_more);
    assert_int_equal(a->more.min, b->more.min);
    assert_int_equal(a->more.max, b->more.max);
    assert_int_equal(a->more.sum, b->more.sum);
}

static void assert_same_run(const struct bm_run *a, const struct bm_run *b)
{
    assert_int_equal(a->nr_benchmarks, b->nr_benchmarks);
    for (size_t i = 0; i < a->nr_benchmarks; i++) {
        const struct bm_run_benchmark *x = &a->benchmarks[i];
        const struct bm_run_benchmark *y = &b->benchmarks[i];

        assert_string_equal(x->id, y->id);
        assert_string_equal(x->name, y->name);
        assert_string_equal(x->file, y->file);
        assert_int_equal(x->line, y->line);
        assert_int_equal(x->nr_params, y->nr_params);
        for (size_t p = 0; p < x->nr_params; p++) {
            assert_string_equal(x->params[p].name, y->params[p].name);
            assert_string_equal(x->params[p].text, y->params[p].text);
        }
        for (int m = 0; m < BM_NR_MEASURES; m++)
            assert_same_series(&x->series[m], &y->series[m]);
    }
    assert_int_equal(a->has_process, b->has_process);
    for (int m = 0; m < BM_NR_MEASURES; m++)
        assert_same_series(&a->process.series[m], &b->process.series[m]);
}

static struct bm_run *load(const char *what)
{
    struct bm_run *run = bm_run_load(what, NULL);

    assert_non_null(run);
    return run;
}

static void a_run_comes_back_by_its_name(void **state)
{
    (void)state;
    write_profile("p.bmem", 3, 1);
    struct bm_run *run = load("p.bmem");
    assert_int_equal(run->nr_benchmarks, 3);
    assert_int_equal(run->benchmarks[0].series[BM_MEASURE_PEAK].nr_values,
                     1000);
    assert_int_equal(run->benchmarks[0].series[BM_MEASURE_PEAK].nr_more, 3);
    assert_false(
        bm_series_present(&run->benchmarks[0].series[BM_MEASURE_TIME]));
    assert_int_equal(bm_run_save(run, NULL, "baseline", false), 0);

    assert_int_equal(mkdir("deep", 0700), 0);
    assert_int_equal(chdir("deep"), 0);
    static const char *const names[] = {"baseline", "last",
                                        "../.benchmem/baseline.json",
                                        "../.benchmem/baseline.bmem"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct bm_run *again = load(names[i]);

        assert_same_run(run, again);
        assert_string_equal(again->label, "baseline");
        bm_run_free(again);
    }
    bm_run_free(run);
}

static void a_saved_run_has_its_lines(void **state)
{
    bool none;

    (void)state;
    write_profile("p.bmem", 2, 1);
    struct bm_run *run = load("p.bmem");
    assert_int_equal(bm_run_save(run, "kept", "x", false), 0);
    struct bm_run *again = load("kept/x.json");
    const struct bm_digest *a = bm_run_digest(run, BM_MEASURE_PEAK, &none);
    const struct bm_digest *b = bm_run_digest(again, BM_MEASURE_PEAK, &none);
    assert_non_null(a);
    assert_non_null(b);
    assert_int_equal(a->nr_sites, b->nr_sites);
    assert_int_equal(a->nr_entries, b->nr_entries);
    bm_run_free(run);
    bm_run_free(again);

    /* Without its profile it still has every figure. */
    assert_int_equal(unlink("kept/x.bmem"), 0);
    again = load("kept/x.json");
    assert_null(bm_run_digest(again, BM_MEASURE_PEAK, &none));
    assert_false(none);
    bm_run_free(again);
}

static void nothing_is_replaced_unless_told(void **state)
{
    (void)state;
    write_profile("p.bmem", 1, 1);
    struct bm_run *run = load("p.bmem");
    assert_int_equal(bm_run_save(run, NULL, "a", false), 0);
    assert_int_equal(bm_run_save(run, NULL, "a", false), -1);
    assert_int_equal(bm_run_save(run, NULL, "a", true), 0);
    static const char *const bad[] = {"", "last", "a/b", ".x", "-x", "a\nb"};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        assert_int_equal(bm_run_save(run, NULL, bad[i], true), -1);
    bm_run_free(run);
}

static void profiles_of_a_folder_are_one_run(void **state)
{
    bool none;

    (void)state;
    assert_int_equal(mkdir("d", 0700), 0);
    write_profile("d/a.bmem", 2, 1);
    write_profile("d/b.bmem", 3, 2);
    struct bm_run *run = load("d/");
    assert_int_equal(run->nr_benchmarks, 3);
    assert_int_equal(run->benchmarks[0].series[BM_MEASURE_PEAK].nr_values,
                     2000);
    assert_int_equal(run->benchmarks[2].series[BM_MEASURE_PEAK].nr_values,
                     1000);
    assert_false(run->has_process);
    assert_int_equal(bm_run_save(run, "kept", "both", false), 0);
    struct bm_run *again = load("kept/both.json");
    assert_same_run(run, again);
    /* Lines that both profiles have are there once. */
    const struct bm_digest *digest =
        bm_run_digest(again, BM_MEASURE_ALLOCATED, &none);
    assert_non_null(digest);
    assert_int_equal(digest->nr_sites, 5);
    bm_run_free(run);
    bm_run_free(again);
}

static void a_missing_run_is_told_from_a_bad_one(void **state)
{
    enum bm_run_fault fault;

    (void)state;
    assert_null(bm_run_load("baseline", &fault));
    assert_int_equal(fault, BM_RUN_FAULT_MISSING);
    assert_null(bm_run_load("no.bmem", &fault));
    assert_int_equal(fault, BM_RUN_FAULT_MISSING);
    assert_int_equal(file_write("bad.json", "{}"), 0);
    assert_null(bm_run_load("bad.json", &fault));
    assert_int_equal(fault, BM_RUN_FAULT_UNREADABLE);
}

static void numbers_above_2_to_63_are_read(void **state)
{
    (void)state;
    assert_int_equal(
        file_write("x.json",
                   "{\"schema_version\": 1, \"benchmarks\": [{\"id\": "
                   "\"a.c::f[n=18446744073709551615]\", \"params\": {\"n\": "
                   "18446744073709551615}, \"passes\": [{\"peak_bytes\": 7, "
                   "\"time_ns\": 3}, {\"time_ns\": 4}]}]}"),
        0);
    struct bm_run *run = load("x.json");
    assert_string_equal(run->benchmarks[0].params[0].text,
                        "18446744073709551615");
    assert_int_equal(run->benchmarks[0].series[BM_MEASURE_PEAK].nr_values, 1);
    assert_int_equal(run->benchmarks[0].series[BM_MEASURE_PEAK].values[0], 7);
    assert_int_equal(run->benchmarks[0].series[BM_MEASURE_TIME].nr_values, 2);
    bm_run_free(run);
}

#define IN_FOLDER(test)                                                        \
    cmocka_unit_test_setup_teardown(test, folder_enter, folder_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_run_comes_back_by_its_name),
        IN_FOLDER(a_saved_run_has_its_lines),
        IN_FOLDER(nothing_is_replaced_unless_told),
        IN_FOLDER(profiles_of_a_folder_are_one_run),
        IN_FOLDER(a_missing_run_is_told_from_a_bad_one),
        IN_FOLDER(numbers_above_2_to_63_are_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
