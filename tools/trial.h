/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * One version of a program, built and run in its folder, and the run that it
 * left. For commands that hold versions against each other.
 *
 * Both commands are the shell's. They find this benchmem first in PATH, and
 * BENCHMEM_OUTPUT leads every profile into a folder that is ours and new.
 *
 *   1. bm_trial_run; what it failed with is in trial.outcome and trial.why
 *   2. use trial.run, NULL unless it went well
 *   3. bm_trial_clear, after which the profiles are gone
 */
#ifndef BENCHMEM_TOOLS_TRIAL_H
#define BENCHMEM_TOOLS_TRIAL_H

#include "base/str.h"
#include "base/strvec.h"
#include "results/results.h"

enum bm_trial_outcome {
    BM_TRIAL_OK,
    BM_TRIAL_NOT_BUILT,
    BM_TRIAL_NOT_RUN, /* it ended with an error */
    BM_TRIAL_NO_RUN,  /* it left no profile */
};

struct bm_trial {
    /* for the caller to fill in */
    const char *folder;
    const char *build; /* NULL: nothing to build */
    const char *command;
    const char *log; /* what both print is appended to it; NULL: shown */
    const struct bm_strvec *settings; /* NAME=VALUE; may be NULL */

    enum bm_trial_outcome outcome;
    struct bm_str why;
    struct bm_run *run;
    char *profiles; /* private: the folder that they are in */
};

void bm_trial_run(struct bm_trial *trial);
void bm_trial_clear(struct bm_trial *trial);

#endif
