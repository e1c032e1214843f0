/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * benchmem-flamegraph: the call paths that a program's memory came by.
 */
#include "tools/flamegraph.h"

#include "base/error.h"
#include "base/locate.h"
#include "base/output.h"
#include "base/process.h"
#include "tools/page.h"

#include <stdlib.h>
#include <string.h>

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
     "Fold recursion: a function stands but once on a path (a switch on the "
     "page)",
     0},
    {"own", KEY_OWN, NULL, 0,
     "Show also frames of benchmem itself and of the C library before main (a "
     "switch on the page)",
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

static double parse_percent(struct argp_state *state, const char *arg)
{
    char *end = NULL;
    double percent = strtod(arg, &end);

    if (end && *end == '%')
        end++;
    if (end == arg || *end || !(percent >= 0 && percent <= 100))
        argp_error(state, "--threshold %s: not a percentage", arg);
    return percent / 100;
}

static enum bm_metric parse_at(struct argp_state *state, const char *arg)
{
    static const char *const names[] = {"peak", "end", "total", NULL};
    static const enum bm_metric metrics[] = {BM_METRIC_PEAK, BM_METRIC_LEAKED,
                                             BM_METRIC_ALLOCATED};

    return metrics[bm_option_choice(state, "--at", arg, names)];
}

static void check_usage(const struct bm_flame_options *o,
                        struct argp_state *state)
{
    if (o->args.count > 2)
        argp_error(state, "%s: a profile or folder and an id are enough",
                   o->args.items[2]);
    if (o->args.count > 1 && o->worst_given)
        argp_error(state, "an id and --worst exclude each other");
    if (o->report == BM_FLAME_PAGE) {
        if (o->common.format != BM_FORMAT_TABLE)
            argp_error(state, "--format goes with --report table, tree, "
                              "summary or stats");
        return;
    }
    if (o->open)
        argp_error(state, "--open goes with --report flamegraph");
    if (o->base)
        argp_error(state, "--diff goes with --report flamegraph; tables of "
                          "changes come from benchmem-compare");
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
        o->threshold = parse_percent(state, arg);
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

static const struct bm_command command = {
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
        "file; its name is printed. Sources that are found are quoted in it, a "
        "line for each box: see --no-source before you share it.",
    .options = options,
    .parse = parse,
    .shares = BM_SHARES_OUTPUT | BM_SHARES_FORMAT,
    .examples = examples,
    .see_also = "benchmem-report(1), benchmem-compare(1), benchmem-export(1), "
                "benchmem-run(1)",
};

static bool ends_with(const char *text, const char *end)
{
    size_t size = strlen(text), end_size = strlen(end);

    return size > end_size && !strcmp(text + size - end_size, end);
}

/* The suffix of a file's name, "" without one. */
static const char *suffix_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');

    return dot && dot != name ? dot : "";
}

/* True for a picture, false for a page; dies for another suffix. */
static bool wants_svg(const struct bm_flame_options *o)
{
    const char *output = o->common.output;

    if (!output || !strcmp(output, "-"))
        return false;
    const char *suffix = suffix_of(output);
    if (!strcmp(suffix, ".svg"))
        return true;
    if (*suffix && strcmp(suffix, ".html") != 0 && strcmp(suffix, ".htm") != 0)
        bm_die("cannot write %s: a flame graph is .html or .svg", output);
    return false;
}

/* Reads what was found; a profile of a folder that cannot be read is told. */
static int read_inputs(struct bm_inputs *inputs)
{
    int result = 0;
    size_t kept = 0;

    for (size_t i = 0; i < inputs->count; i++) {
        struct bm_input input = inputs->items[i];

        if (bm_input_read(&input)) {
            result = -1;
            bm_input_clear(&input);
            continue;
        }
        inputs->items[kept++] = input;
    }
    inputs->count = kept;
    if (!kept)
        exit(BM_EXIT_USAGE);
    return result;
}

/* The profiles of one argument, or the newest run without one. */
static int find_inputs(struct bm_inputs *inputs, const char *where)
{
    struct bm_strvec args = BM_STRVEC_INIT, found = BM_STRVEC_INIT;

    if (where) {
        bm_strvec_push(&args, where);
        if (bm_is_folder(where) && !bm_locate_profiles(where, &found) &&
            !found.count)
            bm_die("no profile in %s: fill it with benchmem-run --profile %s "
                   "-- PROGRAM, or run a program that benchmem-cc built with "
                   "BENCHMEM_OUTPUT=%s%s%%e.%%p.bmem",
                   where, where, where, ends_with(where, "/") ? "" : "/");
    }
    bm_inputs_find(inputs, &args);
    bm_strvec_clear(&args);
    bm_strvec_clear(&found);
    return read_inputs(inputs);
}

static enum bm_metric choose_metric(const struct bm_flame_options *o)
{
    if (o->at_given)
        return o->at;
    return o->worst_given ? o->worst : BM_METRIC_PEAK;
}

static void check_native(const struct bm_profile *profile)
{
    if (!bm_call_is_native(profile))
        bm_die("%s has no native stacks: record it with BENCHMEM_OPTIONS="
               "native=1, or with benchmem-run --native",
               profile->path);
}

static void add_base(struct bm_flame *flame, struct bm_inputs *inputs)
{
    struct bm_flame_options like = *flame->options;

    find_inputs(inputs, flame->options->base);
    /* A process is compared with a process. */
    like.process = !flame->benchmark;
    like.worst_given = false;
    like.args.count = 0;
    struct bm_flame_choice choice = bm_flame_choose(
        inputs, &like, flame->benchmark ? flame->benchmark->id : NULL);
    const struct bm_profile *profile = inputs->items[choice.input].profile;
    if (flame->options->native)
        check_native(profile);
    bm_flame_compare(flame, profile, choice.benchmark);
    free(choice.why);
}

/* Beside the profile, unless the user named a file. */
static char *output_beside(const char *profile)
{
    struct bm_str path = BM_STR_INIT;

    bm_str_puts(&path, profile);
    if (ends_with(profile, BM_PROFILE_SUFFIX))
        bm_str_truncate(&path, path.size - strlen(BM_PROFILE_SUFFIX));
    bm_str_puts(&path, ".flamegraph.html");
    return bm_str_detach(&path);
}

static int open_in_browser(const char *path)
{
    char *const argv[] = {"xdg-open", (char *)path, NULL};
    struct bm_process_end end;

    if (bm_process_run(argv, &end) || bm_process_shell_status(&end))
        return bm_error("cannot open %s: xdg-open failed; open it yourself",
                        path);
    return 0;
}

static void write_report(struct bm_flame *flame, bool svg, FILE *file)
{
    struct bm_terminal terminal =
        bm_terminal_of(fileno(file), flame->options->common.color);

    switch (flame->options->report) {
    case BM_FLAME_PAGE:
        if (svg)
            bm_flame_write_svg(flame, file);
        else
            bm_flame_write_page(flame, file);
        break;
    case BM_FLAME_TABLE:
        bm_flame_write_table(flame, file, &terminal);
        break;
    case BM_FLAME_TREE:
        bm_flame_write_tree(flame, file, &terminal);
        break;
    case BM_FLAME_SUMMARY:
        bm_flame_write_summary(flame, file, &terminal);
        break;
    case BM_FLAME_STATS:
        bm_flame_write_stats(flame, file, &terminal);
        break;
    }
}

/* What was drawn, and where it went. */
static void tell(const struct bm_flame *flame, const char *path)
{
    struct bm_str title = BM_STR_INIT;

    bm_flame_title(flame, &title);
    if (!flame->options->common.quiet)
        fprintf(stderr, "benchmem-flamegraph: %s%s%s%s of %s\n", title.data,
                flame->why ? " (" : "", flame->why ? flame->why : "",
                flame->why ? ")" : "", flame->profile->path);
    printf("%s\n", path);
    bm_str_clear(&title);
}

/* Writes to standard output, the named file, or beside the profile. */
static int write_output(struct bm_flame *flame, bool svg)
{
    const struct bm_flame_options *o = flame->options;
    bool beside = o->report == BM_FLAME_PAGE && !o->common.output;
    char *path = beside             ? output_beside(flame->profile->path)
                 : o->common.output ? bm_xstrdup(o->common.output)
                                    : NULL;
    struct bm_output output;
    int failed = bm_output_open(&output, path, beside || o->common.force);

    if (!failed) {
        bool named = output.path != NULL;
        write_report(flame, svg, output.file);
        failed = bm_output_close(&output);
        if (!failed && named && o->report == BM_FLAME_PAGE)
            tell(flame, path);
    }
    if (!failed && o->open)
        failed = open_in_browser(path);
    free(path);
    return failed;
}

/* Refuses what cannot be written before anything is read. */
static void check_output(const struct bm_flame_options *o)
{
    struct bm_output output;

    if (o->open && o->common.output && !strcmp(o->common.output, "-"))
        bm_die("--open needs a file, not standard output");
    if (!o->common.output)
        return;
    if (bm_output_open(&output, o->common.output, o->common.force))
        exit(BM_EXIT_USAGE);
    bm_output_abandon(&output);
}

int main(int argc, char **argv)
{
    struct bm_flame_options o = {
        .args = BM_STRVEC_INIT,
        .threshold = -1,
        .depth = UINT64_MAX,
        .top = UINT64_MAX,
    };
    struct bm_inputs inputs = BM_INPUTS_INIT, base_inputs = BM_INPUTS_INIT;

    bm_command_parse(&command, argc, argv, &o.common, &o);
    bool svg = o.report == BM_FLAME_PAGE && wants_svg(&o);
    if (o.report == BM_FLAME_PAGE && !svg)
        bm_page_check(&bm_page_flamegraph, "name an .svg file with --output");
    check_output(&o);

    int failed = find_inputs(&inputs, o.args.count ? o.args.items[0] : NULL);
    struct bm_flame_choice choice = bm_flame_choose(&inputs, &o, NULL);
    struct bm_flame flame = {
        .options = &o,
        .profile = inputs.items[choice.input].profile,
        .benchmark = choice.benchmark,
        .why = choice.why,
        .metric = choose_metric(&o),
    };
    if (o.native)
        check_native(flame.profile);
    /* The page has switches for what is left out elsewhere. */
    bool page = o.report == BM_FLAME_PAGE && !svg;
    bm_call_tree_init(&flame.tree, flame.profile, flame.benchmark,
                      (struct bm_call_options){
                          .own = page || o.own_frames,
                          .native = o.native,
                          .fold = o.fold && !page,
                      });
    if (o.base)
        add_base(&flame, &base_inputs);
    failed |= write_output(&flame, svg);

    bm_flame_base_clear(flame.base);
    bm_call_tree_clear(&flame.tree);
    free(choice.why);
    bm_inputs_clear(&inputs);
    bm_inputs_clear(&base_inputs);
    bm_strvec_clear(&o.args);
    return failed ? BM_EXIT_USAGE : BM_EXIT_OK;
}
