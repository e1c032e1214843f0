/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Strings and lists that grow, and the arena: their life cycles. */
#include "base/memory.h"
#include "base/str.h"
#include "base/strvec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void a_string_is_terminated_at_every_step(void **state)
{
    struct bm_str s = BM_STR_INIT;

    (void)state;
    assert_string_equal(s.data, "");
    for (int i = 0; i < 1000; i++) {
        bm_str_printf(&s, "%d,", i);
        assert_int_equal(strlen(s.data), s.size);
    }
    bm_str_truncate(&s, 4);
    assert_string_equal(s.data, "0,1,");
    bm_str_add(&s, "x\0y", 3);
    assert_int_equal(s.size, 7);
    bm_str_clear(&s);
    assert_string_equal(s.data, "");
}

static void detaching_leaves_an_empty_string(void **state)
{
    struct bm_str s = BM_STR_INIT;

    (void)state;
    char *empty = bm_str_detach(&s);
    assert_string_equal(empty, "");
    free(empty);
    bm_str_puts(&s, "text");
    char *text = bm_str_detach(&s);
    assert_string_equal(text, "text");
    assert_int_equal(s.size, 0);
    free(text);
}

static void a_list_ends_in_null_at_every_step(void **state)
{
    struct bm_strvec v = BM_STRVEC_INIT;

    (void)state;
    assert_null(v.items[0]);
    for (int i = 99; i >= 0; i--) {
        bm_strvec_pushf(&v, "%02d", i);
        assert_null(v.items[v.count]);
    }
    bm_strvec_sort(&v);
    assert_string_equal(v.items[0], "00");
    assert_string_equal(v.items[99], "99");
    bm_strvec_clear(&v);
    assert_null(v.items[0]);
}

static void an_arena_keeps_what_it_gave(void **state)
{
    struct bm_arena arena = BM_ARENA_INIT;
    char *strings[1000];

    (void)state;
    for (int i = 0; i < 1000; i++)
        strings[i] = bm_arena_printf(&arena, "string number %d", i);
    char *large = bm_arena_alloc(&arena, 1000000);
    assert_int_equal(large[999999], 0);
    assert_int_equal((uintptr_t)large % _Alignof(max_align_t), 0);
    assert_string_equal(strings[0], "string number 0");
    assert_string_equal(strings[999], "string number 999");
    assert_string_equal(bm_arena_strdup(&arena, "x"), "x");
    bm_arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_string_is_terminated_at_every_step),
        cmocka_unit_test(detaching_leaves_an_empty_string),
        cmocka_unit_test(a_list_ends_in_null_at_every_step),
        cmocka_unit_test(an_arena_keeps_what_it_gave),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
