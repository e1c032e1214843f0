/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Runs other programs, found along PATH. No shell is involved, and the child
 * gets no descriptor of ours but the standard ones.
 */
#ifndef BENCHMEM_BASE_PROCESS_H
#define BENCHMEM_BASE_PROCESS_H

#include "base/str.h"

/* How a program ended. */
struct bm_process_end {
    int status; /* exit status, -1 if it was killed */
    int signal; /* that killed it, else 0 */
};

/*
 * Whoever starts a program can leave SIGCHLD ignored; the kernel then forgets
 * how children end. Back to the default, for this process and those that it
 * starts. The functions below do so by themselves.
 */
void bm_process_hear_children(void);

/*
 * Runs argv (with NULL behind its last word) and waits. -1 with errno set if
 * it could not be started, else 0.
 */
int bm_process_run(char *const argv[], struct bm_process_end *end);

/* The same, with what it prints on standard output appended to *out. */
int bm_process_capture(char *const argv[], struct bm_str *out,
                       struct bm_process_end *end);

/* Where and how a child runs; members that are NULL change nothing. */
struct bm_process_place {
    const char *folder;    /* it starts here */
    const char *log;       /* both outputs are appended to this file,
                              and nothing can be read from input */
    char *const *settings; /* NAME=VALUE, ended by NULL: set besides
                              what is set already */
};

/* bm_process_run at a place. */
int bm_process_run_at(const struct bm_process_place *place, char *const argv[],
                      struct bm_process_end *end);

/* Path of a command in the folder of this one, the caller's to free; the name
   alone where that folder cannot be told. */
char *bm_process_sibling(const char *name);

/* What a shell would give: the exit status, or 128 and the signal. */
int bm_process_shell_status(const struct bm_process_end *end);

#endif
