/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How the process was started: program, arguments, folder, environment. Read
 * once, at the first event, which may be before libc's own initializers have
 * run; so it comes from the start of the stack rather than from libc. Kept
 * for forked children. Constant afterwards.
 */
#ifndef BENCHMEM_RUNTIME_LAUNCH_H
#define BENCHMEM_RUNTIME_LAUNCH_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

struct bm_launch {
    int nr_arguments;
    char **arguments;   /* the program's own, borrowed; may be NULL */
    char **environment; /* the same */
    char program[PATH_MAX];
    char cwd[PATH_MAX]; /* empty if it is unknown */
    char host[65];      /* uname(2) */
    const char *rank;   /* MPI rank; NULL outside MPI */
    bool is_secure;     /* set-user-id and the like: AT_SECURE */
};

/* False where the start of the stack is not yet known: too early. */
bool bm_launch_read(struct bm_launch *out);

/* The file name of the program. */
const char *bm_launch_name(const struct bm_launch *launch);

/*
 * Whether it is a throw-away program of configure, CMake or Meson, which
 * must leave nothing behind.
 */
bool bm_launch_is_probe(const struct bm_launch *launch);

#endif
