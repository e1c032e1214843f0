/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * benchmem-bisect: one step of `git bisect run`, decided by limits.
 */
#include "base/command.h"
#include "base/error.h"
#include "results/gate_option.h"
#include "tools/trial.h"

#include <stdlib.h>

/* What git bisect makes of exit statuses: 0 good, 1 bad, 125 skip; from 128 on
   it stops, which is right where the command itself is at fault. */
enum {
    GOOD = 0,
    BAD = 1,
    SKIP = 125,
    STOP = 129,
};

enum {
    KEY_BASE = 0x100,
    KEY_FAIL_ON,
    KEY_MAX,
    KEY_TWO_SIDED,
    KEY_BUILD,
    KEY_RUN,
};

struct bisect_options {
    struct bm_common common;
    const char *base;
    const char *build;
    const char *command;
    struct bm_gates gates;
    bool any_relative; /* some limit is about growth */
};

static const struct argp_option options[] = {
    {"base", KEY_BASE, "RUN", 0,
     "The run of a good revision, for limits of growth (saved by benchmem-run "
     "--save or benchmem-sweep)",
     0},
    {"fail-on", KEY_FAIL_ON, "METRIC:LIMIT", 0,
     "Bad is what grew by more, as for benchmem-compare", 0},
    {"max", KEY_MAX, "METRIC:LIMIT", 0, "Bad is what is larger", 0},
    {"two-sided", KEY_TWO_SIDED, NULL, 0, "Bad is also what shrank by more", 0},
    {"build", KEY_BUILD, "COMMAND", 0, "Builds the revision, by the shell", 0},
    {"run", KEY_RUN, "COMMAND", 0, "Runs it; its profiles are the run", 0},
    {0},
};

static const struct bm_example examples[] = {
    {"git bisect start HEAD v1.0", "HEAD is bad, v1.0 was good"},
    {"git bisect run benchmem-bisect --base v1.0 --fail-on peak:10% --run "
     "./try",
     "The commit that made a peak grow by a tenth; try builds and runs"},
    {NULL, NULL},
};

static void add_limit(struct bisect_options *o, struct argp_state *state,
                      const char *option, const char *arg, bool ceiling)
{
    bm_gates_option(&o->gates, state, option, arg, ceiling);
    o->any_relative |= !ceiling;
}

static void check_usage(const struct bisect_options *o,
                        struct argp_state *state)
{
    if (!o->command)
        argp_error(state, "nothing to run: give the command with --run");
    if (!o->gates.count)
        argp_error(state, "nothing to decide by: give --fail-on or --max");
    if (o->any_relative && !o->base)
        argp_error(state, "--fail-on needs a run to hold against: --base");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct bisect_options *o = state->input;

    switch (key) {
    case KEY_BASE:
        o->base = arg;
        return 0;
    case KEY_FAIL_ON:
        add_limit(o, state, "--fail-on", arg, false);
        return 0;
    case KEY_MAX:
        add_limit(o, state, "--max", arg, true);
        return 0;
    case KEY_TWO_SIDED:
        o->gates.two_sided = true;
        return 0;
    case KEY_BUILD:
        o->build = arg;
        return 0;
    case KEY_RUN:
        o->command = arg;
        return 0;
    case ARGP_KEY_ARG:
        argp_error(state, "%s: commands go into --build and --run", arg);
        return 0;
    case ARGP_KEY_SUCCESS:
        check_usage(o, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct bm_command command = {
    .name = "benchmem-bisect",
    .summary = "decide a step of git bisect by memory limits",
    .arguments = "",
    .description =
        "Builds and runs the revision that is checked out in the current "
        "folder, holds its run to limits and ends as git bisect run wants it. "
        "Both commands find this benchmem first in PATH. What was measured and "
        "which limit failed is printed.",
    .options = options,
    .parse = parse,
    .examples = examples,
    .usage_status = STOP,
    .exit_status =
        "0 where every limit holds (good), 1 where one fails (bad), 125 where "
        "the revision cannot be built or run, or has nothing to hold to the "
        "limits (skip), 129 on wrong usage or an unreadable base, which stops "
        "the bisection.",
    .see_also = "benchmem-compare(1), benchmem-sweep(1), git-bisect(1)",
};

static int decide(struct bisect_options *o, struct bm_run *base,
                  struct bm_run *head)
{
    struct bm_run *runs[] = {base ? base : head, head};
    struct bm_joined joined = {0};
    struct bm_gate_report report = {0};

    bm_join_runs(&joined, runs, 2);
    int status = SKIP;
    if (!bm_gates_hold(&o->gates, &joined, &report))
        status = report.nr_failed ? BAD : GOOD;
    for (size_t i = 0; i < report.count; i++) {
        const struct bm_check *check = &report.checks[i];

        if (check->verdict == BM_VERDICT_FAIL)
            printf("bad: %s: %s\n",
                   check->subject ? check->subject
                   : check->id    ? check->id
                                  : "the process",
                   check->text);
    }
    if (status == GOOD)
        printf("good: %zu within the limits\n", report.nr_passed);
    bm_gate_report_clear(&report);
    bm_joined_clear(&joined);
    return status;
}

int main(int argc, char **argv)
{
    struct bisect_options o = {0};
    struct bm_run *base = NULL;
    int status = SKIP;

    bm_command_parse(&command, argc, argv, &o.common, &o);
    if (o.base) {
        base = bm_run_load(o.base, NULL);
        if (!base)
            return STOP;
    }
    struct bm_trial trial = {
        .folder = ".",
        .build = o.build,
        .command = o.command,
    };
    bm_trial_run(&trial);
    if (trial.outcome == BM_TRIAL_OK)
        status = decide(&o, base, trial.run);
    else
        printf("skip: %s\n", trial.why.data);
    bm_trial_clear(&trial);
    bm_run_free(base);
    bm_gates_clear(&o.gates);
    return status;
}
