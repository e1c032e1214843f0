/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * benchmem-export: profiles in other tools' formats.
 */
#include "tools/export.h"

#include "base/command.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/locate.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/strvec.h"
#include "results/choose.h"
#include "tools/inputs.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Of a benchmark's id, in the name of a file. */
#define MOST_OF_ID 120

enum {
    KEY_FORMAT = 0x100,
    KEY_LIST,
    KEY_METRIC,
    KEY_AT,
    KEY_BENCHMARK,
    KEY_PROCESS,
};

enum at {
    AT_DEFAULT,
    AT_PEAK,
    AT_END,
};

/* What was asked for. */
struct options {
    struct bm_common common;
    struct bm_strvec args;
    const struct bm_export_format *format;
    bool list;
    enum bm_metric metric;
    bool metric_given;
    enum at at;
    const char *benchmark; /* id or part of it, may be NULL */
    bool process;
};

static const struct argp_option option_table[] = {
    {"format", KEY_FORMAT, "NAME", 0,
     "Format to write; without it, the one that the suffix of FILE says", 0},
    {"list-formats", KEY_LIST, NULL, 0,
     "List the formats, their suffixes and who reads them", 0},
    {"metric", KEY_METRIC, "METRIC", 0,
     "Number to write: peak (bytes held at the peak, the default), allocated "
     "(bytes), allocations (calls) or leaked (bytes live at the end). pprof "
     "holds all of them and shows this one first",
     0},
    {"at", KEY_AT, "WHEN", 0,
     "What is in use is that at the peak (the default) or at the end", 0},
    {"benchmark", KEY_BENCHMARK, "ID", 0,
     "Write one benchmark alone: its exact id, or a part that only one has", 0},
    {"process", KEY_PROCESS, NULL, 0,
     "Write the whole process alone, also where there are benchmarks", 0},
    {0},
};

static const struct bm_example examples[] = {
    {"benchmem-export --format pprof b.bmem && go tool pprof -http : b.pb.gz",
     "In pprof's pages, benchmarks told apart by labels"},
    {"benchmem-export --format folded -o - | flamegraph.pl >peak.svg",
     "The newest run as a flame graph of what held the peak"},
    {"benchmem-export --format speedscope --metric allocated bench.bmem",
     "For speedscope.app: bytes allocated, one profile for each benchmark"},
    {"benchmem-export --format csv --benchmark 'bench_sort[n=100]' -o sort.csv",
     "Every call path of one benchmark as a table"},
    {NULL, NULL},
};

