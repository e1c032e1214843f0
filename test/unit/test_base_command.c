/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A command's options, what wrong usage does, and its man page. */
#include "base/command.h"
#include "base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

struct input {
    int fruit;
    uint64_t number;
    double percent;
    char parts[32]; /* each with a '|' behind it */
    int nr_args;
};

static const char *const fruits[] = {"apple", "apricot", "pear", NULL};

static const struct argp_option options[] = {
    {"fruit", 0x100, "FRUIT", 0, "Which fruit", 0},
    {"number", 'n', "N", 0, ".how many, with a\\backslash", 0},
    {"share", 0x102, "N", 0, "How much of it", 0},
    {"list", 0x103, "LIST", 0, "Several", 0},
    {"ripe", 0x101, "0|1", OPTION_ARG_OPTIONAL, "Only ripe ones", 0},
    {0},
};

static void take_part(void *data, struct argp_state *state, const char *option,
                      char *part)
{
    struct input *input = data;

    (void)state;
    assert_string_equal(option, "--list");
    strcat(input->parts, part);
    strcat(input->parts, "|");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct input *input = state->input;

    switch (key) {
    case 0x100:
        input->fruit = bm_option_choice(state, "--fruit", arg, fruits);
        return 0;
    case 'n':
        input->number = bm_option_count(state, "--number", arg);
        return 0;
    case 0x102:
        input->percent = bm_option_percent(state, "--share", arg);
        return 0;
    case 0x103:
        bm_option_parts(state, "--list", arg, take_part);
        return 0;
    case 0x101:
        return 0;
    case ARGP_KEY_ARG:
        input->nr_args++;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct bm_example examples[] = {
    {"benchmem-test --fruit=pear", "A pear"},
    {NULL, NULL},
};

static const struct bm_command command = {
    .name = "benchmem-test",
    .summary = "test the options of commands",
    .arguments = "[FILE...]",
    .description = "First paragraph.\n\n'Second one.",
    .options = options,
    .parse = parse,
    .shares = BM_SHARES_OUTPUT,
    .examples = examples,
    .exit_status = "1 if a gate failed.",
    .see_also = "benchmem-report(1)",
};

static void run(struct bm_common *common, struct input *input, char **argv)
{
    int argc = 0;

    while (argv[argc])
        argc++;
    *input = (struct input){0};
    bm_command_parse(&command, argc, argv, common, input);
}
#define RUN(common, input, ...)                                                \
    run(common, input, (char *[]){(char *)"benchmem-test", __VA_ARGS__, NULL})

static void own_and_shared_options_are_read(void **state)
{
    struct bm_common common;
    struct input input;

    (void)state;
    RUN(&common, &input, "--fruit", "pear", "a", "-n7", "-fq", "b", "-o",
        "x.txt", "--color=never");
    assert_int_equal(input.fruit, 2);
    assert_int_equal(input.number, 7);
    assert_int_equal(input.nr_args, 2);
    assert_string_equal(common.output, "x.txt");
    assert_true(common.force);
    assert_true(common.quiet);
    assert_false(common.verbose);
    assert_int_equal(common.color, BM_COLOR_NEVER);
}

static void choices_can_be_shortened_while_they_are_clear(void **state)
{
    struct bm_common common;
    struct input input;

    (void)state;
    RUN(&common, &input, "--fruit", "p");
    assert_int_equal(input.fruit, 2);
    RUN(&common, &input, "--fruit", "app");
    assert_int_equal(input.fruit, 0);
}

static void lists_and_percentages_are_read(void **state)
{
    char list[] = "a,bc", one[] = "d";
    struct bm_common common;
    struct input input;

    (void)state;
    RUN(&common, &input, "--share", "2.5", "--list", list, "--list", one);
    assert_true(input.percent == 2.5);
    assert_string_equal(input.parts, "a|bc|d|");
    RUN(&common, &input, "--share", "100%");
    assert_true(input.percent == 100);
}

/* Exit status of the command in a child, whose messages go nowhere. */
static int status_of(char **argv)
{
    int status;
    pid_t child = fork();

    if (!child) {
        struct bm_common common;
        struct input input;

        if (!freopen("/dev/null", "w", stdout) ||
            !freopen("/dev/null", "w", stderr))
            _exit(99);
        run(&common, &input, argv);
        _exit(100);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}
#define STATUS(...)                                                            \
    status_of((char *[]){(char *)"benchmem-test", __VA_ARGS__, NULL})

static void wrong_usage_is_status_2(void **state)
{
    char hollow[] = "a,,b";

    (void)state;
    assert_int_equal(STATUS("--no-such-option"), 2);
    assert_int_equal(STATUS("--fruit"), 2);
    assert_int_equal(STATUS("--fruit", "ap"), 2); /* two begin so */
    assert_int_equal(STATUS("--fruit", ""), 2);
    assert_int_equal(STATUS("--fruit", "plum"), 2);
    assert_int_equal(STATUS("--number", "x"), 2);
    assert_int_equal(STATUS("--color", "sometimes"), 2);
    assert_int_equal(STATUS("--share", "101"), 2);
    assert_int_equal(STATUS("--share", "-1"), 2);
    assert_int_equal(STATUS("--share", "nan"), 2);
    assert_int_equal(STATUS("--share", "%"), 2);
    assert_int_equal(STATUS("--share", "5%%"), 2);
    assert_int_equal(STATUS("--list", hollow), 2);
    assert_int_equal(STATUS("--list", ""), 2);
    /* It is not among the options that this command shares. */
    assert_int_equal(STATUS("--format", "json"), 2);
}

static void help_and_version_are_status_0(void **state)
{
    (void)state;
    assert_int_equal(STATUS("--help"), 0);
    assert_int_equal(STATUS("--version"), 0);
    assert_int_equal(STATUS("--usage"), 0);
}

static void the_man_page_has_every_option(void **state)
{
    static const char *const parts[] = {
        ".TH BENCHMEM\\-TEST 1 \"\" \"benchmem " BENCHMEM_VERSION
        "\" \"User Commands\"\n",
        ".SH NAME\nbenchmem\\-test \\- test the options of commands\n",
        ".SH SYNOPSIS\n\\fBbenchmem\\-test\\fR [\\fIOPTION\\fR]... "
        "[FILE...]\n",
        "First paragraph.\n.PP\n\\&'Second one.\n",
        ".TP\n\\fB\\-\\-fruit\\fR=\\fIFRUIT\\fR\nWhich fruit.\n",
        ".TP\n\\fB\\-n\\fR \\fIN\\fR, \\fB\\-\\-number\\fR=\\fIN\\fR\n"
        "\\&.how many, with a\\ebackslash.\n",
        ".TP\n\\fB\\-\\-ripe\\fR[=\\fI0|1\\fR]\nOnly ripe ones.\n",
        "\\fB\\-o\\fR \\fIFILE\\fR, \\fB\\-\\-output\\fR=\\fIFILE\\fR\n",
        "\\fB\\-\\-help\\fR\n",
        "1 if a gate failed.\n",
        ".TP\n\\fBbenchmem\\-test \\-\\-fruit=pear\\fR\nA pear.\n",
        ".SH SEE ALSO\nbenchmem\\-report(1)\n",
    };
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);

    (void)state;
    bm_manpage_write(&command, file);
    fclose(file);
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (!strstr(text, parts[i]))
            fail_msg("not in the page: %s", parts[i]);
    }
    assert_null(strstr(text, "man\\-page"));
    assert_null(strstr(text, "format"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_and_shared_options_are_read),
        cmocka_unit_test(choices_can_be_shortened_while_they_are_clear),
        cmocka_unit_test(lists_and_percentages_are_read),
        cmocka_unit_test(wrong_usage_is_status_2),
        cmocka_unit_test(help_and_version_are_status_0),
        cmocka_unit_test(the_man_page_has_every_option),
    };

    /* Options may stand behind operands: not so where this is set. */
    unsetenv("POSIXLY_CORRECT");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
