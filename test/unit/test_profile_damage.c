/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Damaged profiles: every beginning, every byte changed, and bytes at random.
 * Whatever comes of it, nothing crashes and no memory is taken beyond a small
 * multiple of the file; the sanitizers' build runs this too.
 */
#include "build_profile.h"
#include "same_profile.h"
#include "synthetic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>

#define MAX_BYTES ((size_t)64 << 20)

/* Bytes asked for by the library: calls are wrapped by the linker. */
static size_t asked;

void *__real_malloc(size_t size);
void *__real_calloc(size_t nr, size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t nr, size_t size);
void *__wrap_realloc(void *block, size_t size);

void *__wrap_malloc(size_t size)
{
    asked += size;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t nr, size_t size)
{
    asked += nr * size;
    return __real_calloc(nr, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    asked += size;
    return __real_realloc(block, size);
}

static void make_sample(struct builder *b)
{
    static const struct synthetic what = {.sites = 4,
                                          .paths = 20,
                                          .depth = 5,
                                          .threads = 2,
                                          .benchmarks = 2,
                                          .passes = 3,
                                          .seed = 1};

    builder_init(b);
    assert_int_equal(synthetic_pack(&b->packer, &what), 0);
    msgpack_sbuffer_write(&b->bytes, "\0\0\0\0\0\0\0\0", 8);
    ADD(b, note, .text = text_of("behind unused room"));
    add_state(b, BM_END_STATUS, 0, BM_STATE_LATE);
    ADD(b, param, .benchmark = 1, .name = text_of("s"), .type = BM_VALUE_STRING,
        .text = text_of("text"));
}

/* Reads the bytes and uses all that comes of them. */
static bool try_bytes(const char *bytes, size_t size)
{
    struct bm_profile_error error;
    struct bm_profile *profile;

    asked = 0;
    profile = bm_profile_parse(bytes, size, "x", &error);
    assert_in_range(asked, 1, MAX_BYTES);
    if (!profile) {
        assert_non_null(error.why);
        assert_in_range(error.offset, 0, size);
        assert_string_not_equal(error.why, "out of memory");
        return false;
    }
    assert_null(error.why);
    if (!bm_profile_check(profile))
        assert_null(small_form_differs(profile));
    bm_profile_free(profile);
    return true;
}

static void every_beginning_is_read_or_refused(void **state)
{
    struct builder b;
    size_t first = 0, nr_read = 0;

    (void)state;
    make_sample(&b);
    for (size_t size = 0; size <= b.bytes.size; size++) {
        char *exact = malloc(size + 1);

        memcpy(exact + 1, b.bytes.data, size);
        if (try_bytes(exact + 1, size)) {
            first = first ? first : size;
            nr_read++;
        }
        free(exact);
    }
    /* From the first whole record on, all of them. */
    assert_int_equal(nr_read, b.bytes.size - first + 1);
    builder_clear(&b);
}

static void every_changed_byte_is_survived(void **state)
{
    static const unsigned char changes[] = {0xff, 0x01, 0x80, 0x40, 0x10};
    struct builder b;

    (void)state;
    make_sample(&b);
    for (size_t i = 0; i < b.bytes.size; i++)
        for (size_t c = 0; c < sizeof(changes); c++) {
            b.bytes.data[i] ^= changes[c];
            try_bytes(b.bytes.data, b.bytes.size);
            b.bytes.data[i] ^= changes[c];
        }
    builder_clear(&b);
}

static void random_damage_is_survived(void **state)
{
    struct builder b;
    char *damaged;
    uint32_t random = 1;

    (void)state;
    make_sample(&b);
    damaged = malloc(b.bytes.size);
    for (size_t round = 0; round < 3000; round++) {
        memcpy(damaged, b.bytes.data, b.bytes.size);
        for (size_t i = 0; i < 1 + round % 20; i++) {
            random = random * 1664525 + 1013904223;
            damaged[random % b.bytes.size] = (char)(random >> 24);
        }
        try_bytes(damaged, b.bytes.size);
    }
    free(damaged);
    builder_clear(&b);
}

/* Claims of a size or number that the file cannot hold. */
static void great_claims_cost_nothing(void **state)
{
    static const char *const claims[] = {
        "\x92\x04\xdb\xff\xff\xff\xff",
        "\x92\x05\xce\x0f\xff\xff\xff",
        "\x92\x06\xce\x00\xff\xff\xff",
        "\xc6\xff\xff\xff\xff",
        "\xdd\xff\xff\xff\xff\xff\xff\xff\xff\xff",
        "\x92\x4d\xdd\x00\x00\x03\xff",
        "\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91\x91",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(claims) / sizeof(claims[0]); i++) {
        struct builder b;

        make_sample(&b);
        msgpack_sbuffer_write(&b.bytes, claims[i], strlen(claims[i]));
        try_bytes(b.bytes.data, b.bytes.size);
        builder_clear(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_beginning_is_read_or_refused),
        cmocka_unit_test(every_changed_byte_is_survived),
        cmocka_unit_test(random_damage_is_survived),
        cmocka_unit_test(great_claims_cost_nothing),
    };

    return cmocka_run_group_tests_name("profile_damage", tests, NULL, NULL);
}
