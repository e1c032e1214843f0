/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/flamegraph.h"

#include "base/error.h"

#include <stdlib.h>

enum {
    KEY_WORST = 0x100,
    KEY_AT,
    KEY_REPORT,
    KEY_DIFF,
    KEY_NATIVE,
    KEY_PROCESS,
    KEY_OPEN,
    KEY_NO_SOURCE,
    KEY_OWN,
    KEY_FOLD,
    KEY_THRESHOLD,
    KEY_DEPTH,
    KEY_TOP,
};

static const struct argp_option options[] = {
    {"worst", KEY_WORST, "METRIC", 0,
     "Take the heaviest benchmark by METRIC: peak, allocated, allocations or "
     "leaked (live at the end); also what is drawn, unless --at says otherwise",
     0},
    {"at", KEY_AT, "MOMENT", 0,
     "Draw the bytes held at the peak (the default), live at the end, or in "
     "total (allocated over time)",
     0},
    {"report", KEY_REPORT, "KIND", 0,
     "flamegraph (the default: an HTML page, or a picture where --output ends "
     "in .svg), or in the terminal table (sites), tree (call paths), summary "
     "(functions) or stats (sizes, kinds, temporary blocks)",
     0},
    {"diff", KEY_DIFF, "BASE", 0,
     "Compare with the same benchmark of BASE, a profile or a folder of them: "
     "red grew, blue shrank",
     0},
    {"native", KEY_NATIVE, NULL, 0,
     "Show stacks through code that benchmem-cc did not compile, frame by "
     "frame; "
     "the profile must have been recorded with native=1",
     0},
    {"process", KEY_PROCESS, NULL, 0,
     "Take the whole process, not one of its benchmarks", 0},
    {"fold", KEY_FOLD, NULL, 0,
     "Fold recursion: a function stands but once on a path (on the page, a "
     "switch that is set)",
     0},
    {"own", KEY_OWN, NULL, 0,
     "Show also frames of benchmem itself and of the C library before main (on "
     "the page, a switch that is set)",
     0},
    {"threshold", KEY_THRESHOLD, "PERCENT", 0,
     "Gather what is below PERCENT of the total (0.001 on the page, 1 in the "
     "tree)",
     0},
    {"depth", KEY_DEPTH, "N", 0, "Levels of the tree, 0 for all (24)", 0},
    {"top", KEY_TOP, "N", 0,
     "Rows of a table, 0 for all (20; all in csv and json)", 0},
    {"no-source", KEY_NO_SOURCE, NULL, 0,
     "Leave the lines of source out of the page", 0},
    {"open", KEY_OPEN, NULL, 0, "Open the result in the browser", 0},
    {0},
};

static const struct bm_example examples[] = {
    {"benchmem-flamegraph bench.bmem",
     "Writes bench.flamegraph.html beside the profile"},
    {"benchmem-flamegraph profiles/ 'bench_sort[n=100]' --open",
     "One benchmark of a folder of profiles, in the browser"},
    {"benchmem-flamegraph profiles/ --worst peak --report summary",
     "The heaviest benchmark: what each function holds of its peak"},
    {"benchmem-flamegraph new.bmem --diff old.bmem -o change.html",
     "What grew and what shrank"},
    {"benchmem-flamegraph bench.bmem -o bench.svg",
     "A picture without scripts, for a README or a CI server"},
    {NULL, NULL},
};

static const char *const worst_names[] = {"peak", "allocated", "allocations",
                                          "leaked", NULL};

static const char *const report_names[] = {
    [BM_FLAME_PAGE] = "flamegraph", [BM_FLAME_TABLE] = "table",
    [BM_FLAME_TREE] = "tree",       [BM_FLAME_SUMMARY] = "summary",
    [BM_FLAME_STATS] = "stats",     NULL,
};

static enum bm_metric parse_at(struct argp_state *state, const char *arg)
{
    static const char *const names[] = {"peak", "end", "total", NULL};
    static const enum bm_metric metrics[] = {BM_METRIC_PEAK, BM_METRIC_LEAKED,
                                             BM_METRIC_ALLOCATED};

    return metrics[bm_option_choice(state, "--at", arg, names)];
}

