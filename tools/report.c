/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * benchmem-report: tables of what a profile holds.
 */
#include "tools/report.h"

#include "base/error.h"
#include "base/output.h"
#include "results/gate_option.h"
#include "tools/coverage.h"

#include <stdlib.h>

enum {
    KEY_WORST = 0x100,
    KEY_BY,
    KEY_TOP,
    KEY_BENCHMARK,
    KEY_SOURCE,
    KEY_ELIDED,
    KEY_CHARGE,
    KEY_WRAPPER,
    KEY_MAX,
    KEY_COVERAGE,
    KEY_LCOV,
    KEY_FAIL_UNDER,
    KEY_FAIL_NEW,
    KEY_BINARY,
    KEY_INVENTORY,
};

static const struct argp_option options[] = {
    {"worst", KEY_WORST, "METRIC", 0,
     "Rank rows by METRIC: peak (bytes held at the moment of the peak, the "
     "default), allocated, allocations, leaked (live at exit), temporary or "
     "saves (how far the peak falls without the row, if that was recorded with "
     "saves=1); with benchmem-cc --benchmem-access also untouched (bytes "
     "neither written nor read), never-written, never-read (written and not "
     "read) or idle (of blocks kept long after their last use). "
     "Over a "
     "folder, or several benchmarks that --benchmark fits, take the heaviest",
     0},
    {"by", KEY_BY, "PROPERTY", 0,
     "One row for each site (the default), function, file, type, module, "
     "benchmark, path or thread",
     0},
    {"top", KEY_TOP, "N", 0,
     "Show N rows, 0 for all (10 in table and md, all in csv and json)", 0},
    {"benchmark", KEY_BENCHMARK, "ID", 0,
     "Show one benchmark alone: its exact id, or a part that only one has", 0},
    {"source", KEY_SOURCE, NULL, 0,
     "Show the line of source beside each site, where the file is found", 0},
    {"elided", KEY_ELIDED, NULL, 0,
     "List the allocation calls that the optimizer removed", 0},
    {"charge", KEY_CHARGE, "WHOM", 0,
     "Charge blocks of allocating wrappers to their site (the default) or to "
     "the "
     "wrapper's caller; totals are equal",
     0},
    {"wrapper", KEY_WRAPPER, "NAME", 0,
     "Take functions that fit the pattern NAME for wrappers too, and charge "
     "callers (can be given several times)",
     0},
    {"max", KEY_MAX, "METRIC:LIMIT", 0,
     "Exit with 1 if a benchmark's metric is above LIMIT, as in peak:5MiB or "
     "site:parser.c:88:peak:1k; without benchmarks, the process's (can be "
     "given several times)",
     0},
    {"coverage", KEY_COVERAGE, NULL, 0,
     "Show which allocation calls no benchmark reached, out of those in the "
     "program and its libraries; without benchmarks, those that the process "
     "did not",
     0},
    {"lcov", KEY_LCOV, "FILE", 0,
     "With --coverage: write it to FILE for genhtml and others as well", 0},
    {"fail-under", KEY_FAIL_UNDER, "N", 0,
     "With --coverage: exit with 1 if less than N percent was reached", 0},
    {"fail-new-uncovered", KEY_FAIL_NEW, "BASE", 0,
     "With --coverage: exit with 1 if a call was not reached that is none of "
     "those not reached in BASE, a JSON of --coverage or a profile",
     0},
    {"binary", KEY_BINARY, "FILE", 0,
     "With --coverage: take the calls of FILE too, a library of which none was "
     "reached, or the program that ran where it lies elsewhere now (can be "
     "given several times)",
     0},
    {"inventory", KEY_INVENTORY, "FILE", 0,
     "With --coverage: list the calls too that the sources have but no binary; "
     "FILE is what benchmem-sites --format json wrote",
     0},
    {0},
};

static const struct bm_example examples[] = {
    {"benchmem-report", "The newest run below .benchmem"},
    {"benchmem-report --worst allocated --top 20 bench.bmem",
     "The twenty sites that allocated most"},
    {"benchmem-report --by type --benchmark 'bench_sort[n=100]'",
     "What types one benchmark held at its peak"},
    {"benchmem-report --by path --worst leaked",
     "How the blocks came about that were live at exit"},
    {"benchmem-report --coverage --fail-under 80",
     "Which allocation calls the benchmarks leave out"},
    {"benchmem-report --format json -o report.json",
     "Everything, with exact numbers"},
    {NULL, NULL},
};

