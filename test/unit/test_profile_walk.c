/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The validator that sees a file's bytes before anything else does. */
#include "profile/walk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#define BYTES(s) s, sizeof(s) - 1

static void objects_are_measured(void **state)
{
    static const struct {
        const char *bytes;
        size_t left;
        enum bm_walk_result result;
        size_t size;
    } cases[] = {
        {BYTES("\x00"), BM_WALK_WHOLE, 1},
        {BYTES("\x7f rest"), BM_WALK_WHOLE, 1},
        {BYTES("\xff"), BM_WALK_WHOLE, 1},
        {BYTES("\xc0"), BM_WALK_WHOLE, 1},
        {BYTES("\xc1"), BM_WALK_DAMAGED, 0},
        {BYTES("\xc2"), BM_WALK_WHOLE, 1},
        {BYTES(""), BM_WALK_CUT, 0},
        {BYTES("\xcd\x01"), BM_WALK_CUT, 0},
        {BYTES("\xcd\x01\x02"), BM_WALK_WHOLE, 3},
        {BYTES("\xcf\x01\x02\x03\x04\x05\x06\x07\x08"), BM_WALK_WHOLE, 9},
        {BYTES("\xca\x01\x02\x03\x04"), BM_WALK_WHOLE, 5},
        {BYTES("\xcb\x01\x02\x03\x04\x05\x06\x07"), BM_WALK_CUT, 0},
        {BYTES("\xa3xyz"), BM_WALK_WHOLE, 4},
        {BYTES("\xa3xy"), BM_WALK_CUT, 0},
        {BYTES("\xd9\x02xy"), BM_WALK_WHOLE, 4},
        {BYTES("\xda\x00\x02xy"), BM_WALK_WHOLE, 5},
        {BYTES("\xdb\x00\x00\x00\x02xy"), BM_WALK_WHOLE, 7},
        {BYTES("\xdb\xff\xff\xff\xff"), BM_WALK_CUT, 0},
        {BYTES("\xc4\x02xy"), BM_WALK_WHOLE, 4},
        {BYTES("\xc5\x00\x02xy"), BM_WALK_WHOLE, 5},
        {BYTES("\xc6\x00\x00\x00\x02xy"), BM_WALK_WHOLE, 7},
        {BYTES("\xd4\x01x"), BM_WALK_WHOLE, 3},
        {BYTES("\xd8\x01xxxxxxxxxxxxxxxx"), BM_WALK_WHOLE, 18},
        {BYTES("\xc7\x02\x01xy"), BM_WALK_WHOLE, 5},
        {BYTES("\x90"), BM_WALK_WHOLE, 1},
        {BYTES("\x80"), BM_WALK_WHOLE, 1},
        {BYTES("\x93\x01\xa1x\xc0"), BM_WALK_WHOLE, 5},
        {BYTES("\x93\x01\xa1x"), BM_WALK_CUT, 0},
        {BYTES("\x82\x01\x02\x03\x90"), BM_WALK_WHOLE, 5},
        {BYTES("\x92\x91\x91\x01\x02 rest"), BM_WALK_WHOLE, 5},
        {BYTES("\xdc\x00\x02\x01\x02"), BM_WALK_WHOLE, 5},
        {BYTES("\xdd\x00\x00\x00\x01\x02"), BM_WALK_WHOLE, 6},
        {BYTES("\xde\x00\x01\x01\x02"), BM_WALK_WHOLE, 5},
        {BYTES("\xdf\x00\x00\x00\x00"), BM_WALK_WHOLE, 5},
        /* No record has so many elements: the count is damage. */
        {BYTES("\xdd\x00\x01\x00\x00\x02"), BM_WALK_DAMAGED, 0},
        {BYTES("\xdd\xff\xff\xff\xff\x02"), BM_WALK_DAMAGED, 0},
        {BYTES("\xdf\xff\xff\xff\xff\x02"), BM_WALK_DAMAGED, 0},
        {BYTES("\x92\x01\xc1"), BM_WALK_DAMAGED, 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        /* On the heap in its exact size, for the sanitizers. */
        char *bytes = malloc(cases[i].left + 1);
        size_t size = 0;

        memcpy(bytes + 1, cases[i].bytes, cases[i].left);
        assert_int_equal(bm_walk(bytes + 1, cases[i].left, &size),
                         cases[i].result);
        if (cases[i].result == BM_WALK_WHOLE)
            assert_int_equal(size, cases[i].size);
        free(bytes);
    }
}

static void nesting_is_bounded(void **state)
{
    static const struct {
        size_t depth;
        enum bm_walk_result result;
    } cases[] = {
        {1, BM_WALK_WHOLE},
        {BM_WALK_DEPTH - 1, BM_WALK_WHOLE},
        {BM_WALK_DEPTH, BM_WALK_DAMAGED},
        {100000, BM_WALK_DAMAGED},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        size_t depth = cases[i].depth, size;
        char *bytes = malloc(depth + 1);

        memset(bytes, '\x91', depth);
        bytes[depth] = 0;
        assert_int_equal(bm_walk(bytes, depth + 1, &size), cases[i].result);
        free(bytes);
    }
}

static void a_bin_is_told_from_the_rest(void **state)
{
    size_t size;

    (void)state;
    assert_int_equal(bm_walk_bin("\xc4\x02xy", 4, &size), BM_WALK_WHOLE);
    assert_int_equal(size, 4);
    assert_int_equal(bm_walk_bin("\xc6\x00\x10\x00\x00", 5, &size),
                     BM_WALK_CUT);
    assert_int_equal(size, 5 + 0x100000);
    assert_int_equal(bm_walk_bin("\xc4", 1, &size), BM_WALK_CUT);
    assert_int_equal(bm_walk_bin("\xa1x", 2, &size), BM_WALK_DAMAGED);
    assert_int_equal(bm_walk_bin("\x91\x01", 2, &size), BM_WALK_DAMAGED);
}

/* What the short way reads is what msgpack-c reads, whole and in no part. */
static void flat_records_are_read_alike(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
    } cases[] = {
        {BYTES("\x91\x00")},
        {BYTES("\x95\x7f\xcc\x80\xcd\x01\x02\xce\x01\x02\x03\x04"
               "\xcf\xff\x02\x03\x04\x05\x06\x07\x08")},
        {BYTES("\x94\xc0\xa3xyz\xd9\x02xy\xda\x00\x01x")},
        {BYTES("\x92\xdb\x00\x00\x00\x02xy\xa1z")},
        {BYTES("\x93\xc4\x02xy\xc5\x00\x01x\xc6\x00\x00\x00\x01z")},
        {BYTES("\xdc\x00\x02\x01\x02")},
        {BYTES("\xdd\x00\x00\x00\x01\x02")},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        msgpack_unpacked expected;
        struct bm_flat flat;
        size_t end = 0;

        msgpack_unpacked_init(&expected);
        assert_int_equal(
            msgpack_unpack_next(&expected, cases[i].bytes, cases[i].size, &end),
            MSGPACK_UNPACK_SUCCESS);
        for (size_t size = 0; size <= cases[i].size; size++) {
            /* On the heap in its exact size, for the sanitizers. */
            char *bytes = malloc(size + 1);

            memcpy(bytes + 1, cases[i].bytes, size);
            assert_int_equal(bm_walk_flat(bytes + 1, size, &flat),
                             size == cases[i].size);
            if (size == cases[i].size) {
                assert_int_equal(flat.size, end);
                assert_true(msgpack_object_equal(flat.array, expected.data));
            }
            free(bytes);
        }
        msgpack_unpacked_destroy(&expected);
    }
}

