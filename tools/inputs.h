/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Which profiles a command works on, and reading them.
 *
 * Arguments are files and folders; a folder stands for the profiles in it.
 * Without any, the nearest .benchmem is searched upwards and the newest run
 * in it is taken: the profile of its first process. A run is a process that
 * no recorded process started, with all that it started.
 */
#ifndef BENCHMEM_TOOLS_INPUTS_H
#define BENCHMEM_TOOLS_INPUTS_H

#include "base/strvec.h"
#include "profile/profile.h"
#include "symbols/symbols.h"

#include <stdbool.h>

struct bm_input {
    char *path;
    char *why;                  /* "newest of 3 in .benchmem/", or NULL */
    struct bm_strvec others;    /* profiles of the run's other processes */
    struct bm_profile *profile; /* NULL until bm_input_read */
    struct bm_symbols *symbols; /* names that it got when read, or NULL */
};

struct bm_inputs {
    struct bm_input *items;
    size_t count;
    size_t room;
    bool folder; /* a folder was named: its profiles are to choose from */
};
#define BM_INPUTS_INIT                                                         \
    {                                                                          \
        NULL, 0, 0, false                                                      \
    }

/*
 * Dies with the fix if there is nothing to read: a path that does not exist,
 * an empty folder, no .benchmem. args are borrowed for the call.
 */
void bm_inputs_find(struct bm_inputs *inputs, const struct bm_strvec *args);

/* Prints "cannot read FILE: byte N: why" and returns -1 on a fault. */
int bm_input_read(struct bm_input *input);

/* Reads all; drops what cannot be read. -1 if there was any. */
int bm_inputs_read(struct bm_inputs *inputs);

void bm_input_clear(struct bm_input *input);

void bm_inputs_clear(struct bm_inputs *inputs);

#endif