/* Options of coverage; ARGP_ERR_UNKNOWN for others. */
static error_t parse_coverage(int key, char *arg, struct argp_state *state)
{
    struct bm_report *report = state->input;
    struct bm_coverage_options *coverage = &report->coverage;

    switch (key) {
    case KEY_COVERAGE:
        coverage->wanted = true;
        return 0;
    case KEY_LCOV:
        coverage->lcov = arg;
        return 0;
    case KEY_FAIL_UNDER:
        coverage->share = bm_option_percent(state, "--fail-under", arg);
        coverage->share_given = true;
        return 0;
    case KEY_FAIL_NEW:
        coverage->base = arg;
        return 0;
    case KEY_INVENTORY:
        coverage->inventory = arg;
        return 0;
    case KEY_BINARY:
        bm_strvec_push(&coverage->binaries, arg);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* No option is taken and then left aside. */
static void check_together(const struct bm_report *report,
                           struct argp_state *state)
{
    const struct bm_coverage_options *coverage = &report->coverage;

    if (coverage->wanted &&
        (report->metric_given || report->by != BM_BY_SITE || report->source ||
         report->elided || report->callers || report->limits.count))
        argp_error(state, "--coverage goes with --benchmark, --top and its own "
                          "options only");
    if (report->metric == BM_METRIC_SAVES && !bm_ranking_has_saves(report->by))
        argp_error(state,
                   "--worst saves is known by site, function and type, "
                   "not by %s",
                   bm_by_names[report->by]);
    if (!coverage->wanted &&
        (coverage->lcov || coverage->base || coverage->share_given ||
         coverage->inventory || coverage->binaries.count))
        argp_error(state, "--lcov, --fail-under, --fail-new-uncovered, "
                          "--inventory and --binary need --coverage");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    static const char *const whom[] = {"site", "caller", NULL};
    struct bm_report *report = state->input;

    switch (key) {
    case KEY_WORST:
        report->metric = (enum bm_metric)bm_option_choice(state, "--worst", arg,
                                                          bm_rank_names);
        report->metric_given = true;
        return 0;
    case KEY_BY:
        report->by =
            (enum bm_by)bm_option_choice(state, "--by", arg, bm_by_names);
        return 0;
    case KEY_TOP:
        report->top = bm_option_count(state, "--top", arg);
        report->top_given = true;
        return 0;
    case KEY_BENCHMARK:
        report->benchmark = arg;
        return 0;
    case KEY_SOURCE:
        report->source = true;
        return 0;
    case KEY_ELIDED:
        report->elided = true;
        return 0;
    case KEY_CHARGE:
        report->callers = bm_option_choice(state, "--charge", arg, whom) == 1;
        return 0;
    case KEY_WRAPPER:
        bm_strvec_push(&report->wrappers, arg);
        report->callers = true;
        return 0;
    case KEY_MAX:
        bm_gates_option(&report->limits, state, "--max", arg, true);
        return 0;
    case ARGP_KEY_ARG:
        bm_strvec_push(&report->args, arg);
        return 0;
    case ARGP_KEY_END:
        check_together(report, state);
        return 0;
    default:
        return parse_coverage(key, arg, state);
    }
}

static const struct bm_command command = {
    .name = "benchmem-report",
    .summary = "show how much memory a program used and which lines held it",
    .arguments = "[PROFILE|FOLDER...]",
    .description =
        "Reads profiles that programs built with benchmem-cc leave when they "
        "run. A folder stands for the profiles in it. Without arguments, the "
        "newest run is taken from .benchmem, which is searched in the current "
        "folder and above.\n\n"
        "All sizes are bytes requested from the allocator. Tables show them in "
        "binary units (KiB is 1024 bytes) with one decimal; csv and json "
        "have exact numbers. The shares of rows ranked by peak are what each "
        "held at the moment of the peak, so they add up to it; the own peak "
        "of a site is another column, whose sum means nothing. In C++, what "
        "a system header allocated is charged to the line that called it.\n\n"
        "Where a terminal is too narrow, columns are left out: own peak, kind, "
        "live at exit, type.",
    .options = options,
    .parse = parse,
    .shares = BM_SHARES_OUTPUT | BM_SHARES_FORMAT,
    .examples = examples,
    .exit_status = "1 if a limit of --max, --fail-under or "
                   "--fail-new-uncovered does not hold; 2 if that cannot be "
                   "told.",
    .see_also = "benchmem-cc(1), benchmem-run(1), benchmem-compare(1), "
                "benchmem-flamegraph(1), benchmem-export(1)",
};

static void write_report(const struct bm_report *report, struct bm_views *views,
                         FILE *file)
{
    switch (report->common.format) {
    case BM_FORMAT_JSON:
        bm_report_json(views, file);
        return;
    case BM_FORMAT_CSV:
        bm_report_csv(views, file);
        return;
    default:
        break;
    }
    struct bm_terminal terminal =
        bm_terminal_of(fileno(file), report->common.color);
    bm_report_text(views, file, &terminal);
}

/* Each profile for itself. 0, 1 if a limit does not hold, -1 after an error. */
static int hold_limits(const struct bm_report *report,
                       const struct bm_inputs *inputs)
{
    int result = 0;

    for (size_t i = 0; result >= 0 && i < inputs->count; i++) {
        struct bm_run *run = bm_run_from(inputs->items[i].profile);
        struct bm_joined joined;
        struct bm_gate_report held;

        bm_join_runs(&joined, &run, 1);
        if (bm_gates_hold(&report->limits, &joined, &held))
            result = -1;
        else
            result |= held.nr_failed > 0;
        if (result >= 0 && (held.nr_failed || !report->common.quiet))
            bm_gates_tell(&held, stderr);
        bm_gate_report_clear(&held);
        bm_joined_clear(&joined);
        bm_run_free(run);
    }
    return result;
}

/* What a run's other processes reached was reached. */
static void add_others(struct bm_inputs *inputs)
{
    struct bm_strvec all = BM_STRVEC_INIT;
    bool others = false;

    for (size_t i = 0; i < inputs->count; i++) {
        const struct bm_input *input = &inputs->items[i];

        bm_strvec_push(&all, input->path);
        for (size_t n = 0; n < input->others.count; n++)
            bm_strvec_push(&all, input->others.items[n]);
        others |= input->others.count > 0;
    }
    if (others) {
        bm_inputs_clear(inputs);
        bm_inputs_find(inputs, &all);
    }
    bm_strvec_clear(&all);
}

int main(int argc, char **argv)
{
    struct bm_report report = {
        .args = BM_STRVEC_INIT,
        .wrappers = BM_STRVEC_INIT,
        .coverage.binaries = BM_STRVEC_INIT,
    };
    struct bm_inputs inputs = BM_INPUTS_INIT;
    struct bm_views views = {NULL, 0};
    struct bm_output output;
    int failed = -1, held = 0, status = -1;

    bm_command_parse(&command, argc, argv, &report.common, &report);
    if (bm_output_open(&output, report.common.output, report.common.force))
        goto out;
    bm_inputs_find(&inputs, &report.args);
    if (report.coverage.wanted)
        add_others(&inputs);
    failed = bm_inputs_read(&inputs);
    if (!inputs.count) {
        bm_output_abandon(&output);
        goto out;
    }
    if (report.coverage.wanted) {
        status = bm_report_coverage(&report, &inputs, &output, failed != 0);
        goto out;
    }
    bm_views_init(&views, &report, &inputs);
    write_report(&report, &views, output.file);
    failed |= bm_output_close(&output);
    if (report.limits.count)
        held = hold_limits(&report, &inputs);

out:
    bm_views_clear(&views);
    bm_inputs_clear(&inputs);
    bm_strvec_clear(&report.args);
    bm_strvec_clear(&report.wrappers);
    bm_strvec_clear(&report.coverage.binaries);
    bm_gates_clear(&report.limits);
    if (status >= 0)
        return status;
    return failed || held < 0 ? BM_EXIT_USAGE
           : held             ? BM_EXIT_GATE
                              : BM_EXIT_OK;
}
