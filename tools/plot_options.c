/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/plot.h"

#include <stdlib.h>
#include <string.h>

enum {
    KEY_COLUMNS = 0x100,
    KEY_STAT,
    KEY_VIEW,
    KEY_PIVOT,
    KEY_FACET,
    KEY_WHERE,
    KEY_FREE,
    KEY_X,
    KEY_COLOR_BY,
    KEY_BAND,
    KEY_CLIP,
    KEY_LOG_X,
    KEY_LOG_Y,
    KEY_LINEAR,
    KEY_Y_ZERO,
    KEY_TOP,
    KEY_OPEN,
};

static const struct argp_option options[] = {
    {"columns", KEY_COLUMNS, "METRIC", 0,
     "What to draw: time, peak (the default), allocated, allocations, leaked, "
     "rss or setup_rss",
     0},
    {"stat", KEY_STAT, "STAT", 0,
     "Over the passes: min (the default), max, mean, median or stddev", 0},
    {"view", KEY_VIEW, "VIEW", 0,
     "scaling (the default of one run), scatter (of two), compare, sweep (of "
     "more) or timeline",
     0},
    {"pivot", KEY_PIVOT, "DIM", 0,
     "Hold the values of DIM of one run side by side, as if each were a run",
     0},
    {"facet", KEY_FACET, "DIM", 0, "One panel for each value of DIM", 0},
    {"where", KEY_WHERE, "DIM=VALUE", 0,
     "Only benchmarks with this value; more than one must all hold", 0},
    {"free-axes", KEY_FREE, "AXES", 0,
     "x, y or both: panels of --facet each have their own range", 0},
    {"label", 'l', "NAME", 0,
     "What a run is called, once for each run in order, instead of its file",
     0},
    {"x", KEY_X, "DIM", 0, "What scaling draws to the right", 0},
    {"color", KEY_COLOR_BY, "DIM", 0,
     "What scaling tells by colour. As in every command, auto, always and "
     "never "
     "are about the colours of a terminal",
     0},
    {"band", KEY_BAND, NULL, 0,
     "Scaling shows smallest and largest pass around each line", 0},
    {"clip", KEY_CLIP, "TIMES", 0,
     "Scatter and sweep draw what changed more than TIMES fold at this edge",
     0},
    {"log-x", KEY_LOG_X, NULL, 0, "Logarithmic x axis", 0},
    {"log-y", KEY_LOG_Y, NULL, 0, "Logarithmic y axis", 0},
    {"linear", KEY_LINEAR, NULL, 0,
     "Linear axes (each axis that --log-x and --log-y leave)", 0},
    {"y-zero", KEY_Y_ZERO, NULL, 0, "A linear y axis begins at 0", 0},
    {"top", KEY_TOP, "N", 0,
     "Rows of compare, sweep and scaling without numbers, 0 for all (60)", 0},
    {"open", KEY_OPEN, NULL, 0, "Open the result in the browser", 0},
    {0},
};

static const struct bm_example examples[] = {
    {"benchmem-plot baseline.json --columns peak -o scaling.html",
     "How the peak grows with the size of the input"},
    {"benchmem-plot old.bmem new.bmem",
     "Which benchmarks changed, and which of them were large before"},
    {"benchmem-plot v1.json v2.json v3.json -l 0.6 -l 0.7 -l 0.8 -o sweep.svg",
     "Change over three versions as a picture"},
    {"benchmem-plot run.json --facet node.function --free-axes y",
     "One panel for each function, each with a range of its own"},
    {"benchmem-plot run.json --pivot kind --view compare --where n=1000",
     "One run, its variants against each other"},
    {NULL, NULL},
};

const char *const bm_plot_view_names[] = {
    [BM_PLOT_SCALING] = "scaling",   [BM_PLOT_SCATTER] = "scatter",
    [BM_PLOT_COMPARE] = "compare",   [BM_PLOT_SWEEP] = "sweep",
    [BM_PLOT_TIMELINE] = "timeline", NULL,
};

static double parse_clip(struct argp_state *state, const char *arg)
{
    char *end = NULL;
    double times = strtod(arg, &end);

    if (end == arg || *end || !(times > 1 && times <= 1e9))
        argp_error(state, "--clip %s: not a number above 1", arg);
    return times;
}

static unsigned parse_free(struct argp_state *state, const char *arg)
{
    static const char *const names[] = {"x", "y", "both", NULL};
    static const unsigned axes[] = {BM_PLOT_FREE_X, BM_PLOT_FREE_Y,
                                    BM_PLOT_FREE_X | BM_PLOT_FREE_Y};

    return axes[bm_option_choice(state, "--free-axes", arg, names)];
}

/* Where a condition has no value to hold, it would hold for nothing. */
static void add_where(struct bm_plot_options *o, struct argp_state *state,
                      const char *arg)
{
    const char *equals = strchr(arg, '=');

    if (!equals || equals == arg)
        argp_error(state, "--where %s: not DIM=VALUE", arg);
    bm_strvec_push(&o->where, arg);
}

