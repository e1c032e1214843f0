/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The profile of a run: its name before, and its small form after.
 */
#ifndef BENCHMEM_DRIVER_RUN_PROFILE_H
#define BENCHMEM_DRIVER_RUN_PROFILE_H

#include "base/process.h"
#include "profile/profile.h"

#include <stdbool.h>
#include <sys/types.h>

/*
 * Makes sure that the recorder will write to path: absolute from here on
 * (owned by the caller), nothing there, or gone with force. NULL after a
 * line that says why not.
 */
char *bm_run_claim_output(const char *path, bool force);

/*
 * A path as a pattern of BENCHMEM_OUTPUT that stands for nothing else; owned
 * by the caller.
 */
char *bm_run_pattern(const char *path);

/* Of a process that ended, under .benchmem here; NULL if there is none. */
char *bm_run_default_profile(pid_t pid);

/* The end that we saw is that of the profile's process. */
void bm_run_set_end(struct bm_profile *profile,
                    const struct bm_process_end *end);

/*
 * Replaces the profile by its small form. Where it is that of process pid,
 * the end that we saw is the process's. A profile whose process still runs
 * stays as it is. -1 after a line that says what is wrong.
 */
int bm_run_finish_profile(const char *path, pid_t pid,
                          const struct bm_process_end *end);

#endif
