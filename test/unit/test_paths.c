/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Numbers of paths: the same path has one number, however many children its
 * parent has and in whatever order they are met, and beyond max_paths each
 * site has one more.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/attribute.h"
#include "runtime/frames.h"
#include "runtime/paths.h"
#include "runtime/threads.h"

#include "no_records.h"

#define MAX_PATHS 20000u

static struct bm_thread thread;
static unsigned long seed = 1;

static unsigned pick(unsigned n)
{
    seed = seed * 6364136223846793005ul + 1442695040888963407ul;
    return (unsigned)(seed >> 33) % n;
}

/* Children of one path: frames and ends, few and many. */
static void one_number_each(void **state)
{
    static const unsigned widths[] = {1, 2, 7, 8, 9, 10, 100, 3000};
    uint32_t numbers[2][3000];

    (void)state;
    for (size_t w = 0; w < sizeof(widths) / sizeof(widths[0]); w++) {
        unsigned width = widths[w];
        uint32_t outer =
            bm_path_below(&thread, BM_PATH_NONE, 100 + (uint32_t)w);

        for (uint32_t i = 0; i < width; i++) {
            numbers[0][i] = bm_path_below(&thread, outer, i + 1);
            numbers[1][i] = bm_path_end(&thread, outer, i + 1, 7);
        }
        uint32_t before = thread.path_block.index;
        for (unsigned n = 0; n < 4 * width; n++) {
            uint32_t i = n < 2 * width ? n % width : pick(width);

            assert_int_equal(bm_path_below(&thread, outer, i + 1),
                             numbers[0][i]);
            assert_int_equal(bm_path_end(&thread, outer, i + 1, 7),
                             numbers[1][i]);
            assert_int_equal(bm_path_get(numbers[0][i]).outer, outer);
            assert_int_equal(bm_path_get(numbers[1][i]).frame, i + 1);
            assert_int_equal(bm_path_site(numbers[0][i]), 0);
            assert_int_equal(bm_path_site(numbers[1][i]), 7);
        }
        assert_int_equal(thread.path_block.index, before);
    }
}

/* The same frame below another path is another path. */
static void parents_tell_apart(void **state)
{
    uint32_t a = bm_path_below(&thread, BM_PATH_NONE, 11);
    uint32_t b = bm_path_below(&thread, BM_PATH_NONE, 12);

    (void)state;
    for (uint32_t i = 1; i < 40; i++)
        assert_int_not_equal(bm_path_below(&thread, a, i),
                             bm_path_below(&thread, b, i));
    for (uint32_t i = 1; i < 40; i++)
        assert_int_not_equal(bm_path_end(&thread, a, 1, i),
                             bm_path_end(&thread, a, 1, i + 1));
}

static void beyond_the_bound(void **state)
{
    uint32_t known = bm_path_below(&thread, BM_PATH_NONE, 11);
    uint32_t frame = 1, other;

    (void)state;
    while (bm_path_below(&thread, known, frame) != BM_PATH_FULL)
        frame++;
    assert_true(frame > 1000 && frame <= MAX_PATHS);
    assert_int_equal(no_records_flags, 0);
    assert_int_equal(bm_path_below(&thread, BM_PATH_NONE, 11), known);
    assert_int_equal(bm_path_below(&thread, BM_PATH_FULL, 1), BM_PATH_FULL);

    other = bm_path_end(&thread, BM_PATH_FULL, 5, 9);
    assert_int_equal(no_records_flags, 1);
    assert_int_equal(bm_path_end(&thread, known, 5, 9), other);
    assert_int_equal(bm_path_site(other), 9);
    assert_true(bm_path_get(other).other);
    assert_int_not_equal(bm_path_end(&thread, BM_PATH_FULL, 5, 10), other);
}

static int begin(void **state)
{
    (void)state;
    bm_paths_init(&thread, MAX_PATHS);
    return bm_path_site(BM_KEY_OTHER) == BM_SITE_OTHER ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_number_each),
        cmocka_unit_test(parents_tell_apart),
        cmocka_unit_test(beyond_the_bound),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
