/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Stopping at an allocation: SIGTRAP, once, in the call that makes live bytes
 * reach stop_live or is the process's allocation number stop_allocation, so
 * that a debugger or a core file shows stack and heap as they are there. One
 * line on standard error says where it is.
 *
 * The block is counted and not yet handed out. With one thread and the same
 * input both are exact; with several, live bytes are those after the event
 * as this thread finds them.
 *
 * Called by the long ways alone: with an option on, no event takes a short
 * one. Guard held: what the debugger makes the program allocate meanwhile
 * counts as dropped. A forked child does not stop.
 */
#ifndef BENCHMEM_RUNTIME_STOP_H
#define BENCHMEM_RUNTIME_STOP_H

#include "hidden.h"
#include "options.h"

/* Before the first event, once the options are known. */
void bm_stop_start(void);

void bm_stop_after_fork(void);

/* An allocation was counted. */
void bm_stop_look(void);

static inline void bm_stop_alloc(void)
{
    if (__builtin_expect(
            (bm_options.stop_live | bm_options.stop_allocation) != 0, 0))
        bm_stop_look();
}

#endif
