/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * benchmem-report as its users run it: in a folder of its own, on samples of
 * report_sample.h that are written there. REPORT is the path of the command.
 */
#ifndef BENCHMEM_TEST_RUN_REPORT_H
#define BENCHMEM_TEST_RUN_REPORT_H

#include "in_folder.h"
#include "report_sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static inline void write_sample(const char *path)
{
    struct builder b;
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    sample_build(&b);
    assert_int_equal(fwrite(b.bytes.data, 1, b.bytes.size, file), b.bytes.size);
    assert_int_equal(fclose(file), 0);
    builder_clear(&b);
}

static inline void write_profile(const char *path, struct bm_profile *profile)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_int_equal(bm_profile_write(profile, fileno(file)), 0);
    assert_int_equal(fclose(file), 0);
    bm_profile_free(profile);
}

/* Standard output; "!N: " and the errors where the status is N, not 0. */
static inline char *run(const char *arguments)
{
    struct bm_str script = BM_STR_INIT, out = BM_STR_INIT;
    struct bm_process_end end;

    bm_str_printf(&script, "'%s' %s 2>errors", REPORT, arguments);
    char *const argv[] = {(char *)"sh", (char *)"-c", script.data, NULL};
    assert_int_equal(bm_process_capture(argv, &out, &end), 0);
    if (end.status) {
        char *errors = file_read("errors");
        bm_str_printf(&out, "!%d: %s", end.status, errors);
        free(errors);
    }
    bm_str_clear(&script);
    return bm_str_detach(&out);
}

static inline void assert_output(const char *arguments, const char *expected)
{
    char *out = run(arguments);

    assert_string_equal(out, expected);
    free(out);
}

static inline void assert_has(const char *arguments, const char *part)
{
    char *out = run(arguments);

    if (!strstr(out, part))
        fail_msg("%s: \"%s\" is not in:\n%s", arguments, part, out);
    free(out);
}

static inline void assert_lacks(const char *arguments, const char *part)
{
    char *out = run(arguments);

    if (strstr(out, part))
        fail_msg("%s: \"%s\" is in:\n%s", arguments, part, out);
    free(out);
}

static inline int enter(void **state)
{
    setenv("TZ", "UTC", 1);
    unsetenv("COLUMNS");
    unsetenv("CLICOLOR_FORCE");
    return folder_enter(state);
}
#define IN_FOLDER(test)                                                        \
    cmocka_unit_test_setup_teardown(test, enter, folder_leave)

#endif
