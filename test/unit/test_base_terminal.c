/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Colour and width: every environment that decides, where fd is no terminal. */
#include "base/terminal.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static void set(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

static void colours_follow_option_then_environment(void **state)
{
    static const struct {
        enum bm_color option;
        const char *no_color, *force, *term;
        bool color;
    } cases[] = {
        {BM_COLOR_AUTO, NULL, NULL, "xterm", false},
        {BM_COLOR_AUTO, NULL, "1", "xterm", true},
        {BM_COLOR_AUTO, NULL, "1", NULL, true},
        {BM_COLOR_AUTO, NULL, "0", "xterm", false},
        {BM_COLOR_AUTO, NULL, "", "xterm", false},
        {BM_COLOR_AUTO, "1", "1", "xterm", false},
        {BM_COLOR_AUTO, "", "1", "xterm", true},
        {BM_COLOR_ALWAYS, "1", NULL, "dumb", true},
        {BM_COLOR_NEVER, NULL, "1", "xterm", false},
    };
    int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        set("NO_COLOR", cases[i].no_color);
        set("CLICOLOR_FORCE", cases[i].force);
        set("TERM", cases[i].term);
        if (bm_terminal_of(fd, cases[i].option).color != cases[i].color)
            fail_msg("case %zu", i);
    }
    close(fd);
}

static void a_terminal_has_colours_unless_it_is_dumb(void **state)
{
    int terminal = posix_openpt(O_RDWR | O_NOCTTY);

    (void)state;
    if (terminal < 0)
        skip();
    set("NO_COLOR", NULL);
    set("CLICOLOR_FORCE", NULL);
    set("TERM", "xterm");
    assert_true(bm_terminal_of(terminal, BM_COLOR_AUTO).color);
    set("TERM", "dumb");
    assert_false(bm_terminal_of(terminal, BM_COLOR_AUTO).color);
    set("TERM", NULL);
    assert_false(bm_terminal_of(terminal, BM_COLOR_AUTO).color);
    close(terminal);
}

static void width_is_that_of_columns(void **state)
{
    static const struct {
        const char *columns;
        size_t width;
    } cases[] = {
        {NULL, 0}, {"80", 80}, {"0", 0}, {"x", 0}, {"", 0}, {"999999", 0},
    };
    int fd = open("/dev/null", O_RDWR | O_CLOEXEC);

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        set("COLUMNS", cases[i].columns);
        assert_int_equal(bm_terminal_of(fd, BM_COLOR_AUTO).width,
                         cases[i].width);
    }
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colours_follow_option_then_environment),
        cmocka_unit_test(a_terminal_has_colours_unless_it_is_dumb),
        cmocka_unit_test(width_is_that_of_columns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
