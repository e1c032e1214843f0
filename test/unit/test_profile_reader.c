/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What the reader takes, what it refuses, and what it says then. */
#include "build_profile.h"
#include "same_profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static struct bm_profile *parse(const struct builder *b)
{
    struct bm_profile_error error;
    struct bm_profile *profile = builder_parse(b, &error);

    if (!profile)
        fail_msg("offset %llu: %s", (unsigned long long)error.offset,
                 error.why);
    assert_null(error.why);
    return profile;
}

/* The reason why the bytes are refused, and where. */
static void check_refused(const void *bytes, size_t size, const char *why,
                          uint64_t offset)
{
    struct bm_profile_error error;

    assert_null(bm_profile_parse(bytes, size, "x", &error));
    assert_string_equal(error.why, why);
    assert_true(error.offset == offset);
}

static void begin(struct builder *b)
{
    builder_init(b);
    add_head(b);
    add_state(b, BM_END_STATUS, 0, 0);
}

/* ---- refused ---- */

static void what_is_no_profile_is_told(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *why;
    } cases[] = {
#define BYTES(s) s, sizeof(s) - 1
        {BYTES(""), "the file is empty"},
        {BYTES("\0\0\0\0\0\0\0\0\0"), "not a benchmem profile"},
        {BYTES("#!/bin/sh\necho hello\n"), "not a benchmem profile"},
        {BYTES("{\"schema_version\": 1}"), "not a benchmem profile"},
        {BYTES("\x7f"
               "ELF\x02\x01\x01"),
         "not a benchmem profile"},
        {BYTES("\x92\x01\xa1x"), "not a benchmem profile"},
        {BYTES("\x93\x01\xa8"
               "BENCHMEM\x01"),
         "not a benchmem profile"},
        {BYTES("\x93\x02\xa8"
               "benchmem\x01"),
         "not a benchmem profile"},
        {BYTES("\x93\x01\xa8"
               "benchmem\xa1x"),
         "not a benchmem profile"},
        {BYTES("\x81\x01\x02"), "not a benchmem profile"},
        {BYTES("\xc1"), "not a benchmem profile"},
        {BYTES("\xdd\xff\xff\xff\xff\xff"), "not a benchmem profile"},
        {BYTES("\x9b\x01\xa8"
               "benchmem\x01\xa4 cut"),
         "the file ends within its first record"},
#undef BYTES
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        check_refused(cases[i].bytes, cases[i].size, cases[i].why, 0);
}

static void a_newer_schema_is_told(void **state)
{
    static const char newer[] = "\x94\x01\xa8"
                                "benchmem\xcd\x03\xe7\x80";

    (void)state;
    check_refused(newer, sizeof(newer) - 1,
                  "made by a newer benchmem (schema 999, this one reads up "
                  "to 2)",
                  0);
}

/* Bytes behind a good beginning, and why they are refused there. */
static void damage_is_told_with_its_offset(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
        const char *why;
    } cases[] = {
#define BYTES(s) s, sizeof(s) - 1
        {BYTES("\xc1"), "damaged: no msgpack object"},
        {BYTES("\xdd\xff\xff\xff\xff"), "damaged: no msgpack object"},
        {BYTES("\x05"), "damaged: no record begins here"},
        {BYTES("\x80"), "damaged: no record begins here"},
        {BYTES("\x90"), "damaged: no record begins here"},
        {BYTES("\x91\xa1x"), "damaged: no record begins here"},
        {BYTES("\x92\x04\x05"),
         "damaged: a field of this record has the wrong type"},
        {BYTES("\x92\x05\x00"),
         "damaged: the index of this record is out of range"},
        {BYTES("\x92\x05\xcf\xff\xff\xff\xff\xff\xff\xff\xff"),
         "damaged: the index of this record is out of range"},
        {BYTES("\x93\x08\x05\x05"),
         "damaged: this record refers to a later one of its kind"},
        {BYTES("\x93\x08\x05\x06"),
         "damaged: this record refers to a later one of its kind"},
        {BYTES("\x99\x06\x05\xc0\xc0\xc0\xc0\x01\x01\x05"),
         "damaged: this record refers to a later one of its kind"},
#undef BYTES
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct builder b;
        size_t offset;

        begin(&b);
        /* Unused room, so that the offset is that of the record. */
        msgpack_sbuffer_write(&b.bytes, "\0\0\0", 3);
        offset = b.bytes.size;
        msgpack_sbuffer_write(&b.bytes, cases[i].bytes, cases[i].size);
        check_refused(b.bytes.data, b.bytes.size, cases[i].why, offset);
        builder_clear(&b);
    }
}

