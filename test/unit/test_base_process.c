/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Other programs: their output, how they ended, and what they do not inherit.
 */
#include "base/process.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct bm_process_end run_shell(const char *script, struct bm_str *out)
{
    char *const argv[] = {(char *)"sh", (char *)"-c", (char *)script, NULL};
    struct bm_process_end end;

    assert_int_equal(bm_process_capture(argv, out, &end), 0);
    return end;
}

static void output_and_status_come_back(void **state)
{
    struct bm_str out = BM_STR_INIT;

    (void)state;
    struct bm_process_end end = run_shell("echo text; exit 3", &out);
    assert_string_equal(out.data, "text\n");
    assert_int_equal(end.status, 3);
    assert_int_equal(end.signal, 0);
    assert_int_equal(bm_process_shell_status(&end), 3);
    bm_str_clear(&out);
}

static void long_output_comes_whole(void **state)
{
    struct bm_str out = BM_STR_INIT;

    (void)state;
    run_shell("i=0; while [ $i -lt 20000 ]; do echo 123456789; "
              "i=$((i+1)); done",
              &out);
    assert_int_equal(out.size, 200000);
    bm_str_clear(&out);
}

static void a_signal_is_told(void **state)
{
    struct bm_str out = BM_STR_INIT;

    (void)state;
    struct bm_process_end end = run_shell("kill -9 $$", &out);
    assert_int_equal(end.status, -1);
    assert_int_equal(end.signal, 9);
    assert_int_equal(bm_process_shell_status(&end), 137);
    bm_str_clear(&out);
}

static void a_program_that_is_not_there_is_an_error(void **state)
{
    char *const argv[] = {(char *)"/no/such/program", NULL};
    struct bm_process_end end;

    (void)state;
    assert_int_equal(bm_process_run(argv, &end), -1);
    assert_int_equal(errno, ENOENT);
}

static void only_standard_descriptors_are_inherited(void **state)
{
    struct bm_str out = BM_STR_INIT;

    (void)state;
    /* Only ours are meant, not what the test was started with. */
    assert_int_equal(close_range(3, ~0u, 0), 0);
    /* ls itself opens one to read the folder. */
    run_shell("ls /proc/self/fd | wc -l", &out);
    assert_string_equal(out.data + strspn(out.data, " "), "4\n");
    bm_str_clear(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(output_and_status_come_back),
        cmocka_unit_test(long_output_comes_whole),
        cmocka_unit_test(a_signal_is_told),
        cmocka_unit_test(a_program_that_is_not_there_is_an_error),
        cmocka_unit_test(only_standard_descriptors_are_inherited),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