static void check_usage(const struct bm_plot_options *o,
                        struct argp_state *state)
{
    if (!o->args.count)
        argp_error(state, "no run to draw: name profiles, saved runs or "
                          "folders");
    if (o->labels.count && o->labels.count != o->args.count)
        argp_error(state,
                   "%zu label%s for %zu run%s: give one --label for each",
                   o->labels.count, o->labels.count == 1 ? "" : "s",
                   o->args.count, o->args.count == 1 ? "" : "s");
    if (o->y_zero && o->y_scale == BM_PLOT_SCALE_LOG)
        argp_error(state, "--y-zero and --log-y exclude each other");
    if (o->free_axes && !o->facet)
        argp_error(state, "--free-axes goes with --facet");
    if (o->pivot && o->args.count > 1)
        argp_error(state, "--pivot folds one run: %zu were given",
                   o->args.count);
}

static error_t parse_axes(int key, struct bm_plot_options *o)
{
    switch (key) {
    case KEY_LOG_X:
        o->x_scale = BM_PLOT_SCALE_LOG;
        return 0;
    case KEY_LOG_Y:
        o->y_scale = BM_PLOT_SCALE_LOG;
        return 0;
    case KEY_LINEAR:
        if (o->x_scale == BM_PLOT_SCALE_AUTO)
            o->x_scale = BM_PLOT_SCALE_LINEAR;
        if (o->y_scale == BM_PLOT_SCALE_AUTO)
            o->y_scale = BM_PLOT_SCALE_LINEAR;
        return 0;
    case KEY_Y_ZERO:
        o->y_zero = true;
        return 0;
    case KEY_BAND:
        o->band = true;
        return 0;
    case KEY_OPEN:
        o->open = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Nothing that is drawn depends on the terminal, so those words change none. */
static void set_color(struct bm_plot_options *o, const char *arg)
{
    static const char *const words[] = {
        [BM_COLOR_AUTO] = "auto",
        [BM_COLOR_ALWAYS] = "always",
        [BM_COLOR_NEVER] = "never",
    };

    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (!strcmp(arg, words[i])) {
            o->common.color = (enum bm_color)i;
            return;
        }
    }
    o->color = arg;
}

static error_t parse_dimension(int key, char *arg, struct bm_plot_options *o)
{
    switch (key) {
    case KEY_PIVOT:
        o->pivot = arg;
        return 0;
    case KEY_FACET:
        o->facet = arg;
        return 0;
    case KEY_X:
        o->x = arg;
        return 0;
    case KEY_COLOR_BY:
        set_color(o, arg);
        return 0;
    default:
        return parse_axes(key, o);
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct bm_plot_options *o = state->input;

    switch (key) {
    case KEY_COLUMNS:
        o->measure = (enum bm_measure)bm_option_choice(state, "--columns", arg,
                                                       bm_measure_names);
        o->measure_given = true;
        return 0;
    case KEY_STAT:
        o->stat =
            (enum bm_stat)bm_option_choice(state, "--stat", arg, bm_stat_names);
        return 0;
    case KEY_VIEW:
        o->view = (enum bm_plot_view)bm_option_choice(state, "--view", arg,
                                                      bm_plot_view_names);
        o->view_given = true;
        return 0;
    case KEY_WHERE:
        add_where(o, state, arg);
        return 0;
    case KEY_FREE:
        o->free_axes = parse_free(state, arg);
        return 0;
    case KEY_CLIP:
        o->clip = parse_clip(state, arg);
        return 0;
    case KEY_TOP:
        o->top = bm_option_count(state, "--top", arg);
        return 0;
    case 'l':
        bm_strvec_push(&o->labels, arg);
        return 0;
    case ARGP_KEY_ARG:
        bm_strvec_push(&o->args, arg);
        return 0;
    case ARGP_KEY_SUCCESS:
        check_usage(o, state);
        return 0;
    default:
        return parse_dimension(key, arg, o);
    }
}

const struct bm_command bm_plot_command = {
    .name = "benchmem-plot",
    .summary = "draw runs: scaling, scatter, comparison, sweep, timeline",
    .arguments = "RUN...",
    .description =
        "Draws one metric of the benchmarks of one or more runs, oldest first. "
        "A "
        "RUN is a profile, a saved run (also by its name in .benchmem, such as "
        "baseline or last), a report in JSON, or a folder of profiles.\n\n"
        "scaling draws the metric over the one parameter that is a number "
        "(--x names it where there are several), with the fitted law; without "
        "any, a bar for each benchmark. scatter draws the value of the first "
        "run to the right and its change in the last one upwards, so that what "
        "is large and grew is at the top right. compare ranks the changes. "
        "sweep shows a cell for each benchmark and run, coloured by the change "
        "against the first run. timeline draws live bytes over allocated bytes "
        "of a profile that was recorded with timeline=1.\n\n"
        "A DIM is run, id, name, file, group, suite, a parameter, or "
        "extra:NAME; "
        "node.function, node.func, node.file, node.module and node.group are "
        "other spellings.\n\n"
        "The suffix of --output says what is written: .html or none (one page "
        "that needs no network), .json (the Vega-Lite specification), .svg, "
        ".png or .pdf (these need Node, and the last two rsvg-convert). "
        "Without --output a page goes beside the first run, as "
        "NAME.VIEW.html, and replaces an older one; its name is printed.",
    .options = options,
    .parse = parse,
    .shares = BM_SHARES_OUTPUT | BM_OWN_COLOR,
    .output = "Write to FILE (- is standard output) instead of a page "
              "beside the first run",
    .examples = examples,
    .see_also = "benchmem-compare(1), benchmem-report(1), benchmem-run(1)",
};
