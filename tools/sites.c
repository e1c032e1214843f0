/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * benchmem-sites: the allocation calls of source files, without a build.
 */
#include "tools/sites.h"

#include "base/command.h"
#include "base/error.h"
#include "base/output.h"

#include <string.h>

const char *const bm_survey_by_names[] = {
    [BM_SURVEY_BY_SITE] = "site",
    [BM_SURVEY_BY_FILE] = "file",
    [BM_SURVEY_BY_FUNCTION] = "function",
    [BM_SURVEY_BY_TYPE] = "type",
    NULL,
};

enum {
    KEY_BY = 1,
    KEY_SYSTEM,
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct bm_survey_options *options = state->input;

    switch (key) {
    case 'p':
        options->database = arg;
        return 0;
    case 'j':
        options->jobs = bm_option_count(state, "jobs", arg);
        if (!options->jobs)
            argp_error(state, "--jobs=0: at least one reads");
        return 0;
    case KEY_BY:
        options->by = (enum bm_survey_by)bm_option_choice(state, "by", arg,
                                                          bm_survey_by_names);
        return 0;
    case KEY_SYSTEM:
        options->system = true;
        return 0;
    case ARGP_KEY_ARG:
        bm_strvec_push(&options->sources, arg);
        return 0;
    case ARGP_KEY_END:
        if (options->flags && options->database)
            argp_error(state, "-p and flags behind -- are two sources of one "
                              "thing: give one of them");
        if (options->flags && !options->sources.count)
            argp_error(state, "flags behind --, but no file for them");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options_table[] = {
    {"path", 'p', "DIR|FILE", 0,
     "Read the compilation database FILE, or compile_commands.json in DIR", 0},
    {"by", KEY_BY, "WHAT", 0,
     "A row for each: site (an allocation call, the default), file, function "
     "or type",
     0},
    {"system", KEY_SYSTEM, NULL, 0,
     "List calls in system headers too; the table counts them in one line", 0},
    {"jobs", 'j', "N", 0,
     "Read N files at a time (default: as many as there are processors)", 0},
    {0},
};

static const struct bm_example examples[] = {
    {"benchmem-sites", "All files of compile_commands.json, here, in build/ or "
                       "in a folder above"},
    {"benchmem-sites -p build --by type", "How many calls allocate each type"},
    {"benchmem-sites bench.c util.c -- -Iinclude -DNDEBUG",
     "Two files, without a database"},
    {"benchmem-sites --format json -o sites.json",
     "For programs; ids are those of profiles and of coverage"},
    {NULL, NULL},
};

static const struct bm_command command = {
    .name = "benchmem-sites",
    .summary = "list the allocation calls of source files without a build",
    .arguments = "[SOURCE...] [-- FLAG...]",
    .description =
        "Reads the compilation database of a project (compile_commands.json, "
        "as CMake, Meson and bear write it) and lists every allocation call of "
        "its files: where it is, what it allocates, the size as written, and "
        "whether its function hands out what it allocates. SOURCE names files "
        "of the database that alone are read; with -- FLAG... there need be no "
        "database.\n\n"
        "Each file is parsed as its command says, but neither optimized nor "
        "compiled to the end, and nothing is written. The calls have the ids "
        "that they have in binaries of benchmem-cc, in profiles and in "
        "benchmem-report --coverage. Commands for gcc serve as well: options "
        "that clang does not know are dropped.\n\n"
        "A file that does not compile is told of in one line, and the others "
        "are read; the exit status is 2 then. -v shows what clang says of it, "
        "and which files benchmem-cc would not record.",
    .options = options_table,
    .parse = parse,
    .shares = BM_SHARES_OUTPUT | BM_SHARES_FORMAT,
    .examples = examples,
    .see_also = "benchmem-report(1), benchmem-cc(1)",
};

/* What is behind a "--"; argp would not tell it from the rest. */
static char **take_flags(int *argc, char **argv)
{
    for (int i = 1; i < *argc; i++)
        if (!strcmp(argv[i], "--")) {
            *argc = i;
            argv[i] = NULL;
            return argv + i + 1;
        }
    return NULL;
}

int main(int argc, char **argv)
{
    struct bm_survey_options options = {.sources = BM_STRVEC_INIT};
    struct bm_source_units units = {0};
    struct bm_survey survey = {.sites.binaries = BM_STRVEC_INIT};
    struct bm_output output;
    int status = BM_EXIT_USAGE;

    options.flags = take_flags(&argc, argv);
    bm_command_parse(&command, argc, argv, &options.common, &options);
    if (bm_output_open(&output, options.common.output, options.common.force))
        goto out;
    if (bm_source_units_find(&units, &options) ||
        bm_survey_read(&survey, &units, &options)) {
        bm_output_abandon(&output);
        goto out;
    }
    bm_survey_write(&survey, &units, &options, output.file);
    if (!bm_output_close(&output) && !survey.nr_failed)
        status = BM_EXIT_OK;
out:
    bm_survey_clear(&survey);
    bm_source_units_clear(&units);
    bm_strvec_clear(&options.sources);
    return status;
}
