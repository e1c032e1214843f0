/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "measure/options.h"

#include "base/locate.h"
#include "base/memory.h"
#include "driver/find.h"
#include "results/gate_option.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const bm_mode_names[] = {
    [BM_MODE_MEMORY] = "memory",
    [BM_MODE_TIME] = "time",
    [BM_MODE_RSS] = "rss",
    [BM_NR_MODES] = NULL,
};

enum {
    KEY_MODE = 0x200,
    KEY_REPEATS,
    KEY_WARMUP,
    KEY_MAX_TIME,
    KEY_FILTER,
    KEY_SUITE,
    KEY_WORKLOAD,
    KEY_PREPARE,
    KEY_COLUMNS,
    KEY_STAT,
    KEY_SAVE,
    KEY_COMPARE,
    KEY_FAIL_ON,
    KEY_REQUIRE_BASELINE,
    KEY_MAX,
    KEY_PROFILE,
    KEY_SUMMARIZE,
};

const struct argp_option bm_measuring_options[] = {
    {NULL, 0, NULL, 0, "Measuring:", 1},
    {"mode", KEY_MODE, "MODE[,MODE...]", 0,
     "Measure memory (the default), time, rss (resident memory of fresh "
     "processes), or all; each in runs of its own",
     1},
    {"repeats", KEY_REPEATS, "N", 0,
     "Exactly N passes, not as many as it takes; N runs of a program without "
     "the main of benchmem.h",
     1},
    {"warmup", KEY_WARMUP, "N", 0,
     "N passes before that are not measured (of time 1, of memory 0)", 1},
    {"max-time", KEY_MAX_TIME, "SECONDS", 0,
     "Begin no further pass of a benchmark after that, but make 2", 1},
    {"filter", KEY_FILTER, "PATTERN", 0,
     "Benchmarks whose id holds PATTERN, or fits it if it has a * or ? (can "
     "be given several times, as --suite and --workload)",
     1},
    {"suite", KEY_SUITE, "NAME", 0, "Those of the suite NAME", 1},
    {"workload", KEY_WORKLOAD, "ID", 0, "The one with this id", 1},
    {"prepare", KEY_PREPARE, "COMMAND", 0,
     "Run COMMAND by the shell once before, unmeasured", 1},
    {NULL, 0, NULL, 0, "The table:", 2},
    {"columns", KEY_COLUMNS, "METRIC[,METRIC...]", 0,
     "Columns of the table: time, peak, allocated, allocations, leaked, rss, "
     "setup_rss",
     2},
    {"stat", KEY_STAT, "STAT[,STAT...]", 0,
     "Statistics over the passes: min, max, mean, median, stddev", 2},
    {NULL, 0, NULL, 0, "Runs that are kept, and limits:", 3},
    {"save", KEY_SAVE, "NAME", 0,
     "Keep the run as NAME in .benchmem, for --compare and other commands", 3},
    {"compare", KEY_COMPARE, "BASE", OPTION_ARG_OPTIONAL,
     "Hold the run against BASE: a saved run, a profile or a folder of them; "
     "without BASE the run saved last",
     3},
    {"fail-on", KEY_FAIL_ON, "LIMIT", 0,
     "Exit with status 1 beyond LIMIT: METRIC:N%, METRIC:SIZE over the base, "
     "or growth:K, the exponent of a parameter (can be given several times)",
     3},
    {"require-baseline", KEY_REQUIRE_BASELINE, NULL, 0,
     "A base that is not there is an error, not a message", 3},
    {"max", KEY_MAX, "METRIC:LIMIT", 0,
     "Exit with status 1 where the worst pass is above LIMIT (can be given "
     "several times); a benchmark's own ceiling wins",
     3},
    {"profile", KEY_PROFILE, "FOLDER", 0,
     "Keep FOLDER/ID.bmem of each benchmark, or with limits of those that are "
     "beyond theirs",
     3},
    {NULL, 0, NULL, 0, "Instead of a run:", 4},
    {"summarize", KEY_SUMMARIZE, "FILE.json", 0,
     "Write the summary of an earlier --mode rss -o FILE.json again, and run "
     "nothing",
     4},
    {0},
};
const size_t bm_nr_measuring_options =
    sizeof(bm_measuring_options) / sizeof(*bm_measuring_options);