static void what_cannot_be_opened_is_told(void **state)
{
    struct bm_profile_error error;

    (void)state;
    assert_null(bm_profile_read("/nonexistent/x.bmem", &error));
    assert_string_equal(error.why, "No such file or directory");
    assert_null(bm_profile_read("/", &error));
    assert_string_equal(error.why, "Is a directory");
    assert_null(bm_profile_read("/dev/null", &error));
    assert_string_equal(error.why, "the file is empty");
    /* Without an end, and no profile: told at once. */
    assert_null(bm_profile_read("/dev/zero", &error));
    assert_string_equal(error.why, "not a benchmem profile");
}

/* ---- taken ---- */

static void what_is_not_known_is_skipped(void **state)
{
    struct bm_profile *profile;
    struct builder b;

    (void)state;
    begin(&b);
    msgpack_pack_array(&b.packer, 2); /* an unknown record */
    msgpack_pack_int(&b.packer, 77);
    msgpack_pack_map(&b.packer, 1);
    msgpack_pack_nil(&b.packer);
    msgpack_pack_double(&b.packer, 1);
    msgpack_pack_array(&b.packer, 4); /* a note with more fields */
    msgpack_pack_int(&b.packer, BM_TAG_note);
    msgpack_pack_str_with_body(&b.packer, "known", 5);
    msgpack_pack_map(&b.packer, 1);
    msgpack_pack_str_with_body(&b.packer, "unknown", 7);
    msgpack_pack_array(&b.packer, 0);
    msgpack_pack_double(&b.packer, 1);
    profile = parse(&b);
    assert_int_equal(profile->nr_notes, 1);
    assert_string_equal(profile->notes[0], "known");
    assert_true(profile->complete);
    bm_profile_free(profile);
    builder_clear(&b);
}

static void unused_room_means_nothing(void **state)
{
    static const size_t rooms[] = {0, 1, 7, 8, 9, 4096, 3 << 20};
    static const char zeros[4096];

    (void)state;
    for (size_t i = 0; i < sizeof(rooms) / sizeof(rooms[0]); i++) {
        struct bm_profile *profile;
        struct builder b;

        begin(&b);
        for (size_t left = rooms[i]; left > 0;) {
            size_t part = left < sizeof(zeros) ? left : sizeof(zeros);

            msgpack_sbuffer_write(&b.bytes, zeros, part);
            left -= part;
        }
        ADD(&b, note, .text = text_of("behind"));
        /* A record that is being written. */
        msgpack_pack_bin(&b.packer, 100);
        msgpack_pack_bin_body(&b.packer, zeros, 100);
        ADD(&b, note, .text = text_of("last"));
        profile = parse(&b);
        assert_int_equal(profile->nr_notes, 2);
        assert_true(profile->complete);
        bm_profile_free(profile);
        builder_clear(&b);
    }
}

static void a_cut_file_is_read_up_to_there(void **state)
{
    struct builder b;
    size_t whole;

    (void)state;
    begin(&b);
    add_site(&b, 1, "a.c");
    add_ledger(&b, 0, 100, 100, 0, 0);
    add_kept(&b, 1, 0, 1, 100, 100);
    whole = b.bytes.size;
    ADD(&b, note, .text = text_of("this is lost"));
    for (size_t cut = whole + 1; cut < b.bytes.size; cut++) {
        struct bm_profile_error error;
        struct bm_profile *profile =
            bm_profile_parse(b.bytes.data, cut, "x", &error);

        assert_non_null(profile);
        assert_false(profile->complete);
        assert_int_equal(profile->flags, BM_STATE_CUT);
        assert_int_equal(profile->nr_notes, 1);
        assert_string_equal(
            profile->notes[0],
            "the file ends inside a record: what followed is lost");
        assert_int_equal(profile->totals.peak_bytes, 100);
        assert_null(bm_profile_check(profile));
        bm_profile_free(profile);
    }
    builder_clear(&b);
}

