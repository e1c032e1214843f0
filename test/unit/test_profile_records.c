/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Packers and unpackers: each record type there and back, and its edges. */
#include "build_profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include <stdlib.h>

/* One record, packed and then unpacked by msgpack-c. */
struct trip {
    struct builder b;
    msgpack_unpacked unpacked;
    const msgpack_object *object;
};

static void unpack(struct trip *trip)
{
    msgpack_unpacked_init(&trip->unpacked);
    assert_int_equal(msgpack_unpack_next(&trip->unpacked, trip->b.bytes.data,
                                         trip->b.bytes.size, NULL),
                     MSGPACK_UNPACK_SUCCESS);
    trip->object = &trip->unpacked.data;
}

static void end(struct trip *trip)
{
    msgpack_unpacked_destroy(&trip->unpacked);
    builder_clear(&trip->b);
}

/* ---- every record type ---- */

/* Values of which no two fields of a record are alike. */
static uint64_t number_of_field;
static char texts[32][24];
static uint64_t words[32][3];

static void fill_U(uint64_t *field)
{
    *field = UINT64_C(0x0102030405060708) * ++number_of_field;
}

static void fill_S(struct bm_text *field)
{
    char *text = texts[++number_of_field];

    snprintf(text, sizeof(texts[0]), "text %d", (int)number_of_field);
    *field = text_of(text);
}

static void fill_W(struct bm_words *field)
{
    uint64_t *list = words[++number_of_field];

    for (size_t i = 0; i < 3; i++)
        list[i] = (number_of_field << 56) + i;
    *field = words_of(list, 3);
}

static void same_U(uint64_t a, uint64_t b)
{
    assert_true(a == b);
}

static void same_S(struct bm_text a, struct bm_text b)
{
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.data, b.data, a.size);
}

static void same_W(struct bm_words a, struct bm_words b)
{
    assert_int_equal(a.nr_words, b.nr_words);
    for (size_t i = 0; i < a.nr_words; i++)
        assert_true(bm_words_get(a, i) == bm_words_get(b, i));
}