static void other_objects_are_not_flat(void **state)
{
    static const struct {
        const char *bytes;
        size_t size;
    } cases[] = {
        {BYTES("\x90")},
        {BYTES("\x01")},
        {BYTES("\xc4\x01x")},
        {BYTES("\x81\x01\x02")},
        {BYTES("\x91\x91\x01")},
        {BYTES("\x91\x80")},
        {BYTES("\x91\xff")},
        {BYTES("\x91\xd0\x01")},
        {BYTES("\x91\xc3")},
        {BYTES("\x91\xca\x01\x02\x03\x04")},
        {BYTES("\x91\xc1")},
        {BYTES("\x91\xd4\x01x")},
        {BYTES("\xdd\xff\xff\xff\xff\x02")},
        {BYTES("\xdc\x00\x19xxxxxxxxxxxxxxxxxxxxxxxxx")},
    };
    struct bm_flat flat;

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_false(bm_walk_flat(cases[i].bytes, cases[i].size, &flat));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_are_measured),
        cmocka_unit_test(nesting_is_bounded),
        cmocka_unit_test(a_bin_is_told_from_the_rest),
        cmocka_unit_test(flat_records_are_read_alike),
        cmocka_unit_test(other_objects_are_not_flat),
    };

    return cmocka_run_group_tests_name("profile_walk", tests, NULL, NULL);
}