void bm_measuring_init(struct bm_measuring *m)
{
    *m = (struct bm_measuring){
        .recorder = BM_STR_INIT,
        .warmup = -1,
        .filters = BM_STRVEC_INIT,
        .suites = BM_STRVEC_INIT,
        .workloads = BM_STRVEC_INIT,
    };
}

/* ---- lists with commas ---- */

static void take_mode(void *input, struct argp_state *state, const char *option,
                      char *part)
{
    struct bm_measuring *m = input;
    static const char *const choices[] = {
        [BM_MODE_MEMORY] = "memory",
        [BM_MODE_TIME] = "time",
        [BM_MODE_RSS] = "rss",
        [BM_NR_MODES] = "all",
        NULL,
    };
    int choice = bm_option_choice(state, option, part, choices);

    m->modes |= choice == BM_NR_MODES ? (1u << BM_NR_MODES) - 1 : 1u << choice;
}

static void take_column(void *input, struct argp_state *state,
                        const char *option, char *part)
{
    struct bm_measuring *m = input;
    m->columns[bm_option_choice(state, option, part, bm_measure_names)] = true;
}

static void take_stat(void *input, struct argp_state *state, const char *option,
                      char *part)
{
    struct bm_measuring *m = input;
    m->stats[bm_option_choice(state, option, part, bm_stat_names)] = true;
}

/* ---- single options ---- */

static double read_seconds(const char *arg, struct argp_state *state)
{
    char *end;
    double seconds = strtod(arg, &end);

    if (end == arg || *end || !(seconds > 0) || seconds > 1e6)
        argp_error(state,
                   "--max-time %s: it is seconds, above 0 and at most 1000000",
                   arg);
    return seconds;
}

static bool is_saved(const char *name)
{
    static const char *const suffixes[] = {".json", BM_PROFILE_SUFFIX};
    char *folder = bm_locate_folder();
    bool found = false;

    for (size_t i = 0; folder && i < 2 && !strchr(name, '/'); i++) {
        struct bm_str path = BM_STR_INIT;
        bm_str_printf(&path, "%s/%s%s", folder, name, suffixes[i]);
        found |= access(path.data, F_OK) == 0;
        bm_str_clear(&path);
    }
    free(folder);
    return found;
}

/*
 * `--compare BASE PROGRAM` is read as `--compare=BASE PROGRAM`; what follows
 * is no base if it is an option or the only word left, or can be run and was
 * not saved under that name.
 */
static char *find_base(struct argp_state *state)
{
    char *next = state->next < state->argc ? state->argv[state->next] : NULL;
    char *program;

    if (!next || *next == '-' || state->next + 1 >= state->argc)
        return NULL;
    program = is_saved(next) ? NULL : bm_find_program(next, NULL);
    if (program) {
        free(program);
        return NULL;
    }
    state->next++;
    return next;
}

