/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "driver/run_options.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/size.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The recorder's options, from its own table. */
static const struct recorder_option {
    const char *name;
    uint64_t least;
    uint64_t most;
    const char *names; /* words for the values from least on, or NULL */
    const char *help;
} recorder_options[] = {
#define BM_OPTION(name, initial, least, most, names, help)                     \
    {#name, least, most, names, help},
#include "runtime/options.inc"
};
#define NR_RECORDER_OPTIONS                                                    \
    (sizeof(recorder_options) / sizeof(*recorder_options))

#define KEY_STOP_AT 0x80

/* Those before the recorder's. */
#define NR_OWN_OPTIONS 3

/* Keys of the recorder's options: this and the index. */
#define KEY_RECORDER 0x100

/* Room for those of measuring, whose end ends the table. */
#define MOST_MEASURING 32
static struct argp_option options[NR_OWN_OPTIONS + NR_RECORDER_OPTIONS +
                                  MOST_MEASURING] = {
    {"output", 'o', "FILE", 0,
     "Keep the profile in FILE (.benchmem/PROGRAM.PID.bmem); FILE.json gets "
     "the single measurements, with a summary beside it",
     0},
    {"force", 'f', NULL, 0, "Replace FILE if it exists", 0},
    {"stop-at", KEY_STOP_AT, "WHERE", 0,
     "Stop at an allocation, in gdb on a terminal, else with a core file: "
     "peak (where live bytes reach the peak of the newest run of PROGRAM), "
     "peak:BENCH (that of a benchmark; its id, or a part that only one has), "
     "site:FILE:LINE[:COLUMN] (that of a site), each also of a profile, as in "
     "peak:PROFILE or site:PROFILE:FILE:LINE, or allocation:N",
     0},
};

/* `--native` alone is `--native=1`. */
static bool is_switch(const struct recorder_option *o)
{
    return !o->names && o->least == 0 && o->most == 1;
}

static const char *value_name(const struct recorder_option *o)
{
    if (is_switch(o))
        return "0|1";
    return o->names ? o->names : "N";
}

static void add_options(void)
{
    struct argp_option *at = &options[NR_OWN_OPTIONS + NR_RECORDER_OPTIONS];

    if (bm_nr_measuring_options > MOST_MEASURING)
        BM_BUG("%zu options of measuring", bm_nr_measuring_options);
    memcpy(at, bm_measuring_options,
           bm_nr_measuring_options * sizeof(*bm_measuring_options));
    for (size_t i = 0; i < NR_RECORDER_OPTIONS; i++) {
        const struct recorder_option *from = &recorder_options[i];
        char *name = bm_xstrdup(from->name);
        char *doc = bm_xstrdup(from->help);
        *doc = (char)toupper((unsigned char)*doc);
        for (char *c = name; *c; c++)
            if (*c == '_')
                *c = '-';
        options[NR_OWN_OPTIONS + i] = (struct argp_option){
            .name = name,
            .key = (int)(KEY_RECORDER + i),
            .arg = value_name(from),
            .flags = is_switch(from) ? OPTION_ARG_OPTIONAL : 0,
            .doc = doc,
        };
    }
}

static bool is_one_of(const char *arg, const char *names)
{
    size_t size = strlen(arg);
    for (;;) {
        size_t end = strcspn(names, "|");
        if (end == size && strncmp(arg, names, size) == 0)
            return true;
        if (names[end] == '\0')
            return false;
        names += end + 1;
    }
}

static void take_recorder_option(struct bm_measuring *m, size_t index,
                                 const char *arg, struct argp_state *state)
{
    const struct recorder_option *o = &recorder_options[index];
    const char *name = options[NR_OWN_OPTIONS + index].name;
    char option[64];

    snprintf(option, sizeof(option), "--%s", name);
    if (!arg)
        arg = "1";
    if (o->names) {
        if (!is_one_of(arg, o->names))
            argp_error(state, "%s %s: it is one of %s", option, arg, o->names);
    } else {
        uint64_t count = bm_option_count(state, option, arg);
        if (count < o->least || count > o->most)
            argp_error(state, "%s %s: it is from %llu to %llu", option, arg,
                       (unsigned long long)o->least,
                       (unsigned long long)o->most);
    }
    bm_str_printf(&m->recorder, "%s%s=%s", m->recorder.size ? ":" : "", o->name,
                  arg);
}

static void take_stop(struct bm_measuring *m, const char *arg,
                      struct argp_state *state)
{
    static const char peak[] = "peak:", site[] = "site:",
                      allocation[] = "allocation:";
    uint64_t number = 0;

    m->stop_at = arg;
    if (!strcmp(arg, "peak") ||
        (!strncmp(arg, peak, sizeof(peak) - 1) && arg[sizeof(peak) - 1]) ||
        (!strncmp(arg, site, sizeof(site) - 1) && arg[sizeof(site) - 1]))
        return;
    if (strncmp(arg, allocation, sizeof(allocation) - 1) != 0 ||
        !bm_count_parse(arg + sizeof(allocation) - 1, &number) || !number)
        argp_error(state,
                   "--stop-at %s: it is peak, peak:BENCH, peak:PROFILE, "
                   "site:FILE:LINE or allocation:N",
                   arg);
    bm_str_printf(&m->recorder, "%sstop_allocation=%" PRIu64,
                  m->recorder.size ? ":" : "", number);
}

/* The last value of a recorder's option that was given, 0 if none was. */
static uint64_t value_given(const struct bm_measuring *m, const char *name)
{
    size_t size = strlen(name);
    uint64_t value = 0;

    for (const char *at = m->recorder.data; at && *at;
         at += strcspn(at, ":"), at += *at == ':')
        if (strncmp(at, name, size) == 0 && at[size] == '=')
            value = strtoull(at + size + 1, NULL, 10);
    return value;
}

/* The recorder would leave one of them out. */
static void check_order(const struct bm_measuring *m, struct argp_state *state)
{
    if (value_given(m, "saves") && value_given(m, "slack"))
        argp_error(state, "--saves needs the order of all events, which "
                          "--slack gives up: leave out one of them");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct bm_measuring *m = state->input;

    if (key >= KEY_RECORDER &&
        key < (int)(KEY_RECORDER + NR_RECORDER_OPTIONS)) {
        take_recorder_option(m, (size_t)(key - KEY_RECORDER), arg, state);
        return 0;
    }
    switch (key) {
    case 'o':
        m->output = arg;
        return 0;
    case 'f':
        m->force = true;
        return 0;
    case KEY_STOP_AT:
        take_stop(m, arg, state);
        return 0;
    case ARGP_KEY_ARG:
        /* The program's options are its own. */
        m->program = state->argv + state->next - 1;
        state->next = state->argc;
        return 0;
    case ARGP_KEY_NO_ARGS:
        if (!m->summarize)
            argp_error(state, "which program?");
        return 0;
    case ARGP_KEY_SUCCESS:
        if (m->summarize && m->program)
            argp_error(state, "--summarize runs nothing: leave out %s",
                       m->program[0]);
        check_order(m, state);
        if (m->stop_at && m->asked)
            argp_error(state, "--stop-at goes with no option that measures");
        bm_measuring_settle(m, state);
        return 0;
    default:
        return bm_measuring_parse(m, key, arg, state);
    }
}

static const struct bm_example examples[] = {
    {"benchmem-run -o base.bmem ./bench", "Keep the profile in base.bmem"},
    {"benchmem-run --paths=sites ./server --port 8080",
     "Record sites alone, without call paths"},
    {"benchmem-run --native -- python3 script.py",
     "Record a program as it is installed, with each of its frames"},
    {"benchmem-run --stop-at peak ./bench",
     "Look around in gdb at the moment when most was held"},
    {"benchmem-run --stop-at site:tree.c:40 ./bench",
     "The same when the blocks of that line were most"},
    {"benchmem-run --mode memory,time --save base ./bench",
     "Measure benchmarks, memory first, and keep the run as base"},
    {"benchmem-run --compare base --fail-on peak:10% --profile bad ./bench",
     "Fail where a peak grew by more than 10 %, with a profile of each"},
    {"benchmem-run --mode rss --repeats 3 -o rss.json ./bench",
     "Resident peaks, each workload and repetition in a process of its own"},
    {NULL, NULL},
};

static const struct bm_command command = {
    .name = "benchmem-run",
    .summary = "run a program and keep its profile; measure benchmarks",
    .arguments = "PROGRAM [ARGUMENT...]",
    .description =
        "Runs a program that was built with benchmem-cc, waits for it and "
        "packs its profile. A program that holds nothing built with "
        "benchmem-cc gets the recorder loaded into it, and its blocks are "
        "shown by module.\n\n"
        "Options behind PROGRAM are the program's. Processes that it starts "
        "write profiles of their own, FILE with their process number in it.\n\n"
        "With an option of measuring, tables or limits, or where the program "
        "has the "
        "main of benchmem.h, the run is measured: passes are repeated, shown "
        "as a table, kept and held to limits. Memory is taken first, cold; "
        "time and resident memory in further runs, in which no block is "
        "recorded. A figure is only shown of the mode that took it. Without "
        "that main, a repetition is a run of the program.\n\n"
        "What a benchmark declares of itself wins over the options. With "
        "--quiet there are no tables either, only what does not hold.",
    .options = options,
    .parse = parse,
    .shares = BM_SHARES_FORMAT,
    .stops_at_argument = true,
    .examples = examples,
    .exit_status =
        "Otherwise that of the program; 128 and the signal where "
        "one killed it; 126 and 127 where it cannot be run or found. It "
        "counts more than a limit that does not hold.",
    .see_also = "benchmem-cc(1), benchmem-report(1), benchmem-compare(1), "
                "benchmem-merge(1)",
};

void bm_run_options_read(struct bm_measuring *m, int argc, char **argv)
{
    add_options();
    bm_measuring_init(m);
    bm_command_parse(&command, argc, argv, &m->common, m);
}