/* Options that only some kinds of report can follow. */
static void check_report(const struct bm_flame_options *o,
                         struct argp_state *state)
{
    enum {
        PAGE = 1 << BM_FLAME_PAGE,
        TABLE = 1 << BM_FLAME_TABLE,
        TREE = 1 << BM_FLAME_TREE,
        SUMMARY = 1 << BM_FLAME_SUMMARY,
        STATS = 1 << BM_FLAME_STATS,
    };
    const struct {
        bool given;
        unsigned reports;
        const char *message;
    } rules[] = {
        {o->common.format != BM_FORMAT_TABLE, TABLE | TREE | SUMMARY | STATS,
         "--format goes with --report table, tree, summary or stats"},
        {o->open, PAGE, "--open goes with --report flamegraph"},
        {o->no_source, PAGE, "--no-source goes with --report flamegraph"},
        {o->base != NULL, PAGE, "--diff goes with --report flamegraph"},
        {o->threshold >= 0, PAGE | TREE,
         "--threshold goes with --report flamegraph or tree"},
        {o->depth != UINT64_MAX, TREE, "--depth goes with --report tree"},
        {o->top != UINT64_MAX, TABLE | SUMMARY | STATS,
         "--top goes with --report table, summary or stats"},
    };

    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
        if (rules[i].given && !(rules[i].reports & 1u << o->report))
            argp_error(state, "%s", rules[i].message);
    }
}

static void check_usage(const struct bm_flame_options *o,
                        struct argp_state *state)
{
    if (o->args.count > 2)
        argp_error(state, "%s: a profile or folder and an id are enough",
                   o->args.items[2]);
    if (o->args.count > 1 && o->worst_given)
        argp_error(state, "an id and --worst exclude each other");
    check_report(o, state);
}

static error_t parse_flag(int key, struct bm_flame_options *o)
{
    switch (key) {
    case KEY_NATIVE:
        o->native = true;
        return 0;
    case KEY_PROCESS:
        o->process = true;
        return 0;
    case KEY_OPEN:
        o->open = true;
        return 0;
    case KEY_NO_SOURCE:
        o->no_source = true;
        return 0;
    case KEY_OWN:
        o->own_frames = true;
        return 0;
    case KEY_FOLD:
        o->fold = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct bm_flame_options *o = state->input;

    switch (key) {
    case KEY_WORST:
        o->worst = (enum bm_metric)bm_option_choice(state, "--worst", arg,
                                                    worst_names);
        o->worst_given = true;
        return 0;
    case KEY_AT:
        o->at = parse_at(state, arg);
        o->at_given = true;
        return 0;
    case KEY_REPORT:
        o->report = (enum bm_flame_report)bm_option_choice(state, "--report",
                                                           arg, report_names);
        return 0;
    case KEY_DIFF:
        o->base = arg;
        return 0;
    case KEY_THRESHOLD:
        o->threshold = bm_option_percent(state, "--threshold", arg) / 100;
        return 0;
    case KEY_DEPTH:
        o->depth = bm_option_count(state, "--depth", arg);
        return 0;
    case KEY_TOP:
        o->top = bm_option_count(state, "--top", arg);
        return 0;
    case ARGP_KEY_ARG:
        bm_strvec_push(&o->args, arg);
        return 0;
    case ARGP_KEY_SUCCESS:
        check_usage(o, state);
        return 0;
    default:
        return parse_flag(key, o);
    }
}

const struct bm_command bm_flame_command = {
    .name = "benchmem-flamegraph",
    .summary = "draw the call paths that a program's memory came by",
    .arguments = "[PROFILE|FOLDER [ID]]",
    .description =
        "Draws a profile of a program that was built with benchmem-cc, or one "
        "of "
        "its benchmarks, as a flame graph: each box is a function with the "
        "line "
        "of its call, the boxes below it are what it called, the last ones the "
        "places that allocate, and the width is what was held at the peak. "
        "Widths add up to the total exactly.\n\n"
        "ID is the id of a benchmark or a part of it that only one has. A "
        "profile "
        "with one benchmark shows that, any other the whole process. A folder "
        "stands for the profiles in it: without ID or --worst it must hold "
        "one. "
        "Without arguments, the newest run is taken from .benchmem.\n\n"
        "The page is one file that needs no network: it can be searched, "
        "zoomed, "
        "inverted, filtered by thread and switched between metrics. It goes "
        "beside the profile, as NAME.flamegraph.html, unless --output names a "
        "file, and replaces an older one; its name is printed. Sources that "
        "are found are quoted in it, a "
        "line for each box: see --no-source before you share it.",
    .options = options,
    .parse = parse,
    .shares = BM_SHARES_OUTPUT | BM_SHARES_FORMAT,
    .output = "Write to FILE (- is standard output) instead of a page "
              "beside the profile; reports in the terminal go to standard "
              "output without it",
    .examples = examples,
    .see_also = "benchmem-report(1), benchmem-export(1), benchmem-run(1)",
};