#define BM_RECORD(tag, name, meaning)                                          \
    static void fill_##name(struct bm_record_##name *record)                   \
    {                                                                          \
        number_of_field = 0;
#define BM_FIELD(owner, type, name, meaning) fill_##type(&record->name);
#define BM_END_RECORD(name) }
#include "profile/schema.inc"

#define BM_RECORD(tag, name, meaning)                                          \
    static void same_##name(const struct bm_record_##name *a,                  \
                            const struct bm_record_##name *b)                  \
    {
#define BM_FIELD(owner, type, name, meaning) same_##type(a->name, b->name);
#define BM_END_RECORD(name) }
#include "profile/schema.inc"

#define BM_RECORD(tag, name, meaning)                                          \
    static void comes_back_##name(void **state)                                \
    {                                                                          \
        struct bm_record_##name record, again;                                 \
        struct trip trip;                                                      \
                                                                               \
        (void)state;                                                           \
        fill_##name(&record);                                                  \
        builder_init(&trip.b);                                                 \
        assert_int_equal(bm_pack_##name(&trip.b.packer, &record), 0);          \
        unpack(&trip);                                                         \
        assert_true(trip.object->via.array.ptr[0].via.u64 == (tag));           \
        assert_true(bm_unpack_##name(trip.object, &again));                    \
        same_##name(&record, &again);                                          \
        end(&trip);                                                            \
    }
#include "profile/schema.inc"

/* ---- text ---- */

static void bytes_that_are_no_utf8_are_escaped(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *packed;
    } cases[] = {
#define BYTES(s) s, sizeof(s) - 1
        {BYTES(""), ""},
        {BYTES("plain"), "plain"},
        {BYTES("na\xc3\xafve_\xe6\x95\xb0.c"), "na\xc3\xafve_\xe6\x95\xb0.c"},
        {BYTES("\xf0\x9f\x98\x80"), "\xf0\x9f\x98\x80"},
        {BYTES("bad\xff.c"), "bad\\xff.c"},
        {BYTES("\x80"), "\\x80"},
        {BYTES("a\0b"), "a\\x00b"},
        {BYTES("tab\tnew\n"), "tab\tnew\n"},
        {BYTES("cut\xe6\x95"), "cut\\xe6\\x95"},
        {BYTES("\xc3("), "\\xc3("},
        {BYTES("\xc0\xaf"), "\\xc0\\xaf"},                   /* overlong */
        {BYTES("\xe0\x80\xaf"), "\\xe0\\x80\\xaf"},          /* overlong */
        {BYTES("\xf0\x80\x80\xaf"), "\\xf0\\x80\\x80\\xaf"}, /* overlong */
        {BYTES("\xed\xa0\x80"), "\\xed\\xa0\\x80"},          /* surrogate */
        {BYTES("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80"}, /* > 10FFFF */
        {BYTES("\xf4\x8f\xbf\xbf"), "\xf4\x8f\xbf\xbf"},     /* = 10FFFF */
#undef BYTES
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct bm_record_note again;
        struct trip trip;

        builder_init(&trip.b);
        ADD(&trip.b, note, .text = {cases[i].bytes, cases[i].size});
        unpack(&trip);
        assert_true(bm_unpack_note(trip.object, &again));
        same_S(again.text, text_of(cases[i].packed));
        end(&trip);
    }
}

static void nil_is_not_the_empty_string(void **state)
{
    struct bm_record_note note;
    struct trip trip;

    (void)state;
    builder_init(&trip.b);
    ADD(&trip.b, note, .text = {NULL, 0});
    unpack(&trip);
    assert_true(bm_unpack_note(trip.object, &note));
    assert_null(note.text.data);
    end(&trip);
    builder_init(&trip.b);
    ADD(&trip.b, note, .text = text_of(""));
    unpack(&trip);
    assert_true(bm_unpack_note(trip.object, &note));
    assert_non_null(note.text.data);
    end(&trip);
}

static void long_texts_are_whole(void **state)
{
    static const size_t sizes[] = {31, 32, 255, 256, 65535, 65536, 1 << 20};

    (void)state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        char *text = malloc(sizes[i]);
        struct bm_record_note note;
        struct trip trip;

        memset(text, 'x', sizes[i]);
        builder_init(&trip.b);
        ADD(&trip.b, note, .text = {text, sizes[i]});
        unpack(&trip);
        assert_true(bm_unpack_note(trip.object, &note));
        assert_int_equal(note.text.size, sizes[i]);
        assert_memory_equal(note.text.data, text, sizes[i]);
        end(&trip);
        free(text);
    }
}

/* ---- other versions and damage ---- */

static void missing_last_fields_are_absent(void **state)
{
    struct bm_record_site site;
    struct trip trip;

    (void)state;
    builder_init(&trip.b);
    msgpack_pack_array(&trip.b.packer, 3);
    msgpack_pack_int(&trip.b.packer, BM_TAG_site);
    msgpack_pack_int(&trip.b.packer, 7);
    msgpack_pack_int(&trip.b.packer, 8);
    unpack(&trip);
    assert_true(bm_unpack_site(trip.object, &site));
    assert_int_equal(site.index, 7);
    assert_int_equal(site.id, 8);
    assert_int_equal(site.frame, 0);
    assert_null(site.kind.data);
    end(&trip);
}

static void fields_past_the_last_are_skipped(void **state)
{
    struct bm_record_note note;
    struct trip trip;

    (void)state;
    builder_init(&trip.b);
    msgpack_pack_array(&trip.b.packer, 4);
    msgpack_pack_int(&trip.b.packer, BM_TAG_note);
    msgpack_pack_str_with_body(&trip.b.packer, "x", 1);
    msgpack_pack_map(&trip.b.packer, 1);
    msgpack_pack_str_with_body(&trip.b.packer, "key", 3);
    msgpack_pack_array(&trip.b.packer, 0);
    msgpack_pack_double(&trip.b.packer, 1.5);
    unpack(&trip);
    assert_true(bm_unpack_note(trip.object, &note));
    same_S(note.text, text_of("x"));
    end(&trip);
}

static void other_types_are_refused(void **state)
{
    static const char *const wrong[] = {
        "\x92\x04\x01",      /* a number for text */
        "\x92\x04\xc4\x01x", /* bin for text */
        "\x92\x04\x90",      /* an array for text */
        "\x92\x06\x01",      /* another record */
        "\x92\x05\xff",      /* a negative index */
        "\x92\x03\xa1x",     /* text for words */
        "\x81\x04\x04",      /* a map */
        "\x90",              /* no tag */
        "\x04",              /* no array */
    };
    struct bm_record_note note;
    struct bm_record_module module;
    struct bm_record_state counters;

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        msgpack_unpacked unpacked;

        msgpack_unpacked_init(&unpacked);
        assert_int_equal(
            msgpack_unpack_next(&unpacked, wrong[i], strlen(wrong[i]), NULL),
            MSGPACK_UNPACK_SUCCESS);
        assert_false(bm_unpack_note(&unpacked.data, &note));
        assert_false(bm_unpack_state(&unpacked.data, &counters));
        assert_false(bm_unpack_module(&unpacked.data, &module));
        msgpack_unpacked_destroy(&unpacked);
    }
}

static void words_are_little_endian_and_end(void **state)
{
    static const unsigned char bytes[] = {0xff, 1, 2, 3, 4, 5, 6, 7,   8,
                                          0x88, 0, 0, 0, 0, 0, 0, 0x80};
    struct bm_words unaligned = {bytes + 1, 2};

    (void)state;
    assert_true(bm_words_get(unaligned, 0) == UINT64_C(0x0807060504030201));
    assert_true(bm_words_get(unaligned, 1) == UINT64_C(0x8000000000000088));
    assert_true(bm_words_get(unaligned, 2) == 0);
    assert_true(bm_words_get((struct bm_words){NULL, 0}, 0) == 0);
}

/* A callback that fails after some bytes. */
static int refuse(void *data, const char *bytes, size_t size)
{
    size_t *room = data;

    (void)bytes;
    if (*room < size)
        return -7;
    *room -= size;
    return 0;
}

static void a_full_buffer_is_told(void **state)
{
    struct bm_record_site site;
    msgpack_packer packer;
    size_t needed = 0;

    (void)state;
    fill_site(&site);
    for (size_t size = 0; needed == 0; size++) {
        size_t room = size;
        int error;

        msgpack_packer_init(&packer, &room, refuse);
        error = bm_pack_site(&packer, &site);
        assert_true(error == 0 || error == -7);
        if (error == 0)
            needed = size;
    }
    assert_in_range(needed, 50, 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define BM_RECORD(tag, name, meaning) cmocka_unit_test(comes_back_##name),
#include "profile/schema.inc"
        cmocka_unit_test(bytes_that_are_no_utf8_are_escaped),
        cmocka_unit_test(nil_is_not_the_empty_string),
        cmocka_unit_test(long_texts_are_whole),
        cmocka_unit_test(missing_last_fields_are_absent),
        cmocka_unit_test(fields_past_the_last_are_skipped),
        cmocka_unit_test(other_types_are_refused),
        cmocka_unit_test(words_are_little_endian_and_end),
        cmocka_unit_test(a_full_buffer_is_told),
    };

    return cmocka_run_group_tests_name("profile_records", tests, NULL, NULL);
}
