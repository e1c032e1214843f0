/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The command line of benchmem-compare.
 */
#include "tools/compare.h"

#include "base/memory.h"
#include "results/gate_option.h"

#include <stdlib.h>
#include <string.h>

#define DEFAULT_TOP 10

enum {
    KEY_GROUP_BY = 0x100,
    KEY_COLUMNS,
    KEY_STAT,
    KEY_SORT,
    KEY_PIVOT,
    KEY_DIFF,
    KEY_TOP,
    KEY_CSV,
    KEY_FORMAT,
    KEY_FAIL_ON,
    KEY_MAX,
    KEY_TWO_SIDED,
    KEY_STRICT,
    KEY_ALLOW_MISSING,
    KEY_BUDGET,
    KEY_UPDATE_BUDGET,
    KEY_HEADROOM,
    KEY_JUNIT,
    KEY_SARIF,
    KEY_GITHUB,
    KEY_STEP_SUMMARY,
};

enum { GROUP_TABLES = 1, GROUP_LIMITS, GROUP_SERVERS };

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "Tables:", GROUP_TABLES},
    {"columns", KEY_COLUMNS, "LIST", 0,
     "Metrics, with commas between: time, peak, allocated, allocations, "
     "leaked, rss, and extra:NAME for labels (time,peak)",
     0},
    {"stat", KEY_STAT, "LIST", 0,
     "Of the passes: min, max, mean, median, stddev or all (all; min with "
     "--diff)",
     0},
    {"group-by", KEY_GROUP_BY, "LIST", 0,
     "One table for each value of: fullname, name, function, group, file, "
     "param:NAME, or several with commas between (fullname)",
     0},
    {"sort", KEY_SORT, "ORDER", 0,
     "Rows by name, by value (of the last run, the largest first) or by change "
     "(the largest growth first)",
     0},
    {"pivot", KEY_PIVOT, "DIM", 0,
     "Fold one run along a parameter, extra, function, file, group or suite: "
     "its values stand side by side as runs do",
     0},
    {"diff", KEY_DIFF, NULL, 0,
     "The first run's value, and for each later run the change against it", 0},
    {"label", 'l', "TEXT", 0,
     "Call the first run TEXT; again for the second one, and so on", 0},
    {"top", KEY_TOP, "N", 0, "Show N lines that changed, 0 for all (10)", 0},
    {"csv", KEY_CSV, "FILE", 0, "Write exact numbers as CSV into FILE as well",
     0},
    {"format", KEY_FORMAT, "FORMAT", 0,
     "table, md (Markdown), json, csv; or of the last run alone: action "
     "(github-action-benchmark), bencher (Bencher Metric Format), gobench "
     "(for benchstat, which takes one such file for each run)",
     0},
    {NULL, 0, NULL, 0, "Limits:", GROUP_LIMITS},
    {"fail-on", KEY_FAIL_ON, "METRIC:LIMIT", 0,
     "Exit with 1 if the metric grew by more than LIMIT from the first run to "
     "the last: peak:10%, peak:5MiB, allocations:0, leaked:0; with "
     "benchmark:PATTERN:, site:FILE:LINE: or function:PATTERN: in front, of "
     "these alone (can be given several times)",
     0},
    {"max", KEY_MAX, "METRIC:LIMIT", 0,
     "Exit with 1 if the metric of the last run is above LIMIT (can be given "
     "several times)",
     0},
    {"budget", KEY_BUDGET, "FILE", 0,
     "Hold the last run to the largest values in FILE", 0},
    {"update-budget", KEY_UPDATE_BUDGET, NULL, 0,
     "Write the values of the last run into the file of --budget", 0},
    {"headroom", KEY_HEADROOM, "PERCENT", 0,
     "With --update-budget, allow so much more than was measured (0)", 0},
    {"two-sided", KEY_TWO_SIDED, NULL, 0, "Let a decline fail as growth does",
     0},
    {"strict", KEY_STRICT, NULL, 0, "Let benchmarks that are gone fail", 0},
    {"allow-missing-base", KEY_ALLOW_MISSING, NULL, 0,
     "Where the first run is not there, say so and exit with 0", 0},
    {NULL, 0, NULL, 0, "Build servers:", GROUP_SERVERS},
    {"junit", KEY_JUNIT, "FILE", 0, "Write the limits as JUnit XML", 0},
    {"sarif", KEY_SARIF, "FILE", 0, "Write what failed as SARIF 2.1.0", 0},
    {"github", KEY_GITHUB, NULL, 0,
     "Print what failed as annotations of GitHub Actions, and append to its "
     "step summary",
     0},
    {"step-summary", KEY_STEP_SUMMARY, "FILE", 0,
     "Append a summary in Markdown, at most 1 MiB with what is there", 0},
    {0},
};

