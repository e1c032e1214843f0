/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Starting: in a process of its own, and again in a forked child. Called by
 * the one thread that moved the state from cold to starting.
 */
#ifndef BENCHMEM_RUNTIME_START_H
#define BENCHMEM_RUNTIME_START_H

#include "guard.h"

/*
 * Opens the profile and makes everything ready. The state to go on with:
 * running or measuring, stopped where that failed;
 * BM_COLD where it is too early. *thread is the caller's record: in a forked
 * child the one that it had (or NULL), on success the one that it has.
 */
enum bm_state bm_start(struct bm_thread **thread);

/* Whether this process or one that forked it has started before. */
bool bm_has_started(void);

/* From recording to measuring windows alone, before there was one. */
void bm_start_measuring(struct bm_thread *thread, uint32_t measure);

/* Whether malloc could not be taken over: only hooks are called. */
extern bool bm_is_late BM_HIDDEN;

/* The id of the process that was started. */
uint32_t bm_started_pid(void);

#endif
