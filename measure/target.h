/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The program that is measured, and starting it: each launch has its own
 * environment and folder for profiles, and everything else is ours.
 */
#ifndef BENCHMEM_MEASURE_TARGET_H
#define BENCHMEM_MEASURE_TARGET_H

#include "base/strvec.h"
#include "driver/child.h"
#include "driver/elf.h"
#include "driver/sections.h"
#include "measure/options.h"

struct bm_target {
    const char *path; /* of the executable */
    char **argv;
    enum bm_program kind;
    bool has_main;       /* the harness's, which takes BENCHMEM_ARGUMENTS */
    bool has_benchmarks; /* by its own or its functions' names */
    char *runtime;       /* to be loaded into it, or NULL */
    char *spawner;       /* what starts it where our size must not show */
    char *folder;        /* for profiles that nobody named, gone at the end */
    unsigned nr_launches;
};

/*
 * -1 after a line that says what is missing. self is this program; both paths
 * must outlive the target.
 */
int bm_target_init(struct bm_target *target, const char *path, char **argv,
                   const char *self);
void bm_target_clear(struct bm_target *target);

struct bm_wish {
    enum bm_mode mode;
    bool off;                    /* the recorder is not to be there at all */
    const char *options;         /* of the recorder, or NULL */
    struct bm_strvec *arguments; /* of the harness's main, or NULL */
    int stdout_fd;               /* -1: ours */
};

struct bm_launch {
    struct bm_child child;
    uint64_t start_ns;         /* since 1970 */
    struct bm_strvec profiles; /* of all its processes, where it wrote any */
};

/*
 * Runs the program once. -1 after a line that says why it could not be
 * started; how it ended is in launch->child. In rss mode its
 * child.peak_rss_bytes owes nothing to the size of this program.
 */
int bm_target_launch(struct bm_target *target, const struct bm_wish *wish,
                     struct bm_launch *launch);
void bm_launch_clear(struct bm_launch *launch);

/* What --list --format json of the harness's main prints. -1 likewise. */
int bm_target_list(struct bm_target *target, struct bm_strvec *arguments,
                   struct bm_str *out, struct bm_process_end *end);

#endif
