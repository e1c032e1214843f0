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
 * Needed once for each new piece of a path; costs the program nothing before.
 * Any thread, guard held.
 */
#ifndef BENCHMEM_RUNTIME_JUMPS_H
#define BENCHMEM_RUNTIME_JUMPS_H

#include "abi.h"

#include <stdint.h>

struct bm_code;
struct bm_thread;

/*
 * The path `outer`, which ends with the call `where` that returns to pc, with
 * what was left by jumps before the function of `inner`, the next frame.
 */
uint32_t bm_jumps_to_function(struct bm_thread *thread, uint32_t outer,
                              uintptr_t pc, const struct bm_frame *where,
                              const struct bm_code *inner);

/* The same where the function that use is in was left by a jump too. */
uint32_t bm_jumps_to_use(struct bm_thread *thread, uint32_t outer, uintptr_t pc,
                         const struct bm_frame *where,
                         const struct bm_use *use);

#endif
