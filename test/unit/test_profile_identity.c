/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The number of a benchmark: what gives the same, and what another one. */
#include "profile/identity.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static uint64_t identity(const char *file, const char *name, const char *param,
                         uint64_t bits, const char *text)
{
    uint64_t hash = bm_identity_begin(file, name);

    if (param)
        hash = bm_identity_param(hash, param, bits, text);
    return bm_identity_end(hash);
}

/* The recorder has the program's bytes, a reader has them escaped. */
static void text_is_the_same_before_and_after_packing(void **state)
{
    static const char *const pairs[][2] = {
        {"a\xff", "a\\xff"},
        {"\xff\xfe", "\\xff\\xfe"},
        {"\xc3(", "\\xc3("},
        {"gr\xc3\xb6\xc3\x9f"
         "e",
         "gr\xc3\xb6\xc3\x9f"
         "e"},
        {"", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
        for (unsigned where = 0; where < 3; where++) {
            uint64_t of[2];

            for (unsigned side = 0; side < 2; side++) {
                const char *text = pairs[i][side];

                of[side] = identity(where == 0 ? text : "f.c",
                                    where == 1 ? text : "bench_f", "s", 0,
                                    where == 2 ? text : "x");
            }
            assert_true(of[0] == of[1]);
        }
}

static void whatever_differs_makes_another(void **state)
{
    const uint64_t all[] = {
        identity("f.c", "bench_f", NULL, 0, NULL),
        identity("g.c", "bench_f", NULL, 0, NULL),
        identity(NULL, "bench_f", NULL, 0, NULL),
        identity("f.c", "bench_g", NULL, 0, NULL),
        identity("f.cbench_f", "", NULL, 0, NULL),
        identity("f.c", "bench_f", "n", 0, NULL),
        identity("f.c", "bench_f", "m", 0, NULL),
        identity("f.c", "bench_f", "n", 1, NULL),
        identity("f.c", "bench_f", "n", UINT64_C(1) << 63, NULL),
        identity("f.c", "bench_f", "n", 0, ""),
        identity("f.c", "bench_f", "n", 0, "n"),
    };

    (void)state;
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        assert_true(all[i] != 0);
        for (size_t j = 0; j < i; j++)
            assert_true(all[i] != all[j]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_the_same_before_and_after_packing),
        cmocka_unit_test(whatever_differs_makes_another),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
