/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Profiles of one folder gathered into runs: a process that no recorded
 * process started, and everything that it started. Only the first record of
 * each file is read.
 */
#ifndef BENCHMEM_RESULTS_RUNS_H
#define BENCHMEM_RESULTS_RUNS_H

#include "base/strvec.h"

#include <stddef.h>
#include <stdint.h>

struct bm_run_process {
    const char *path; /* borrowed */
    uint64_t pid;
    uint64_t parent_pid;
    uint64_t start_ns;
    size_t parent; /* index of the process that started it, or its own */
    size_t first;  /* index of its run's first process */
};

struct bm_runs {
    struct bm_run_process *processes;
    size_t nr_processes;
    size_t nr_runs;
    size_t newest; /* index of the first process of the newest run */
};

/*
 * Files that are no profiles are left out, with a warning. newest means
 * nothing if nr_processes is 0. paths must outlive runs.
 */
void bm_runs_init(struct bm_runs *runs, const struct bm_strvec *paths);

void bm_runs_clear(struct bm_runs *runs);

#endif
