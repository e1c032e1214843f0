/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The parts of benchmem-sweep. sweep_options.c reads the command line,
 * sweep_sources.c makes the folder of each version, tools/trial.h builds and
 * runs it, and sweep.c goes through them all.
 */
#ifndef BENCHMEM_TOOLS_SWEEP_H
#define BENCHMEM_TOOLS_SWEEP_H

#include "base/command.h"
#include "base/str.h"
#include "base/strvec.h"

struct bm_sweep_options {
    struct bm_common common;
    struct bm_strvec versions; /* revisions and folders */
    struct bm_strvec variants; /* NAME:VARIABLE=VALUE */
    struct bm_strvec suite;    /* laid over each version */
    const char *build;
    const char *command;
    const char *prefix; /* of the names that runs are saved as */
    bool keep;
};

/* The command; its input is a struct bm_sweep_options. */
extern const struct bm_command bm_sweep_command;

/* One thing to measure. */
struct bm_version {
    const char *label;  /* what tables call it */
    const char *source; /* revision or folder; NULL: the current folder */
    bool is_folder;
    struct bm_strvec settings; /* of the variant: NAME=VALUE */
    char *name;                /* that its run is saved as */
    char *folder;              /* its own copy of the source */
    char *place;               /* where in it the commands run */
    char *revision;            /* of the copy, NULL without git */
};

/*
 * Makes the version's own copy as folder: a worktree of a revision, or a copy
 * of a folder without its .git and .benchmem; then lays the suite over it.
 * False with the reason in *why.
 */
bool bm_sweep_make_source(struct bm_version *version, const char *folder,
                          const struct bm_strvec *suite, struct bm_str *why);

/* Removes the copy, also where making it failed half-way. */
void bm_sweep_remove_source(const struct bm_version *version);

#endif