static void the_end_decides_on_complete(void **state)
{
    static const struct {
        enum bm_end end;
        unsigned flags;
        bool complete;
        size_t nr_notes;
    } cases[] = {
        {BM_END_STATUS, 0, true, 0},
        {BM_END_SIGNAL, 0, true, 0},
        {BM_END_EXEC, 0, true, 0},
        {BM_END_UNKNOWN, 0, false, 0},
        {BM_END_STATUS, BM_STATE_STOPPED, false, 1},
        {BM_END_STATUS, BM_STATE_LATE | BM_STATE_FILE_FULL, false, 2},
        {BM_END_STATUS, BM_STATE_IN_FLIGHT, true, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct bm_profile *profile;
        struct builder b;

        builder_init(&b);
        add_head(&b);
        add_state(&b, cases[i].end, 3, cases[i].flags);
        profile = parse(&b);
        assert_int_equal(profile->end, cases[i].end);
        assert_int_equal(profile->end_value,
                         cases[i].end == BM_END_UNKNOWN ? 0 : 3);
        assert_int_equal(profile->complete, cases[i].complete);
        assert_int_equal(profile->nr_notes, cases[i].nr_notes);
        assert_null(small_form_differs(profile));
        bm_profile_free(profile);
        builder_clear(&b);
    }
}

static void a_file_and_a_pipe_read_alike(void **state)
{
    char path[] = "/tmp/benchmem-reader-XXXXXX";
    struct bm_profile *from_file, *from_pipe, *from_memory;
    struct bm_profile_error error;
    struct builder b;
    int fd, ends[2];

    (void)state;
    begin(&b);
    add_site(&b, 1, "a.c");
    add_ledger(&b, 0, 100, 100, 0, 0);
    add_kept(&b, 1, 0, 1, 100, 100);
    fd = mkstemp(path);
    assert_true(write(fd, b.bytes.data, b.bytes.size) == (ssize_t)b.bytes.size);
    close(fd);
    from_memory = parse(&b);
    from_file = bm_profile_read(path, &error);
    assert_non_null(from_file);
    assert_string_equal(from_file->path, path);
    assert_int_equal(pipe(ends), 0);
    assert_true(write(ends[1], b.bytes.data, b.bytes.size) ==
                (ssize_t)b.bytes.size);
    close(ends[1]);
    snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
    from_pipe = bm_profile_read(path, &error);
    assert_non_null(from_pipe);
    assert_null(profiles_differ(from_memory, from_file));
    assert_null(profiles_differ(from_memory, from_pipe));
    close(ends[0]);
    unlink(from_file->path);
    bm_profile_free(from_memory);
    bm_profile_free(from_file);
    bm_profile_free(from_pipe);
    builder_clear(&b);
}

static void texts_are_utf8_and_terminated(void **state)
{
    struct bm_profile *profile;
    struct builder b;

    (void)state;
    begin(&b);
    /* Not by the packer, which would have escaped it. */
    msgpack_pack_array(&b.packer, 2);
    msgpack_pack_int(&b.packer, BM_TAG_note);
    msgpack_pack_str_with_body(&b.packer, "bad\xff\0.c\xe6\x95", 9);
    ADD(&b, note, .text = text_of("na\xc3\xafve \\xff"));
    ADD(&b, note, .text = text_of(""));
    profile = parse(&b);
    assert_string_equal(profile->notes[0], "bad\\xff\\x00.c\\xe6\\x95");
    assert_string_equal(profile->notes[1], "na\xc3\xafve \\xff");
    assert_string_equal(profile->notes[2], "");
    assert_null(profile->host);
    bm_profile_free(profile);
    builder_clear(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_profile_is_told),
        cmocka_unit_test(a_newer_schema_is_told),
        cmocka_unit_test(damage_is_told_with_its_offset),
        cmocka_unit_test(what_cannot_be_opened_is_told),
        cmocka_unit_test(what_is_not_known_is_skipped),
        cmocka_unit_test(unused_room_means_nothing),
        cmocka_unit_test(a_cut_file_is_read_up_to_there),
        cmocka_unit_test(the_end_decides_on_complete),
        cmocka_unit_test(a_file_and_a_pipe_read_alike),
        cmocka_unit_test(texts_are_utf8_and_terminated),
    };

    return cmocka_run_group_tests_name("profile_reader", tests, NULL, NULL);
}
