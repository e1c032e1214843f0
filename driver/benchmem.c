/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * `benchmem CMD ...` is `benchmem-CMD ...`: runs the command that lies beside
 * this one, else on the PATH. Left out where another package owns the name.
 */
#include "base/error.h"
#include "base/str.h"
#include "base/strvec.h"
#include "driver/find.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PREFIX "benchmem-"

static const struct {
    const char *name;
    const char *meaning;
} commands[] = {
    {"cc", "compile C with clang and memory recording"},
    {"c++", "compile C++ with clang and memory recording"},
    {"run", "run a program and keep its profile"},
    {"report", "tables of where the memory goes"},
    {"sites", "allocation calls of source files, without a build"},
    {"flamegraph", "call paths as a flame graph"},
    {"compare", "runs side by side, and gates"},
    {"plot", "charts of runs"},
    {"sweep", "build and run one suite over several versions"},
    {"export", "profiles in other tools' formats"},
    {"merge", "many processes' profiles as one"},
    {"history", "stored runs and their series"},
    {"bisect", "a gate as a step of git bisect run"},
};

/* The command's path, or NULL where it is not installed. */
static char *find_command(const char *self, const char *name)
{
    struct bm_str file = BM_STR_INIT;
    bm_str_puts(&file, PREFIX);
    bm_str_puts(&file, name);
    char *path = bm_find_beside(self, file.data);
    if (!path && !strchr(name, '/'))
        path = bm_find_program(file.data, NULL);
    bm_str_clear(&file);
    return path;
}

static void print_help(const char *self)
{
    printf("Usage: benchmem COMMAND [ARGUMENT...]\n"
           "The same as benchmem-COMMAND; benchmem-COMMAND --help says more.\n"
           "\n"
           "Commands that are installed:\n");
    for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
        char *path = find_command(self, commands[i].name);
        if (path)
            printf("  %-12s %s\n", commands[i].name, commands[i].meaning);
        free(path);
    }
}

int main(int argc, char **argv)
{
    char *self = bm_find_self(argv[0]);
    const char *name = argc > 1 ? argv[1] : "--help";

    if (strcmp(name, "--help") == 0 || strcmp(name, "help") == 0) {
        print_help(self);
        return argc > 1 ? BM_EXIT_OK : BM_EXIT_USAGE;
    }
    if (strcmp(name, "--version") == 0) {
        printf("benchmem " BENCHMEM_VERSION "\n");
        return BM_EXIT_OK;
    }
    char *path = find_command(self, name);
    if (!path)
        bm_die("no command %s: see benchmem --help", name);
    argv[1] = path;
    execv(path, argv + 1);
    bm_die("cannot run %s: %s", path, strerror(errno));
}