static const struct bm_example examples[] = {
    {"benchmem-compare baseline last --diff --columns peak",
     "What moved since the run that was saved as baseline"},
    {"benchmem-compare base last --fail-on peak:10% --fail-on allocations:0",
     "For a build server: exit status 1 if anything grew"},
    {"benchmem-compare run.bmem --pivot param:kind --columns peak,allocations",
     "One run, its variants side by side"},
    {"benchmem-compare v1 v2 v3 --diff --sort change --csv out.csv",
     "Several versions, the oldest first"},
    {"benchmem-compare last --budget benchmem.budget",
     "Hold a run to the values committed beside the code"},
    {NULL, NULL},
};

/* -- lists ----------------------------------------------------------------- */

static void add_column(void *input, struct argp_state *state,
                       const char *option, char *part)
{
    struct bm_compare_options *o = input;
    struct bm_compare_column column = {.is_extra = !strncmp(part, "extra:", 6)};

    if (column.is_extra) {
        column.extra = part + 6;
        if (!*column.extra)
            argp_error(state, "%s %s: the name of the label is missing", option,
                       part);
    } else {
        column.measure = (enum bm_measure)bm_option_choice(state, option, part,
                                                           bm_measure_names);
    }
    struct bm_compare_column *columns =
        bm_xcalloc(o->nr_columns + 1, sizeof(*columns));
    if (o->nr_columns)
        memcpy(columns, o->columns, o->nr_columns * sizeof(*columns));
    columns[o->nr_columns++] = column;
    free(o->columns);
    o->columns = columns;
}

static void add_stat(void *input, struct argp_state *state, const char *option,
                     char *part)
{
    struct bm_compare_options *o = input;
    static const char *const names[] = {"min",    "max", "mean", "median",
                                        "stddev", "all", NULL};
    int stat = bm_option_choice(state, option, part, names);

    o->stats_given = true;
    for (int i = 0; i < BM_NR_STATS; i++)
        o->stats[i] |= stat == i || stat == BM_NR_STATS;
}

static void add_dimension(void *input, struct argp_state *state,
                          const char *option, char *part)
{
    struct bm_compare_options *o = input;
    struct bm_dimension *dimensions =
        bm_xcalloc(o->nr_group_by + 1, sizeof(*dimensions));

    if (o->nr_group_by)
        memcpy(dimensions, o->group_by, o->nr_group_by * sizeof(*dimensions));
    if (!bm_dimension_parse(part, &dimensions[o->nr_group_by++]))
        argp_error(state, "%s %s: the name is missing", option, part);
    free(o->group_by);
    o->group_by = dimensions;
}

/* -- options --------------------------------------------------------------- */

static void add_limit(struct bm_compare_options *o, struct argp_state *state,
                      const char *option, const char *arg, bool ceiling)
{
    bm_gates_option(&o->gates, state, option, arg, ceiling);
    if (o->gates.items[o->gates.count - 1].subject == BM_GATE_GROWTH)
        argp_error(state, "%s %s: growth laws are not fitted by this command",
                   option, arg);
}

static void set_file(struct argp_state *state, const char *option, char *arg,
                     const char **file)
{
    if (!*arg)
        argp_error(state, "%s: the name of the file is empty", option);
    *file = arg;
}

