/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What each format makes of a few stacks: byte by byte, with what its reader
 * would trip over in their names.
 */
#include "tools/export.h"

#include "text_profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct bm_export_format *format_of(const char *name)
{
    for (size_t i = 0; bm_export_formats[i]; i++) {
        if (!strcmp(bm_export_formats[i]->name, name))
            return bm_export_formats[i];
    }
    fail_msg("no format %s", name);
    return NULL;
}

static char *export(const char *name, enum bm_metric metric, const char *text)
{
    const struct bm_export_format *format = format_of(name);
    struct bm_profile *profile = text_profile_parse(text);
    struct bm_export export = {.profile = profile, .metric = metric};
    char *out = NULL;
    size_t size;
    FILE *file = open_memstream(&out, &size);

    assert_non_null(file);
    bm_export_choose(&export, format->scope, NULL);
    format->write(&export, file);
    fclose(file);
    bm_export_release(&export);
    bm_profile_free(profile);
    return out;
}

/* The whole output. */
static void check(const char *name, enum bm_metric metric, const char *text,
                  const char *expected)
{
    char *out = export(name, metric, text);

    assert_string_equal(out, expected);
    free(out);
}

/* What the output ends in. */
static void check_end(const char *name, enum bm_metric metric, const char *text,
                      const char *expected)
{
    char *out = export(name, metric, text);
    size_t size = strlen(out), wanted = strlen(expected);

    assert_true(size >= wanted);
    assert_string_equal(out + size - wanted, expected);
    free(out);
}

static void check_part(const char *name, enum bm_metric metric,
                       const char *text, const char *expected)
{
    char *out = export(name, metric, text);

    if (!strstr(out, expected))
        fail_msg("no %s in\n%s", expected, out);
    free(out);
}

/* Two stacks below one function, of which one inlines. */
#define TWO                                                                    \
    "block 0 : 3 30 20 10 : main at a.c:9 > f at a.c:4 = malloc int\n"         \
    "block 0 : 2 50 40 0 : main at a.c:9 > inlined g at a.c:6 = new\n"

/* Names that readers split, cut or take for something else. */
#define NASTY                                                                  \
    "block 0 : 1 7 7 0 : #main at a b.c:1 > (anonymous)::f;g at x.c:2 > "      \
    "h\"1\",#2 at x.c:3 = malloc\n"

static void folded_has_a_line_for_each_stack(void **state)
{
    (void)state;
    check("folded", BM_METRIC_PEAK, TWO,
          "main (a.c:9);f (a.c:4) 20\nmain (a.c:9);g (a.c:6) 40\n");
    check("folded", BM_METRIC_ALLOCATED, TWO,
          "main (a.c:9);f (a.c:4) 30\nmain (a.c:9);g (a.c:6) 50\n");
    check("folded", BM_METRIC_ALLOCATIONS, TWO,
          "main (a.c:9);f (a.c:4) 3\nmain (a.c:9);g (a.c:6) 2\n");
    check("folded", BM_METRIC_LEAKED, TWO, "main (a.c:9);f (a.c:4) 10\n");
}

static void folded_leaves_readers_nothing_to_trip_over(void **state)
{
    (void)state;
    check("folded", BM_METRIC_PEAK, NASTY,
          "_main (a b.c:1);(anonymous)::f:g (x.c:2);h\"1\",#2 (x.c:3) 7\n");
}

static void numbers_have_all_their_digits(void **state)
{
    static const char text[] =
        "block 0 : 1 9007199254740993 9007199254740993 9007199254740993 : "
        "main at a.c:1 = malloc\n";
    static const char *const names[] = {
        "folded", "speedscope", "dhat", "massif", "callgrind", "csv", "ndjson"};

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        check_part(names[i], BM_METRIC_PEAK, text, "9007199254740993");
}

