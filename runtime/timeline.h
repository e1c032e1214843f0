/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The course of live bytes over allocated bytes, where timeline=1 asks for it:
 * at most BM_MAX_MOMENTS stretches of equal length, each with the largest
 * live that an allocation in it left. When the stretches are used up they are
 * joined two by two and become twice as long, so that the course is complete
 * and of bounded size whatever the program does.
 *
 * Called by the long ways alone: with the option on, no event takes a short
 * one. Guard held. One thread at a time looks; an event of another one that
 * comes meanwhile is passed over, so that with several threads the course is
 * a sample. With one it is exact.
 */
#ifndef BENCHMEM_RUNTIME_TIMELINE_H
#define BENCHMEM_RUNTIME_TIMELINE_H

#include "hidden.h"
#include "options.h"

#include <stdint.h>

struct bm_thread;

#define BM_MAX_MOMENTS 1024

/* Before the first event, once the options are known. */
void bm_timeline_start(void);

/* An allocation of this size was counted. */
void bm_timeline_look(struct bm_thread *thread, uint64_t size);

static inline void bm_timeline_alloc(struct bm_thread *thread, uint64_t size)
{
    if (__builtin_expect(bm_options.timeline != 0, 0))
        bm_timeline_look(thread, size);
}

/* Bytes allocated so far; 0 without the option. */
uint64_t bm_timeline_now(void);

void bm_timeline_after_fork(void);

#endif
