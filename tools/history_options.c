/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/history.h"

#include <stdlib.h>
#include <string.h>

enum {
    KEY_DB = 0x100,
    KEY_BRANCH,
    KEY_REVISION,
    KEY_COLUMNS,
    KEY_STAT,
    KEY_LAST,
    KEY_UNLIKE,
    KEY_FAIL_ON,
    KEY_MAX,
    KEY_TWO_SIDED,
    KEY_STRICT,
};

static const struct argp_option options[] = {
    {"db", KEY_DB, "FILE|URL", 0,
     "The database: a file of SQLite, or postgresql://... "
     "(.benchmem/history.db)",
     0},
    {"branch", KEY_BRANCH, "NAME", 0,
     "add: the branch that the runs are of (git's); else only its runs", 0},
    {"revision", KEY_REVISION, "TEXT", 0,
     "add: the revision, where the run does not know it (git's)", 0},
    {"columns", KEY_COLUMNS, "METRIC,...", 0,
     "show, compare: these metrics (all that there are; peak)", 0},
    {"stat", KEY_STAT, "STAT", 0,
     "show: min (the default), max, mean, median or stddev over the passes", 0},
    {"last", KEY_LAST, "N", 0, "list, show: only the newest N runs", 0},
    {"unlike", KEY_UNLIKE, NULL, 0,
     "Compare also with other machines, compilers and flags", 0},
    {"fail-on", KEY_FAIL_ON, "METRIC:LIMIT", 0,
     "compare: as for benchmem-compare; so are --max, --two-sided, --strict",
     0},
    {"max", KEY_MAX, "METRIC:LIMIT", OPTION_HIDDEN, NULL, 0},
    {"two-sided", KEY_TWO_SIDED, NULL, OPTION_HIDDEN, NULL, 0},
    {"strict", KEY_STRICT, NULL, OPTION_HIDDEN, NULL, 0},
    {0},
};

static const struct bm_example examples[] = {
    {"benchmem-history add last", "Stores the run that was saved last"},
    {"benchmem-history list --branch main", "The runs of a branch"},
    {"benchmem-history show 'bench_sort[n=1000]' --columns peak",
     "One benchmark over all runs"},
    {"benchmem-history compare new.bmem --branch main --fail-on peak:10%",
     "Against the newest run of main, as a gate"},
    {NULL, NULL},
};

static const char *const action_names[] = {
    [BM_HISTORY_ADD] = "add",
    [BM_HISTORY_LIST] = "list",
    [BM_HISTORY_SHOW] = "show",
    [BM_HISTORY_COMPARE] = "compare",
    NULL,
};

static void parse_columns(struct bm_history_options *o,
                          struct argp_state *state, const char *arg)
{
    char *list = strdup(arg);
    char *rest = NULL;

    for (char *name = strtok_r(list, ",", &rest); name;
         name = strtok_r(NULL, ",", &rest)) {
        int measure =
            bm_option_choice(state, "--columns", name, bm_measure_names);

        o->measures[measure] = true;
        o->any_measure = true;
    }
    if (!o->any_measure)
        argp_error(state, "--columns: no metric");
    free(list);
}

static void check_usage(const struct bm_history_options *o,
                        struct argp_state *state)
{
    static const struct {
        size_t least, most;
        const char *wants;
    } counts[] = {
        [BM_HISTORY_ADD] = {1, SIZE_MAX, "runs to add"},
        [BM_HISTORY_LIST] = {0, 0, "no more words"},
        [BM_HISTORY_SHOW] = {1, 1, "one benchmark: its id or a part of it"},
        [BM_HISTORY_COMPARE] = {1, 1, "one run to hold against a stored one"},
    };

    if (!o->any_action)
        argp_error(state, "nothing to do: add, list, show or compare");
    if (o->args.count < counts[o->action].least ||
        o->args.count > counts[o->action].most)
        argp_error(state, "%s takes %s", action_names[o->action],
                   counts[o->action].wants);
    if (o->passed.count && o->action != BM_HISTORY_COMPARE)
        argp_error(state, "%s goes with compare", o->passed.items[0]);
}

static void add_word(struct bm_history_options *o, struct argp_state *state,
                     const char *arg)
{
    if (o->any_action) {
        bm_strvec_push(&o->args, arg);
        return;
    }
    o->action = (enum bm_history_action)bm_option_choice(state, "the action",
                                                         arg, action_names);
    o->any_action = true;
}

/* Options that benchmem-compare understands by itself. */
static error_t pass_on(int key, const char *arg, struct bm_history_options *o)
{
    static const struct {
        int key;
        const char *name;
    } names[] = {
        {KEY_FAIL_ON, "--fail-on"},
        {KEY_MAX, "--max"},
        {KEY_TWO_SIDED, "--two-sided"},
        {KEY_STRICT, "--strict"},
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (names[i].key != key)
            continue;
        bm_strvec_pushf(&o->passed, "%s%s%s", names[i].name, arg ? "=" : "",
                        arg ? arg : "");
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct bm_history_options *o = state->input;

    switch (key) {
    case KEY_DB:
        o->database = arg;
        return 0;
    case KEY_BRANCH:
        o->branch = arg;
        return 0;
    case KEY_REVISION:
        o->revision = arg;
        return 0;
    case KEY_COLUMNS:
        parse_columns(o, state, arg);
        return 0;
    case KEY_STAT:
        o->stat =
            (enum bm_stat)bm_option_choice(state, "--stat", arg, bm_stat_names);
        return 0;
    case KEY_LAST:
        o->last = bm_option_count(state, "--last", arg);
        return 0;
    case KEY_UNLIKE:
        o->unlike = true;
        return 0;
    case ARGP_KEY_ARG:
        add_word(o, state, arg);
        return 0;
    case ARGP_KEY_SUCCESS:
        check_usage(o, state);
        return 0;
    default:
        return pass_on(key, arg, o);
    }
}

const struct bm_command bm_history_command = {
    .name = "benchmem-history",
    .summary = "stored runs and the series of their figures",
    .arguments = "add RUN... | list | show BENCHMARK | compare RUN",
    .description =
        "Keeps runs in a database: a file of SQLite, .benchmem/history.db "
        "unless --db names another, or PostgreSQL at a URL, with the same "
        "tables.\n\n"
        "add stores runs: profiles, saved runs or their names, folders. list "
        "shows them. show has the figures of one benchmark over all runs, each "
        "with its change against the one before; a figure of another machine, "
        "compiler or flags is not compared unless --unlike is given. compare "
        "holds a run against the newest stored one of a branch and of a like "
        "build, by benchmem-compare, whose exit status it has.",
    .options = options,
    .parse = parse,
    .shares = BM_SHARES_OUTPUT | BM_SHARES_FORMAT,
    .examples = examples,
    .exit_status = "compare: 1 if a limit does not hold.",
    .see_also = "benchmem-compare(1), benchmem-run(1), benchmem-plot(1)",
};