static void speedscope_numbers_frames(void **state)
{
    (void)state;
    check(
        "speedscope", BM_METRIC_PEAK, "program /p\n" TWO,
        "{\n"
        "  \"$schema\": "
        "\"https://www.speedscope.app/file-format-schema.json\",\n"
        "  \"exporter\": \"benchmem-export@" BENCHMEM_VERSION "\",\n"
        "  \"name\": \"/p\",\n"
        "  \"profiles\": [\n"
        "    {\n"
        "      \"type\": \"sampled\",\n"
        "      \"name\": \"/p: bytes held at the peak\",\n"
        "      \"unit\": \"bytes\",\n"
        "      \"startValue\": 0,\n"
        "      \"endValue\": 60,\n"
        "      \"samples\": [\n[0,1],\n[0,2]],\n"
        "      \"weights\": [20, 40]\n"
        "    }\n"
        "  ],\n"
        "  \"activeProfileIndex\": 0,\n"
        "  \"shared\": {\n"
        "    \"frames\": [\n"
        "      {\"name\": \"main (a.c:9)\", \"file\": \"a.c\", \"line\": 9},\n"
        "      {\"name\": \"f (a.c:4)\", \"file\": \"a.c\", \"line\": 4},\n"
        "      {\"name\": \"g (a.c:6)\", \"file\": \"a.c\", \"line\": 6}]\n"
        "  }\n"
        "}\n");
    check_part("speedscope", BM_METRIC_ALLOCATIONS, TWO, "\"unit\": \"none\"");
}

static void dhat_has_a_point_for_each_stack(void **state)
{
    (void)state;
    check_end("dhat", BM_METRIC_PEAK, TWO,
              "  \"pps\": [\n"
              "{\"tb\":30,\"tbk\":3,\"tl\":0,\"mb\":20,\"mbk\":2,\"gb\":20,"
              "\"gbk\":2,\"eb\":10,\"ebk\":1,\"fs\":[2,1]},\n"
              "{\"tb\":50,\"tbk\":2,\"tl\":0,\"mb\":40,\"mbk\":2,\"gb\":40,"
              "\"gbk\":2,\"eb\":0,\"ebk\":0,\"fs\":[3,1]}],\n"
              "  \"ftbl\": [\n"
              "    \"[root]\",\n"
              "    \"main (a.c:9)\",\n"
              "    \"f (a.c:4)\",\n"
              "    \"g (a.c:6)\"\n"
              "  ]\n"
              "}\n");
}

static void massif_turns_stacks_round(void **state)
{
    (void)state;
    check_end("massif", BM_METRIC_PEAK, TWO,
              "time_unit: B\n"
              "#-----------\nsnapshot=0\n#-----------\ntime=0\n"
              "mem_heap_B=0\nmem_heap_extra_B=0\nmem_stacks_B=0\n"
              "heap_tree=empty\n"
              "#-----------\nsnapshot=1\n#-----------\ntime=60\n"
              "mem_heap_B=60\nmem_heap_extra_B=0\nmem_stacks_B=0\n"
              "heap_tree=peak\n"
              "n2: 60 (heap allocation functions) malloc/new/new[], "
              "--alloc-fns, etc.\n"
              " n1: 40 g (a.c:6)\n"
              "  n0: 40 main (a.c:9)\n"
              " n1: 20 f (a.c:4)\n"
              "  n0: 20 main (a.c:9)\n"
              "#-----------\nsnapshot=2\n#-----------\ntime=80\n"
              "mem_heap_B=10\nmem_heap_extra_B=0\nmem_stacks_B=0\n"
              "heap_tree=detailed\n"
              "n1: 10 (heap allocation functions) malloc/new/new[], "
              "--alloc-fns, etc.\n"
              " n1: 10 f (a.c:4)\n"
              "  n0: 10 main (a.c:9)\n");
}

static void massif_sums_small_places_up(void **state)
{
    (void)state;
    check_part("massif", BM_METRIC_PEAK,
               "block 0 : 1 5000 5000 0 : main at a.c:1 = malloc\n"
               "block 0 : 1 3 3 0 : main at a.c:2 = malloc\n"
               "block 0 : 1 4 4 0 : main at a.c:3 = malloc\n",
               "n2: 5007 (heap allocation functions) malloc/new/new[], "
               "--alloc-fns, etc.\n"
               " n0: 5000 main (a.c:1)\n"
               " n0: 7 in 2 places, all below massif's threshold (0.10%)\n");
}

/* ms_print recurses, and Perl warns of that from 100 levels on. */
static void massif_is_not_too_deep(void **state)
{
    struct bm_str text = BM_STR_INIT;
    size_t deepest = 0;

    (void)state;
    bm_str_puts(&text, "block 0 : 1 8 8 0 : main at a.c:1");
    for (int i = 0; i < 300; i++)
        bm_str_puts(&text, " > f at a.c:2");
    bm_str_puts(&text, " = malloc\n");
    char *out = export("massif", BM_METRIC_PEAK, text.data);
    for (const char *line = out; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        size_t depth = strspn(line, " ");
        deepest = depth > deepest ? depth : deepest;
    }
    assert_int_equal(deepest, 98);
    free(out);
    bm_str_clear(&text);
}

