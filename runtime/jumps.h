/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Functions that were left by a jump (a call in tail position) and so have
 * no frame on the stack: found again for the path, after the fact.
 *
 * A direct call says in its machine code which function it called. If the
 * next frame is another function's, the called one was left by a jump; its
 * jumps are in the table of calls, so that the way from it to the next frame
 * can be followed as far as there is but one. A function that is certain to
 * have been left while its jump is not known comes without a line. Behind a
 * call through a pointer nothing can be told.
 *
 * Slow, and found out once for each pair of functions (codes.h).
 * Any thread, guard held.
 */
#ifndef BENCHMEM_RUNTIME_JUMPS_H
#define BENCHMEM_RUNTIME_JUMPS_H

#include "abi.h"

#include <stdint.h>

struct bm_code;
struct bm_thread;

/* Chains of jumps are followed no further. */
#define BM_MAX_JUMPS 32

/* Frames of functions that were left by jumps, the outermost first. */
struct bm_jumps {
    uint32_t nr;
    uint32_t frames[BM_MAX_JUMPS];
};

/*
 * Where the function starts that the call `where`, which returns to pc,
 * called by its name; 0 if that is not known.
 */
uintptr_t bm_jumps_called(uintptr_t pc, const struct bm_frame *where);

/* What was left by jumps between a call and the function of inner. */
void bm_jumps_to_function(struct bm_thread *thread, struct bm_jumps *jumps,
                          const struct bm_code *call,
                          const struct bm_code *inner);

/* The same where the function that use is in was left by a jump too. */
void bm_jumps_to_use(struct bm_thread *thread, struct bm_jumps *jumps,
                     const struct bm_code *call, const struct bm_use *use);

/* The path `outer` with them. */
uint32_t bm_jumps_below(struct bm_thread *thread, uint32_t outer,
                        const struct bm_jumps *jumps);

#endif
