/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * profile.proto as it comes out of gzip and protobuf-c again. That others
 * read it too is a test of its own.
 */
#include "tools/export.h"

#include "profile.pb-c.h"
#include "text_profile.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

#define MOST_BYTES ((size_t)1 << 20)

static Pprof__Profile *unpack(char *gzip, size_t size)
{
    static uint8_t plain[MOST_BYTES];
    z_stream stream = {
        .next_in = (Bytef *)gzip,
        .avail_in = (uInt)size,
        .next_out = plain,
        .avail_out = sizeof(plain),
    };

    assert_int_equal(inflateInit2(&stream, 15 + 16), Z_OK);
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_int_equal(stream.avail_in, 0);
    inflateEnd(&stream);
    return pprof__profile__unpack(NULL, stream.total_out, plain);
}

static Pprof__Profile *export(const char *text, bool at_end)
{
    struct bm_profile *profile = text_profile_parse(text);
    struct bm_export export = {.profile = profile, .at_end = at_end};
    char *out = NULL;
    size_t size;
    FILE *file = open_memstream(&out, &size);

    assert_non_null(file);
    bm_export_choose(&export, bm_export_pprof.scope, NULL);
    bm_export_pprof.write(&export, file);
    fclose(file);
    Pprof__Profile *pprof = unpack(out, size);
    assert_non_null(pprof);
    free(out);
    bm_export_release(&export);
    bm_profile_free(profile);
    return pprof;
}

static const char *text_of(const Pprof__Profile *p, int64_t index)
{
    assert_in_range(index, 0, p->n_string_table - 1);
    return p->string_table[index];
}

static const Pprof__Location *location(const Pprof__Profile *p, uint64_t id)
{
    for (size_t i = 0; i < p->n_location; i++) {
        if (p->location[i]->id == id)
            return p->location[i];
    }
    fail_msg("no location %" PRIu64, id);
    return NULL;
}

static const char *function(const Pprof__Profile *p, uint64_t id)
{
    for (size_t i = 0; i < p->n_function; i++) {
        if (p->function[i]->id == id)
            return text_of(p, p->function[i]->name);
    }
    fail_msg("no function %" PRIu64, id);
    return NULL;
}

/* "values: leaf|it is inlined into:line caller:line {label=text ...}". */
static void show_sample(struct bm_str *out, const Pprof__Profile *p,
                        const Pprof__Sample *sample)
{
    for (size_t i = 0; i < sample->n_value; i++)
        bm_str_printf(out, "%" PRId64 " ", sample->value[i]);
    bm_str_puts(out, ":");
    for (size_t i = 0; i < sample->n_location_id; i++) {
        const Pprof__Location *l = location(p, sample->location_id[i]);

        for (size_t j = 0; j < l->n_line; j++)
            bm_str_printf(out, "%s%s:%" PRId64, j ? "|" : " ",
                          function(p, l->line[j]->function_id),
                          l->line[j]->line);
    }
    for (size_t i = 0; i < sample->n_label; i++)
        bm_str_printf(out, " %s=%s", text_of(p, sample->label[i]->key),
                      text_of(p, sample->label[i]->str));
    bm_str_putc(out, '\n');
}

static void check(const char *text, bool at_end, const char *expected)
{
    Pprof__Profile *p = export(text, at_end);
    struct bm_str out = BM_STR_INIT;

    for (size_t i = 0; i < p->n_sample; i++)
        show_sample(&out, p, p->sample[i]);
    assert_string_equal(out.data, expected);
    bm_str_clear(&out);
    pprof__profile__free_unpacked(p, NULL);
}