static error_t parse_limits(int key, char *arg, struct argp_state *state)
{
    struct bm_compare_options *o = state->input;

    switch (key) {
    case KEY_FAIL_ON:
        add_limit(o, state, "--fail-on", arg, false);
        return 0;
    case KEY_MAX:
        add_limit(o, state, "--max", arg, true);
        return 0;
    case KEY_TWO_SIDED:
        o->gates.two_sided = true;
        return 0;
    case KEY_STRICT:
        o->gates.strict = true;
        return 0;
    case KEY_ALLOW_MISSING:
        o->allow_missing = true;
        return 0;
    case KEY_BUDGET:
        set_file(state, "--budget", arg, &o->budget.path);
        return 0;
    case KEY_UPDATE_BUDGET:
        o->update_budget = true;
        return 0;
    case KEY_HEADROOM:
        if (!bm_budget_headroom(arg, &o->headroom))
            argp_error(state, "--headroom %s: not a percentage", arg);
        return 0;
    case KEY_JUNIT:
        set_file(state, "--junit", arg, &o->junit);
        return 0;
    case KEY_SARIF:
        set_file(state, "--sarif", arg, &o->sarif);
        return 0;
    case KEY_STEP_SUMMARY:
        set_file(state, "--step-summary", arg, &o->step_summary);
        return 0;
    case KEY_GITHUB:
        o->github = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void check(const struct bm_compare_options *o, struct argp_state *state)
{
    if (!o->args.count)
        argp_error(state, "no run is named; name profiles, saved runs or "
                          "folders, the oldest first");
    if (o->pivot && o->args.count > 1)
        argp_error(state, "--pivot folds one run; %zu are named",
                   o->args.count);
    if (o->diff && !o->pivot && o->args.count < 2)
        argp_error(state, "--diff needs two runs, or one and --pivot");
    if (o->labels.count > o->args.count)
        argp_error(state, "--label is given %zu times for %zu run%s",
                   o->labels.count, o->args.count,
                   o->args.count == 1 ? "" : "s");
    if (o->update_budget && !o->budget.path)
        argp_error(state, "--update-budget needs --budget FILE");
    if (o->headroom && !o->update_budget)
        argp_error(state, "--headroom goes with --update-budget");
    if ((o->gates.two_sided || o->gates.strict) && !o->gates.count)
        argp_error(state, "%s needs a limit, as in --fail-on peak:10%%",
                   o->gates.strict ? "--strict" : "--two-sided");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    static const char *const orders[] = {"name", "value", "change", NULL};
    static const char *const formats[] = {
        [BM_COMPARE_TABLE] = "table",     [BM_COMPARE_JSON] = "json",
        [BM_COMPARE_CSV] = "csv",         [BM_COMPARE_MD] = "md",
        [BM_COMPARE_ACTION] = "action",   [BM_COMPARE_BENCHER] = "bencher",
        [BM_COMPARE_GOBENCH] = "gobench", [BM_NR_COMPARE_FORMATS] = NULL,
    };
    struct bm_compare_options *o = state->input;

    switch (key) {
    case KEY_COLUMNS:
        bm_option_parts(state, "--columns", arg, add_column);
        return 0;
    case KEY_STAT:
        bm_option_parts(state, "--stat", arg, add_stat);
        return 0;
    case KEY_GROUP_BY:
        bm_option_parts(state, "--group-by", arg, add_dimension);
        return 0;
    case KEY_SORT:
        o->sort = (enum bm_compare_sort)bm_option_choice(state, "--sort", arg,
                                                         orders);
        return 0;
    case KEY_FORMAT:
        o->format = (enum bm_compare_format)bm_option_choice(state, "--format",
                                                             arg, formats);
        return 0;
    case KEY_PIVOT:
        o->pivot = arg;
        return 0;
    case KEY_DIFF:
        o->diff = true;
        return 0;
    case KEY_TOP:
        o->top = bm_option_count(state, "--top", arg);
        return 0;
    case KEY_CSV:
        set_file(state, "--csv", arg, &o->csv);
        return 0;
    case 'l':
        bm_strvec_push(&o->labels, arg);
        return 0;
    case ARGP_KEY_ARG:
        bm_strvec_push(&o->args, arg);
        return 0;
    case ARGP_KEY_END:
        check(o, state);
        return 0;
    default:
        return parse_limits(key, arg, state);
    }
}

static const struct bm_command command = {
    .name = "benchmem-compare",
    .summary = "put runs side by side, say what grew, and hold them to limits",
    .arguments = "RUN...",
    .description =
        "A RUN is a profile, a saved run, a report in JSON, a folder of "
        "profiles, or the name of a run in .benchmem, which is searched "
        "upwards: baseline, last, or whatever it was saved as. Runs are given "
        "the oldest first.\n\n"
        "Each value is followed by its multiple of the best in its table, "
        "where (1.0) is the best; on a terminal the best is green and the "
        "worst "
        "red. Columns that no run has are left out. One run alone is a plain "
        "table. Of two runs, the lines of source and call paths that changed "
        "are listed too, by the first metric that lines have; lines that only "
        "moved are no change.\n\n"
        "Limits hold the first run against the last, with --pivot the first "
        "value against the last. Growth of exactly the limit passes. Over a "
        "base of 0 any growth fails a percentage. New benchmarks pass. What "
        "cannot be decided is no pass: without a common benchmark, with fewer "
        "than two runs, or if one run lacks the metric, the exit status is 2.",
    .options = options,
    .parse = parse,
    .shares = BM_SHARES_OUTPUT,
    .examples = examples,
    .exit_status = "1 if a limit does not hold; 2 if that cannot be told.",
    .see_also = "benchmem-run(1), benchmem-report(1), benchmem-flamegraph(1)",
};

void bm_compare_parse(struct bm_compare_options *o, int argc, char **argv)
{
    *o = (struct bm_compare_options){
        .args = BM_STRVEC_INIT,
        .labels = BM_STRVEC_INIT,
        .top = DEFAULT_TOP,
    };
    bm_command_parse(&command, argc, argv, &o->common, o);
}

void bm_compare_options_clear(struct bm_compare_options *o)
{
    bm_strvec_clear(&o->args);
    bm_strvec_clear(&o->labels);
    bm_gates_clear(&o->gates);
    bm_budget_clear(&o->budget);
    free(o->group_by);
    free(o->columns);
}