static void massif_has_no_comments_in_names(void **state)
{
    char *out = export("massif", BM_METRIC_PEAK, NASTY);

    (void)state;
    for (const char *hash = out; (hash = strchr(hash, '#')); hash++) {
        if (strncmp(hash, "#-----------\n", 13) != 0)
            fail_msg("a # that cuts a line: %.40s", hash);
    }
    assert_non_null(strstr(out, " h\"1\",_2 (x.c:3)\n"));
    free(out);
}

static void callgrind_books_own_costs_and_calls(void **state)
{
    (void)state;
    check_end("callgrind", BM_METRIC_PEAK, TWO,
              "positions: line\n"
              "event: PeakB : Bytes held at the peak\n"
              "events: PeakB\n"
              "summary: 60\n"
              "\n"
              "fl=(1) a.c\n"
              "fn=(1) main\n"
              "cfi=(1)\n"
              "cfn=(2) f\n"
              "calls=3 4\n"
              "9 20\n"
              "cfi=(1)\n"
              "cfn=(3) g\n"
              "calls=2 6\n"
              "9 40\n"
              "\n"
              "fl=(1)\n"
              "fn=(2)\n"
              "4 20\n"
              "\n"
              "fl=(1)\n"
              "fn=(3)\n"
              "6 40\n"
              "\n"
              "totals: 60\n");
}

/* main calls f, f calls itself and allocates: 5 bytes, not 5 at each call. */
static void callgrind_counts_recursion_once(void **state)
{
    (void)state;
    check_end("callgrind", BM_METRIC_PEAK,
              "block 0 : 1 5 5 0 : main at a.c:1 > f at a.c:2 > f at a.c:2 > "
              "f at a.c:3 = malloc\n",
              "fl=(1) a.c\n"
              "fn=(1) main\n"
              "cfi=(1)\n"
              "cfn=(2) f\n"
              "calls=1 2\n"
              "1 5\n"
              "\n"
              "fl=(1)\n"
              "fn=(2)\n"
              "3 5\n"
              "cfi=(1)\n"
              "cfn=(2)\n"
              "calls=2 2\n"
              "2 0\n"
              "\n"
              "totals: 5\n");
}

static void csv_quotes_what_needs_it(void **state)
{
    (void)state;
    check("csv", BM_METRIC_PEAK, NASTY,
          "benchmark,at_peak_bytes,kind,type,file,line,column,function,callee,"
          "module,site,stack\n"
          ",7,malloc,,x.c,3,,\"h\"\"1\"\",#2\",malloc,,0000000000000001,"
          "\"#main (a b.c:1);(anonymous)::f:g (x.c:2);h\"\"1\"\",#2 "
          "(x.c:3)\"\n");
    /* No cell is a formula. */
    check_part("csv", BM_METRIC_ALLOCATIONS,
               "block 0 : 1 7 7 0 : =f at x.c:3 = malloc\n", ",'=f,");
    check_part("csv", BM_METRIC_ALLOCATIONS,
               "block 0 : 1 7 7 0 : =f at x.c:3 = malloc\n",
               ",\"'=f (x.c:3)\"\n");
}

static void ndjson_has_an_object_for_each_stack(void **state)
{
    (void)state;
    check_part("ndjson", BM_METRIC_LEAKED, TWO,
               "{\"benchmark\": null, \"params\": {}, \"live_bytes\": 10, "
               "\"site\": \"");
    check_part("ndjson", BM_METRIC_LEAKED, TWO,
               "\"kind\": \"malloc\", \"callee\": \"malloc\", \"type\": "
               "\"int\", \"function\": \"f\", \"file\": \"a.c\", \"line\": 4, "
               "\"column\": null, \"linkage_name\": \"f\", \"module\": null, "
               "\"other\": false, \"frames\": [{\"function\": \"main\", "
               "\"file\": \"a.c\", \"line\": 9, \"column\": null, \"inlined\": "
               "false}, {\"function\": \"f\", \"file\": \"a.c\", \"line\": 4, "
               "\"column\": null, \"inlined\": false}]}\n");
    check_part("ndjson", BM_METRIC_PEAK, TWO, "\"inlined\": true}]}\n");
}

