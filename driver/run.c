/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * benchmem-run: runs a program and keeps its profile.
 */
#include "base/command.h"
#include "base/error.h"
#include "base/memory.h"
#include "driver/child.h"
#include "driver/elf.h"
#include "driver/find.h"
#include "driver/run_profile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Statuses of a shell for a program that does not start. */
#define EXIT_NOT_FOUND 127
#define EXIT_NOT_RUNNABLE 126

#define PRELOAD "../lib/benchmem/libbenchmem_rt.so"

struct run {
    const char *output;
    bool force;
    struct bm_str recorder; /* what BENCHMEM_OPTIONS gets, from the options */
    char **program;         /* with its arguments; of main's argv */
};

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

/* Keys of the recorder's options: this and the index. */
#define KEY_RECORDER 0x100

static struct argp_option options[2 + NR_RECORDER_OPTIONS + 1] = {
    {"output", 'o', "FILE", 0,
     "Keep the profile in FILE (.benchmem/PROGRAM.PID.bmem)", 0},
    {"force", 'f', NULL, 0, "Replace FILE if it exists", 0},
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

static void add_recorder_options(void)
{
    for (size_t i = 0; i < NR_RECORDER_OPTIONS; i++) {
        const struct recorder_option *from = &recorder_options[i];
        char *name = bm_xstrdup(from->name);
        for (char *c = name; *c; c++)
            if (*c == '_')
                *c = '-';
        options[2 + i] = (struct argp_option){
            .name = name,
            .key = (int)(KEY_RECORDER + i),
            .arg = value_name(from),
            .flags = is_switch(from) ? OPTION_ARG_OPTIONAL : 0,
            .doc = from->help,
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

static void take_recorder_option(struct run *run, size_t index, const char *arg,
                                 struct argp_state *state)
{
    const struct recorder_option *o = &recorder_options[index];
    const char *name = options[2 + index].name;

    if (!arg)
        arg = "1";
    if (o->names) {
        if (!is_one_of(arg, o->names))
            argp_error(state, "--%s %s: it is one of %s", name, arg, o->names);
    } else {
        uint64_t count = bm_option_count(state, name, arg);
        if (count < o->least || count > o->most)
            argp_error(state, "--%s %s: it is from %llu to %llu", name, arg,
                       (unsigned long long)o->least,
                       (unsigned long long)o->most);
    }
    bm_str_printf(&run->recorder, "%s%s=%s", run->recorder.size ? ":" : "",
                  o->name, arg);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct run *run = state->input;

    if (key >= KEY_RECORDER &&
        key < (int)(KEY_RECORDER + NR_RECORDER_OPTIONS)) {
        take_recorder_option(run, (size_t)(key - KEY_RECORDER), arg, state);
        return 0;
    }
    switch (key) {
    case 'o':
        run->output = arg;
        return 0;
    case 'f':
        run->force = true;
        return 0;
    case ARGP_KEY_ARG:
        /* The program's options are its own. */
        run->program = state->argv + state->next - 1;
        state->next = state->argc;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "which program?");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct bm_example examples[] = {
    {"benchmem-run -o base.bmem ./bench", "Keep the profile in base.bmem"},
    {"benchmem-run --paths=sites ./server --port 8080",
     "Record sites alone, without call paths"},
    {"benchmem-run --native -- python3 script.py",
     "Record a program as it is installed, with each of its frames"},
    {NULL, NULL},
};

static const struct bm_command command = {
    .name = "benchmem-run",
    .summary = "run a program and keep its profile",
    .arguments = "PROGRAM [ARGUMENT...]",
    .description =
        "Runs a program that was built with benchmem-cc, waits for it and "
        "packs its profile. A program that holds nothing built with "
        "benchmem-cc gets the recorder loaded into it, and its blocks are "
        "shown by module.\n\n"
        "Options behind PROGRAM are the program's. Processes that it starts "
        "write profiles of their own, FILE with their process number in it.",
    .options = options,
    .parse = parse,
    .stops_at_argument = true,
    .examples = examples,
    .exit_status =
        "Otherwise that of the program; 128 and the signal where "
        "one killed it; 126 and 127 where it cannot be run or found.",
    .see_also = "benchmem-cc(1), benchmem-report(1)",
};

/* Sets a variable that is a list, ours behind what is there. */
static void append_variable(const char *name, const char *value)
{
    const char *old = getenv(name);
    struct bm_str list = BM_STR_INIT;
    if (old && *old)
        bm_str_printf(&list, "%s:", old);
    bm_str_puts(&list, value);
    setenv(name, list.data, 1);
    bm_str_clear(&list);
}

/* First, so that the recorder sees every call before other preloads do. */
static int preload(const char *self)
{
    char *library = bm_find_beside(self, PRELOAD);
    const char *old = getenv("LD_PRELOAD");
    if (!library)
        return bm_error("cannot find %s beside %s: install benchmem again",
                        PRELOAD, self ? self : "benchmem-run");
    setenv("LD_PRELOAD", library, 1);
    if (old && *old)
        append_variable("LD_PRELOAD", old);
    free(library);
    return 0;
}

static int prepare(const struct run *run, const char *path, const char *output,
                   const char *self)
{
    if (run->recorder.size > 0)
        append_variable("BENCHMEM_OPTIONS", run->recorder.data);
    if (output) {
        char *pattern = bm_run_pattern(output);
        setenv("BENCHMEM_OUTPUT", pattern, 1);
        free(pattern);
    }
    switch (bm_program_kind(path)) {
    case BM_PROGRAM_PLAIN:
        return preload(self);
    case BM_PROGRAM_STATIC:
        bm_warn("%s: nothing can be recorded: it is linked statically and "
                "holds nothing built with benchmem-cc; build it with "
                "benchmem-cc, or link it dynamically",
                run->program[0]);
        return 0;
    default:
        return 0;
    }
}

static void finish(const char *program, const char *path, const char *output,
                   pid_t pid, const struct bm_process_end *end)
{
    if (end->signal)
        bm_error("%s: killed by signal %d: %s", program, end->signal,
                 strsignal(end->signal));
    char *found = output || getenv("BENCHMEM_OUTPUT")
                      ? NULL
                      : bm_run_default_profile(pid);
    const char *profile = output ? output : found;
    if (profile && access(profile, F_OK) == 0)
        bm_run_finish_profile(profile, pid, end);
    else if (output && bm_program_kind(path) != BM_PROGRAM_STATIC)
        bm_warn("%s wrote no profile: was it built with benchmem-cc?", program);
    free(found);
}

static int run_program(const struct run *run, const char *path,
                       const char *output)
{
    struct bm_process_end end;
    pid_t pid;

    if (bm_child_run(path, run->program, &pid, &end)) {
        bm_error("cannot run %s: %s", path, strerror(errno));
        return EXIT_NOT_RUNNABLE;
    }
    finish(run->program[0], path, output, pid, &end);
    return bm_process_shell_status(&end);
}

int main(int argc, char **argv)
{
    struct run run = {.recorder = BM_STR_INIT};
    struct bm_common common;
    char *self = bm_find_self(argv[0]);
    char *output = NULL;
    int status = BM_EXIT_USAGE;

    add_recorder_options();
    bm_command_parse(&command, argc, argv, &common, &run);
    char *path = bm_find_program(run.program[0], NULL);
    if (!path) {
        bool exists = access(run.program[0], F_OK) == 0;
        bm_error("cannot run %s: %s", run.program[0],
                 exists ? "not an executable file" : "no such program");
        status = exists ? EXIT_NOT_RUNNABLE : EXIT_NOT_FOUND;
        goto out;
    }
    if (run.output) {
        output = bm_run_claim_output(run.output, run.force);
        if (!output)
            goto out;
    }
    if (prepare(&run, path, output, self))
        goto out;
    status = run_program(&run, path, output);
out:
    free(path);
    free(output);
    free(self);
    bm_str_clear(&run.recorder);
    return status;
}
