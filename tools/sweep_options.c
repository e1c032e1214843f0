/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/sweep.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    KEY_BUILD = 0x100,
    KEY_RUN,
    KEY_SUITE,
    KEY_VARIANT,
    KEY_PREFIX,
    KEY_KEEP,
};

static const struct argp_option options[] = {
    {"build", KEY_BUILD, "COMMAND", 0,
     "Builds a version: a command for the shell, in the folder of the version",
     0},
    {"run", KEY_RUN, "COMMAND", 0,
     "Runs what was built, in the same way; its profiles are the run", 0},
    {"suite", KEY_SUITE, "PATH", 0,
     "Lay today's PATH, a file or folder below the current one, over each "
     "version before it is built; more than one can be given",
     0},
    {"variant", KEY_VARIANT, "NAME:VAR=VALUE", 0,
     "Build and run with this environment variable; several of one NAME "
     "belong together, several names are measured in turn (each version with "
     "each)",
     0},
    {"prefix", KEY_PREFIX, "TEXT", 0,
     "Put TEXT in front of the names that runs are saved as", 0},
    {"keep", KEY_KEEP, NULL, 0, "Keep the folders of the versions", 0},
    {"force", 'f', NULL, 0, "Replace saved runs of the same names", 0},
    {0},
};

static const struct bm_example examples[] = {
    {"benchmem-sweep v1.0 HEAD --build 'make CC=benchmem-cc bench' --run "
     "./bench",
     "Two revisions of the repository that this is"},
    {"benchmem-sweep v1.0 HEAD --suite bench --build ... --run ...",
     "Today's benchmarks on both, also where v1.0 had none"},
    {"benchmem-sweep --variant O2:CFLAGS=-O2 --variant O3:CFLAGS=-O3 --run "
     "./try",
     "What two sets of flags do to memory; try builds and runs"},
    {NULL, NULL},
};

static void check_usage(const struct bm_sweep_options *o,
                        struct argp_state *state)
{
    if (!o->command)
        argp_error(state, "nothing to run: give the command with --run");
    if (!o->versions.count && !o->variants.count)
        argp_error(state, "nothing to sweep over: name revisions or folders, "
                          "or variants with --variant");
    for (size_t i = 0; i < o->suite.count; i++) {
        const char *path = o->suite.items[i];

        if (*path == '/' || strstr(path, ".."))
            argp_error(state, "--suite %s: not below the current folder", path);
        if (access(path, R_OK))
            argp_error(state, "--suite %s: %s", path, strerror(errno));
    }
}

static void add_variant(struct bm_sweep_options *o, struct argp_state *state,
                        const char *arg)
{
    const char *colon = strchr(arg, ':');
    const char *equals = colon ? strchr(colon, '=') : NULL;

    if (!equals || colon == arg || equals == colon + 1)
        argp_error(state, "--variant %s: not NAME:VARIABLE=VALUE", arg);
    bm_strvec_push(&o->variants, arg);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct bm_sweep_options *o = state->input;

    switch (key) {
    case KEY_BUILD:
        o->build = arg;
        return 0;
    case KEY_RUN:
        o->command = arg;
        return 0;
    case KEY_SUITE:
        bm_strvec_push(&o->suite, arg);
        return 0;
    case KEY_VARIANT:
        add_variant(o, state, arg);
        return 0;
    case KEY_PREFIX:
        o->prefix = arg;
        return 0;
    case KEY_KEEP:
        o->keep = true;
        return 0;
    case 'f':
        o->common.force = true;
        return 0;
    case ARGP_KEY_ARG:
        bm_strvec_push(&o->versions, arg);
        return 0;
    case ARGP_KEY_SUCCESS:
        check_usage(o, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct bm_command bm_sweep_command = {
    .name = "benchmem-sweep",
    .summary = "build and run one suite over several versions",
    .arguments = "[REVISION|FOLDER...]",
    .description =
        "Builds and runs each version in a folder of its own and saves one run "
        "for each in .benchmem, under the version's name. A version is a git "
        "revision of the repository that the current folder is in, a folder "
        "with sources, or a variant of environment variables (compilers, "
        "flags). Nothing of the working tree is touched.\n\n"
        "The commands find this benchmem first in PATH. Where the current "
        "folder is below the repository's top, they run in the same folder of "
        "the version. What they print goes to .benchmem/sweep/NAME.log.\n\n"
        "A version that cannot be built or run is listed with the reason, the "
        "others go on, and the exit status is 1. At the end the commands that "
        "compare and draw the runs are printed.",
    .options = options,
    .parse = parse,
    .examples = examples,
    .exit_status = "1 if a version could not be built, run or saved.",
    .see_also = "benchmem-compare(1), benchmem-plot(1), benchmem-bisect(1)",
};
