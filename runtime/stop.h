/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Stopping at an allocation: SIGTRAP, once, in the call that makes live bytes
 * reach stop_live or is the process's allocation number stop_allocation, so
 * that a debugger or a core file shows stack and heap as they are there. One
 * line on standard error says where it is.
 *
 * Live bytes are the process's, or with stop_benchmark those of one
 * benchmark's open pass, or with stop_site those of one site. With
 * stop_ordinal, the line says so where it is another allocation than that.
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

struct bm_node;

/* Before the first event, once the options are known. */
void bm_stop_start(void);

void bm_stop_after_fork(void);

/* The index of the benchmark or site that the options tell of, once met. */
void bm_stop_watch_benchmark(uint32_t benchmark);
void bm_stop_watch_site(uint32_t site);

/* An allocation was counted, in a node of the process. */
void bm_stop_look(const struct bm_node *node);

static inline void bm_stop_alloc(const struct bm_node *node)
{
    if (__builtin_expect(
            (bm_options.stop_live | bm_options.stop_allocation) != 0, 0))
        bm_stop_look(node);
}

#endif