static void says_what_its_numbers_are(void **state)
{
    Pprof__Profile *p =
        export("block 0 : 1 8 8 0 : main at a.c:1 = malloc\n", false);
    struct bm_str types = BM_STR_INIT;

    (void)state;
    for (size_t i = 0; i < p->n_sample_type; i++)
        bm_str_printf(&types, "%s/%s ", text_of(p, p->sample_type[i]->type),
                      text_of(p, p->sample_type[i]->unit));
    assert_string_equal(types.data, "alloc_objects/count alloc_space/bytes "
                                    "inuse_objects/count inuse_space/bytes ");
    assert_string_equal(text_of(p, p->period_type->type), "space");
    assert_string_equal(text_of(p, p->period_type->unit), "bytes");
    assert_int_equal(p->period, 1);
    assert_string_equal(text_of(p, p->default_sample_type), "inuse_space");
    assert_string_equal(p->string_table[0], "");
    bm_str_clear(&types);
    pprof__profile__free_unpacked(p, NULL);
}

static void writes_the_leaf_first(void **state)
{
    (void)state;
    check("block 0 : 3 30 20 10 : main at a.c:9 > f at a.c:4 = malloc int\n",
          false, "3 30 2 20 : f:4 main:9 kind=malloc type=int at=peak\n");
    check("block 0 : 3 30 20 10 : main at a.c:9 > f at a.c:4 = malloc int\n",
          true, "3 30 1 10 : f:4 main:9 kind=malloc type=int at=end\n");
}

static void puts_inlined_calls_into_one_location(void **state)
{
    (void)state;
    check("block 0 : 1 8 8 0 : main at a.c:9 > f at a.c:4 > inlined g at "
          "a.c:2 > inlined h at a.c:1 = malloc\n"
          "block 0 : 1 4 4 0 : main at a.c:9 > f at a.c:4 > inlined g at "
          "a.c:2 > k at a.c:7 = malloc\n",
          false,
          "1 8 1 8 : h:1|g:2|f:4 main:9 kind=malloc at=peak\n"
          "1 4 1 4 : k:7 g:2|f:4 main:9 kind=malloc at=peak\n");
}

/* What one freed of the other's is taken from the other: nothing negative. */
static void settles_what_threads_freed_of_others(void **state)
{
    (void)state;
    check("thread 11 main\nthread 12 worker\nthread 13 third\n"
          "block 1 : 5 100 100 100 : main at a.c:1 = malloc\n"
          "block 2 : 0 0 -60 -80 : main at a.c:1 = malloc\n"
          "block 3 : 1 20 20 20 : main at a.c:1 = malloc\n",
          false,
          "5 100 2 40 : main:1 thread=main 11 kind=malloc at=peak\n"
          "1 20 1 20 : main:1 thread=third 13 kind=malloc at=peak\n");
}

static void leaves_out_what_did_nothing(void **state)
{
    (void)state;
    check("program /p\n", false, "");
}

static void names_foreign_code(void **state)
{
    Pprof__Profile *p = export(
        "module /usr/lib/libfoo.so\n"
        "block 0 : 1 4 4 0 : main at a.c:1 > - in 1 > f at a.c:2 = malloc\n",
        false);

    (void)state;
    assert_int_equal(p->n_sample, 1);
    assert_int_equal(p->sample[0]->n_location_id, 3);
    const Pprof__Location *l = location(p, p->sample[0]->location_id[1]);
    assert_string_equal(function(p, l->line[0]->function_id), "[libfoo.so]");
    for (size_t i = 0; i < p->n_mapping; i++) {
        if (p->mapping[i]->id == l->mapping_id)
            assert_string_equal(text_of(p, p->mapping[i]->filename),
                                "/usr/lib/libfoo.so");
    }
    assert_int_not_equal(l->mapping_id, 0);
    pprof__profile__free_unpacked(p, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_its_numbers_are),
        cmocka_unit_test(writes_the_leaf_first),
        cmocka_unit_test(puts_inlined_calls_into_one_location),
        cmocka_unit_test(settles_what_threads_freed_of_others),
        cmocka_unit_test(leaves_out_what_did_nothing),
        cmocka_unit_test(names_foreign_code),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