/* Frames of foreign code, blocks outside of all, and paths beyond max_paths. */
static void says_what_is_known_of_other_code(void **state)
{
    static const char text[] =
        "module /usr/lib/libfoo.so\n"
        "block 0 : 1 4 4 0 : main at a.c:1 > - in 1 > f at a.c:2 = malloc\n"
        "block 0 : 1 6 6 0 : g at a.c:3 = rest\n"
        "block 0 : 1 8 8 0 : = outside\n";

    (void)state;
    check_part("folded", BM_METRIC_PEAK, text,
               "main (a.c:1);[libfoo.so];f (a.c:2) 4\n");
    check_part("folded", BM_METRIC_PEAK, text, "outside 8\n");
    check_part("callgrind", BM_METRIC_PEAK, text, "cfi=(2) ???\n");
    check_part("callgrind", BM_METRIC_PEAK, text, " outside\n0 8\n");
    check_part("ndjson", BM_METRIC_PEAK, text, "\"kind\": \"outside\"");
    check_part("ndjson", BM_METRIC_PEAK, text,
               "\"function\": null, \"file\": null, \"line\": null");
    check_part("ndjson", BM_METRIC_PEAK, text, "\"other\": true");
    check_part("ndjson", BM_METRIC_PEAK, text,
               "\"inlined\": false, \"module\": \"/usr/lib/libfoo.so\"}");
}

/* Thread 2 freed what thread 1 allocated. */
static void adds_threads_up(void **state)
{
    static const char text[] =
        "thread 11 main\nthread 12 worker\n"
        "block 1 : 5 100 100 100 : main at a.c:1 = malloc\n"
        "block 2 : 0 0 -60 -80 : main at a.c:1 = malloc\n";

    (void)state;
    check("folded", BM_METRIC_PEAK, text, "main (a.c:1) 40\n");
    check("folded", BM_METRIC_LEAKED, text, "main (a.c:1) 20\n");
    check_part("dhat", BM_METRIC_PEAK, text,
               "{\"tb\":100,\"tbk\":5,\"tl\":0,\"mb\":40,\"mbk\":2,\"gb\":40,"
               "\"gbk\":2,\"eb\":20,");
}

static void estimates_blocks_by_the_mean(void **state)
{
    static const struct {
        struct bm_figures stack;
        uint64_t bytes, blocks;
    } cases[] = {
        {{.allocations = 4, .allocated_bytes = 40}, 20, 2},
        {{.allocations = 4, .allocated_bytes = 40}, 24, 2},
        {{.allocations = 4, .allocated_bytes = 40}, 25, 3},
        {{.allocations = 4, .allocated_bytes = 40}, 1, 1},
        {{.allocations = 4, .allocated_bytes = 40}, 0, 0},
        {{.allocations = 4, .allocated_bytes = 0}, 0, 0},
        {{.inherited_blocks = 2, .inherited_bytes = 10}, 5, 1},
        {{.allocations = UINT64_C(1) << 62,
          .allocated_bytes = UINT64_C(1) << 63},
         UINT64_C(1) << 62,
         UINT64_C(1) << 61},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_int_equal(bm_export_blocks(&cases[i].stack, cases[i].bytes),
                         cases[i].blocks);
}

static void writes_profiles_of_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; bm_export_formats[i]; i++) {
        char *out =
            export(bm_export_formats[i]->name, BM_METRIC_PEAK, "program /p\n");
        free(out);
    }
    check("folded", BM_METRIC_PEAK, "program /p\n", "");
    check("ndjson", BM_METRIC_PEAK, "program /p\n", "");
    check_end("callgrind", BM_METRIC_PEAK, "program /p\n",
              "summary: 0\n\ntotals: 0\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folded_has_a_line_for_each_stack),
        cmocka_unit_test(folded_leaves_readers_nothing_to_trip_over),
        cmocka_unit_test(numbers_have_all_their_digits),
        cmocka_unit_test(speedscope_numbers_frames),
        cmocka_unit_test(dhat_has_a_point_for_each_stack),
        cmocka_unit_test(massif_turns_stacks_round),
        cmocka_unit_test(massif_sums_small_places_up),
        cmocka_unit_test(massif_is_not_too_deep),
        cmocka_unit_test(massif_has_no_comments_in_names),
        cmocka_unit_test(callgrind_books_own_costs_and_calls),
        cmocka_unit_test(callgrind_counts_recursion_once),
        cmocka_unit_test(csv_quotes_what_needs_it),
        cmocka_unit_test(ndjson_has_an_object_for_each_stack),
        cmocka_unit_test(says_what_is_known_of_other_code),
        cmocka_unit_test(adds_threads_up),
        cmocka_unit_test(estimates_blocks_by_the_mean),
        cmocka_unit_test(writes_profiles_of_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