static error_t parse_how(struct bm_measuring *m, int key, char *arg,
                         struct argp_state *state)
{
    switch (key) {
    case KEY_MODE:
        bm_option_parts(state, "--mode", arg, take_mode);
        return 0;
    case KEY_REPEATS:
        m->repeats = bm_option_count(state, "--repeats", arg);
        if (!m->repeats || m->repeats > 1000000)
            argp_error(state, "--repeats %s: it is from 1 to 1000000", arg);
        return 0;
    case KEY_WARMUP:
        if (bm_option_count(state, "--warmup", arg) > 1000000)
            argp_error(state, "--warmup %s: it is from 0 to 1000000", arg);
        m->warmup = atoi(arg);
        return 0;
    case KEY_MAX_TIME:
        m->max_seconds = read_seconds(arg, state);
        m->max_time = arg;
        return 0;
    case KEY_FILTER:
        bm_strvec_push(&m->filters, arg);
        return 0;
    case KEY_SUITE:
        bm_strvec_push(&m->suites, arg);
        return 0;
    case KEY_WORKLOAD:
        bm_strvec_push(&m->workloads, arg);
        return 0;
    case KEY_PREPARE:
        m->prepare = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static error_t parse_what_for(struct bm_measuring *m, int key, char *arg,
                              struct argp_state *state)
{
    switch (key) {
    case KEY_COLUMNS:
        bm_option_parts(state, "--columns", arg, take_column);
        m->columns_given = true;
        return 0;
    case KEY_STAT:
        bm_option_parts(state, "--stat", arg, take_stat);
        m->stats_given = true;
        return 0;
    case KEY_SAVE:
        m->save = arg;
        return 0;
    case KEY_COMPARE:
        m->compares = true;
        m->base = arg ? arg : find_base(state);
        return 0;
    case KEY_FAIL_ON:
        bm_gates_option(strncmp(arg, "growth:", strlen("growth:")) ? &m->gates
                                                                   : &m->laws,
                        state, "--fail-on", arg, false);
        return 0;
    case KEY_REQUIRE_BASELINE:
        m->require_baseline = true;
        return 0;
    case KEY_MAX:
        bm_gates_option(&m->ceilings, state, "--max", arg, true);
        return 0;
    case KEY_PROFILE:
        m->profile_folder = arg;
        return 0;
    case KEY_SUMMARIZE:
        m->summarize = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

error_t bm_measuring_parse(struct bm_measuring *m, int key, char *arg,
                           struct argp_state *state)
{
    error_t result = parse_how(m, key, arg, state);

    if (result == ARGP_ERR_UNKNOWN)
        result = parse_what_for(m, key, arg, state);
    m->asked |= result == 0;
    return result;
}

/* The mode of the recorder's option measure, memory without it. */
static enum bm_mode recorder_mode(const struct bm_measuring *m)
{
    static const char key[] = "measure=";
    const char *at = m->recorder.size ? m->recorder.data : "";
    enum bm_mode found = BM_MODE_MEMORY;

    while ((at = strstr(at, key))) {
        at += strlen(key);
        for (int mode = 0; mode < BM_NR_MODES; mode++)
            if (!strncmp(at, bm_mode_names[mode], strlen(bm_mode_names[mode])))
                found = (enum bm_mode)mode;
    }
    return found;
}

static enum bm_mode mode_of(enum bm_measure measure)
{
    switch (measure) {
    case BM_MEASURE_TIME:
        return BM_MODE_TIME;
    case BM_MEASURE_RSS:
    case BM_MEASURE_SETUP_RSS:
        return BM_MODE_RSS;
    default:
        return BM_MODE_MEMORY;
    }
}

/* A column that no mode fills would be left out without a word. */
static void check_columns(const struct bm_measuring *m,
                          struct argp_state *state)
{
    for (int i = 0; m->columns_given && i < BM_NR_MEASURES; i++) {
        enum bm_mode mode = mode_of((enum bm_measure)i);

        if (m->columns[i] && !BM_HAS_MODE(m, mode))
            argp_error(state, "--columns %s: it is not measured; --mode %s",
                       bm_measure_names[i], bm_mode_names[mode]);
    }
}

void bm_measuring_settle(struct bm_measuring *m, struct argp_state *state)
{
    const char *why;

    m->asked |= m->common.format != BM_FORMAT_TABLE;
    if (m->modes && recorder_mode(m) != BM_MODE_MEMORY)
        argp_error(state, "--measure goes with no --mode, which says the same");
    if (!m->modes)
        m->modes = 1u << recorder_mode(m);
    check_columns(m, state);
    if (m->save && !bm_run_valid_name(m->save, &why))
        argp_error(state, "--save %s: %s", m->save, why);
    if (!m->compares && m->gates.count)
        argp_error(state, "--fail-on: compared with what? --compare BASE");
    if (m->require_baseline && !m->compares)
        argp_error(state, "--require-baseline: it belongs to --compare");
    if (m->profile_folder && !BM_HAS_MODE(m, BM_MODE_MEMORY))
        argp_error(state, "--profile: there are profiles of memory alone; "
                          "--mode memory");
}

void bm_measuring_clear(struct bm_measuring *m)
{
    bm_str_clear(&m->recorder);
    bm_strvec_clear(&m->filters);
    bm_strvec_clear(&m->suites);
    bm_strvec_clear(&m->workloads);
    bm_gates_clear(&m->gates);
    bm_gates_clear(&m->laws);
    bm_gates_clear(&m->ceilings);
}