static const struct bm_export_format *find_format(struct argp_state *state,
                                                  const char *name)
{
    const char *names[16] = {NULL};

    for (size_t i = 0; bm_export_formats[i]; i++)
        names[i] = bm_export_formats[i]->name;
    return bm_export_formats[bm_option_choice(state, "--format", name, names)];
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    static const char *const metrics[] = {"peak", "allocated", "allocations",
                                          "leaked", NULL};
    static const char *const whens[] = {"peak", "end", NULL};
    struct options *options = state->input;

    switch (key) {
    case KEY_FORMAT:
        options->format = find_format(state, arg);
        return 0;
    case KEY_LIST:
        options->list = true;
        return 0;
    case KEY_METRIC:
        /* In the order of enum bm_metric. */
        options->metric =
            (enum bm_metric)bm_option_choice(state, "--metric", arg, metrics);
        options->metric_given = true;
        return 0;
    case KEY_AT:
        options->at =
            bm_option_choice(state, "--at", arg, whens) ? AT_END : AT_PEAK;
        return 0;
    case KEY_BENCHMARK:
        options->benchmark = arg;
        return 0;
    case KEY_PROCESS:
        options->process = true;
        return 0;
    case ARGP_KEY_ARG:
        bm_strvec_push(&options->args, arg);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct bm_command command = {
    .name = "benchmem-export",
    .summary = "write profiles in other tools' formats",
    .arguments = "[PROFILE|FOLDER...]",
    .description =
        "Writes what a profile holds as another tool reads it. Without an "
        "argument the newest run below .benchmem is taken; a folder stands for "
        "the profiles in it.\n\n"
        "A file holds one metric, which is the bytes held at the moment of the "
        "peak if nothing else is asked for; its numbers are exact and add up "
        "to the profile's total. pprof and dhat hold what was allocated as "
        "well as what was held.\n\n"
        "folded, dhat, massif and callgrind hold the whole process, or one "
        "benchmark. speedscope, csv and ndjson hold the process and every "
        "benchmark, each apart. pprof adds up what is in its file: it holds "
        "every benchmark, with labels for its id and parameters, or the "
        "process if there are none.\n\n"
        "What each format cannot hold, and what its reader shows that "
        "profiles do not have, is in the documentation of the exports.",
    .options = option_table,
    .parse = parse,
    .shares = BM_SHARES_OUTPUT,
    .output = "Write to FILE (- is standard output) instead of a file beside "
              "the profile, whose name is printed",
    .examples = examples,
    .see_also = "benchmem-report(1), benchmem-flamegraph(1)",
};

static void list_formats(const struct bm_common *common)
{
    static const struct bm_column columns[] = {
        {"format", "format", 0},
        {"suffix", "suffix", 0},
        {"read by", "reader", BM_COLUMN_END},
    };
    struct bm_terminal terminal = bm_terminal_of(1, common->color);
    struct bm_table table;

    bm_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
    for (size_t i = 0; bm_export_formats[i]; i++) {
        struct bm_cell *row = bm_table_add_row(&table);

        row[0] = bm_cell_text(bm_export_formats[i]->name);
        row[1] = bm_cell_text(bm_export_formats[i]->suffix);
        row[2] = bm_cell_text(bm_export_formats[i]->reader);
    }
    bm_table_write(&table, stdout, BM_FORMAT_TABLE, &terminal);
    bm_table_clear(&table);
}

static bool ends_in(const char *name, const char *suffix)
{
    size_t size = strlen(name), suffix_size = strlen(suffix);

    return size >= suffix_size && !strcmp(name + size - suffix_size, suffix);
}

static void settle_format(struct options *options)
{
    for (size_t i = 0;
         !options->format && options->common.output && bm_export_formats[i];
         i++) {
        if (ends_in(options->common.output, bm_export_formats[i]->suffix))
            options->format = bm_export_formats[i];
    }
    if (!options->format)
        bm_die("no format: name one with --format; --list-formats lists them");
}

/* What --metric and --at mean together. */
static void settle_metric(struct options *options)
{
    bool of_use = options->metric == BM_METRIC_PEAK ||
                  options->metric == BM_METRIC_LEAKED;

    if (options->metric == BM_METRIC_LEAKED && options->at == AT_PEAK)
        bm_die("--metric leaked is what is in use at the end: leave out "
               "--at peak");
    if (options->metric_given && options->metric == BM_METRIC_PEAK &&
        options->at == AT_END)
        bm_die("--metric peak is what is in use at the peak: leave out "
               "--at end");
    if (options->at && !of_use && !options->format->all_metrics)
        bm_die("--at says when what is in use is looked at, which %s does not "
               "hold beside another metric",
               options->format->name);
    if (options->at == AT_END && of_use)
        options->metric = BM_METRIC_LEAKED;
    if (options->metric == BM_METRIC_LEAKED)
        options->at = AT_END;
}

/* ---- which benchmark ---- */

static const struct bm_benchmark_info *
find_benchmark(const struct bm_input *input, const char *wanted)
{
    struct bm_str why = BM_STR_INIT;
    const struct bm_benchmark_info *found =
        bm_choose_benchmark(input->profile, input->path, wanted, &why);

    if (!found)
        bm_die("--benchmark %s: %s", wanted, why.data);
    return found;
}

/* ---- where to ---- */

/* With what file names cannot hold, or shells would trip over, replaced. */
static void add_safe(struct bm_str *out, const char *text)
{
    for (size_t i = 0; text[i] && i < MOST_OF_ID; i++) {
        unsigned char c = (unsigned char)text[i];

        bm_str_putc(out, isalnum(c) || strchr("._=+,@%-", c) ? (char)c : '_');
    }
}

/* Beside the profile, with all in its name that was asked for. */
static void name_output(struct bm_str *out, const struct options *options,
                        const struct bm_input *input,
                        const struct bm_benchmark_info *benchmark)
{
    size_t size = strlen(input->path);

    if (ends_in(input->path, BM_PROFILE_SUFFIX))
        size -= strlen(BM_PROFILE_SUFFIX);
    bm_str_add(out, input->path, size);
    if (benchmark) {
        bm_str_putc(out, '.');
        add_safe(out, benchmark->id);
    } else if (options->process) {
        bm_str_puts(out, ".process");
    }
    if (options->format->all_metrics)
        bm_str_puts(out, options->at == AT_END ? ".end" : "");
    else if (options->metric != BM_METRIC_PEAK)
        bm_str_printf(out, ".%s", bm_metric_names[options->metric]);
    bm_str_puts(out, options->format->suffix);
}

/* For --verbose: what goes where. */
static void tell(const struct options *options, const struct bm_input *input,
                 const struct bm_export *export, const char *path)
{
    const char *of = !export->windows[0]       ? "the process"
                     : export->nr_windows == 1 ? export->windows[0]->id
                                               : "its benchmarks";
    struct bm_str line = BM_STR_INIT;

    bm_escape_terminal(&line, input->path);
    if (input->why)
        bm_str_printf(&line, " (%s)", input->why);
    bm_str_printf(&line, ": %s, %s of ", options->format->name,
                  bm_metric_meaning(export->metric));
    bm_escape_terminal(&line, of);
    bm_str_puts(&line, export->nr_windows > 1 && !export->windows[0]
                           ? " and its benchmarks"
                           : "");
    bm_str_puts(&line, " to ");
    bm_escape_terminal(&line, path);
    fprintf(stderr, "%s: %s\n", command.name, line.data);
    bm_str_clear(&line);
}

static int write_file(const struct options *options,
                      const struct bm_export *export, const char *path,
                      bool named)
{
    struct bm_output output;

    if (bm_output_open(&output, path, options->common.force || !named))
        return -1;
    options->format->write(export, output.file);
    if (bm_output_close(&output))
        return -1;
    if (!named)
        puts(path);
    return 0;
}

static int export_input(const struct options *options, struct bm_input *input)
{
    struct bm_str path = BM_STR_INIT;
    const struct bm_benchmark_info *benchmark = NULL;
    struct bm_export export = {
        .metric = options->metric,
        .metrics = 1u << options->metric | options->format->metrics,
        .at_end = options->at == AT_END,
    };

    if (bm_input_read(input))
        return -1;
    export.profile = input->profile;
    if (!input->profile->complete)
        bm_warn("%s is not complete; benchmem-report says what is missing",
                input->path);
    if (options->benchmark)
        benchmark = find_benchmark(input, options->benchmark);
    bm_export_choose(
        &export, options->process ? BM_EXPORT_PROCESS : options->format->scope,
        benchmark);
    if (!options->common.output)
        name_output(&path, options, input, benchmark);

    const char *target =
        options->common.output ? options->common.output : path.data;
    if (options->common.verbose)
        tell(options, input, &export, target);
    int result =
        write_file(options, &export, target, options->common.output != NULL);
    bm_str_clear(&path);
    bm_export_release(&export);
    return result;
}

/* A refusal comes before anything is read. */
static int check_output(const struct options *options)
{
    struct bm_output output;

    if (!options->common.output || !strcmp(options->common.output, "-"))
        return 0;
    if (bm_output_open(&output, options->common.output, options->common.force))
        return -1;
    bm_output_abandon(&output);
    return 0;
}

int main(int argc, char **argv)
{
    struct options options = {.args = BM_STRVEC_INIT};
    struct bm_inputs inputs = BM_INPUTS_INIT;
    int failed = 0;

    bm_command_parse(&command, argc, argv, &options.common, &options);
    if (options.list) {
        list_formats(&options.common);
        return BM_EXIT_OK;
    }
    settle_format(&options);
    settle_metric(&options);
    if (options.benchmark && options.process)
        bm_die("--benchmark and --process are two different things: give one");
    failed = check_output(&options);
    if (failed)
        goto out;

    bm_inputs_find(&inputs, &options.args);
    if (options.common.output && inputs.count > 1)
        bm_die("%s is one file, but there are %zu profiles: name one of them",
               options.common.output, inputs.count);
    for (size_t i = 0; i < inputs.count; i++)
        failed |= export_input(&options, &inputs.items[i]);

out:
    bm_inputs_clear(&inputs);
    bm_strvec_clear(&options.args);
    return failed ? BM_EXIT_USAGE : BM_EXIT_OK;
}
