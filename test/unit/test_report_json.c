/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The JSON of benchmem-report, on the sample of report_sample.h. */
#include "run_report.h"

#include <jansson.h>

static json_t *run_json(const char *arguments)
{
    char *out = run(arguments);
    json_error_t error;
    json_t *document = json_loads(out, JSON_REJECT_DUPLICATES, &error);

    if (!document)
        fail_msg("%s: line %d: %s", arguments, error.line, error.text);
    free(out);
    return document;
}

/* The value at a path of keys and indices, "sites.0.id". */
static json_t *at(json_t *value, const char *path)
{
    while (*path) {
        char key[64];
        size_t size = strcspn(path, ".");

        assert_true(size < sizeof(key));
        memcpy(key, path, size);
        key[size] = 0;
        value = json_is_array(value)
                    ? json_array_get(value, strtoul(key, NULL, 10))
                    : json_object_get(value, key);
        if (!value)
            fail_msg("nothing at %s", path);
        path += size + (path[size] == '.');
    }
    return value;
}

static void assert_sum(json_t *list, const char *key, json_int_t expected)
{
    json_int_t sum = 0;
    json_t *item;
    size_t i;

    json_array_foreach(list, i, item) sum +=
        json_integer_value(json_object_get(item, key));
    assert_int_equal(sum, expected);
}

#define ASSERT_TEXT(document, path, expected)                                  \
    assert_string_equal(json_string_value(at(document, path)), expected)
#define ASSERT_NUMBER(document, path, expected)                                \
    assert_int_equal(json_integer_value(at(document, path)), expected)

static void it_has_the_keys_of_the_contract(void **state)
{
    static const char *const keys[] = {
        "schema_version", "complete", "command",   "pid", "end",
        "totals",         "sites",    "benchmarks"};
    static const char *const site_keys[] = {
        "id",         "file",        "dir",           "line",
        "column",     "function",    "linkage_name",  "kind",
        "callee",     "type",        "allocations",   "frees",
        "peak_bytes", "live_bytes",  "at_peak_bytes", "allocated_bytes",
        "temporary",  "live_blocks", "charged_to"};
    json_t *site;
    size_t i;

    (void)state;
    write_sample("p.bmem");
    json_t *document = run_json("--format json p.bmem");
    for (i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
        at(document, keys[i]);
    json_array_foreach(at(document, "sites"), i, site)
    {
        for (size_t k = 0; k < sizeof(site_keys) / sizeof(site_keys[0]); k++)
            at(site, site_keys[k]);
    }
    json_decref(document);
}

static void it_has_exact_figures(void **state)
{
    (void)state;
    write_sample("p.bmem");
    json_t *document = run_json("--format json p.bmem");
    assert_sum(at(document, "sites"), "at_peak_bytes", 19500);
    assert_sum(at(document, "sites"), "allocated_bytes", 22620);
    ASSERT_NUMBER(document, "end.status", 0);
    assert_true(json_is_true(at(document, "complete")));
    ASSERT_TEXT(document, "command.1", "two words");
    ASSERT_TEXT(document, "sites.3.id", "ffffffffffffffff");
    assert_true(json_is_null(at(document, "sites.3.file")));
    assert_true(json_is_null(at(document, "sites.3.dir")));
    ASSERT_NUMBER(document, "benchmarks.0.params.n", 100);
    ASSERT_NUMBER(document, "benchmarks.0.passes.1.peak_bytes", 900);
    ASSERT_NUMBER(document, "benchmarks.1.sites.0.at_peak_bytes", 8000);
    json_decref(document);
}

static void what_a_site_is_charged_to_stands_beside_it(void **state)
{
    (void)state;
    write_sample("p.bmem");
    json_t *document = run_json("--format json p.bmem");
    ASSERT_TEXT(document, "sites.2.function",
                "std::__new_allocator<int>::allocate");
    ASSERT_TEXT(document, "sites.2.charged_to.0.file", "fill.cpp");
    assert_sum(at(document, "sites.2.charged_to"), "at_peak_bytes", 4000);
    assert_true(json_is_null(at(document, "sites.0.charged_to")));
    json_decref(document);
}

static void it_has_groups_and_paths_on_request(void **state)
{
    (void)state;
    write_sample("p.bmem");
    json_t *document = run_json("--format json --by function p.bmem");
    assert_sum(at(document, "groups"), "at_peak_bytes", 19500);
    ASSERT_TEXT(document, "groups.0.key", "build");
    json_decref(document);

    document = run_json("--format json --by path p.bmem");
    assert_sum(at(document, "paths"), "at_peak_bytes", 19500);
    ASSERT_TEXT(document, "paths.2.frames.0.function", "main");
    ASSERT_TEXT(document, "paths.2.frames.1.function", "fill");
    assert_true(json_is_false(at(document, "paths.2.frames.1.inlined")));
    assert_true(json_is_true(at(document, "paths.2.frames.3.inlined")));
    json_decref(document);

    document = run_json("--format json --by benchmark p.bmem");
    ASSERT_TEXT(document, "groups.0.key", "bench.c::bench_sort[n=1000]");
    json_decref(document);
}

static void several_profiles_are_one_document(void **state)
{
    (void)state;
    assert_int_equal(mkdir("d", 0777), 0);
    write_sample("d/p.bmem");
    write_profile("d/q.bmem", sample_of_two_threads());
    json_t *document = run_json("--format json d");
    ASSERT_NUMBER(document, "schema_version", 1);
    assert_int_equal(json_array_size(at(document, "profiles")), 2);
    ASSERT_NUMBER(document, "profiles.1.totals.peak_bytes", 1000);
    json_decref(document);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(it_has_the_keys_of_the_contract),
        IN_FOLDER(it_has_exact_figures),
        IN_FOLDER(what_a_site_is_charged_to_stands_beside_it),
        IN_FOLDER(it_has_groups_and_paths_on_request),
        IN_FOLDER(several_profiles_are_one_document),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
