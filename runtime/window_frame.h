/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Where on which stack a benchmark function stands, and whether it still
 * does. Calling thread's stack only, guard held.
 */
#ifndef BENCHMEM_RUNTIME_WINDOW_FRAME_H
#define BENCHMEM_RUNTIME_WINDOW_FRAME_H

#include "attribute.h"

#include <stdbool.h>
#include <stdint.h>

struct bm_window_frame {
    const struct bm_bench *bench;
    uintptr_t sp;        /* in the function, at its entry hook */
    uintptr_t cfa;       /* once it has returned; 0 if unknown */
    uintptr_t return_pc; /* where it returns to */
    uintptr_t top;       /* outermost address of its stack that was seen */
};

/* The frame of the function that called a hook. */
struct bm_window_frame bm_window_frame(struct bm_thread *thread,
                                       const struct bm_caller *caller,
                                       const struct bm_bench *bench);

/* Whether an event from sp shows that the function was left. */
static inline bool bm_window_frame_is_left(const struct bm_window_frame *frame,
                                           uintptr_t sp)
{
    return sp > frame->sp && sp <= frame->top;
}

/*
 * Whether, as another benchmark is entered at `inner`, the function of
 * `frame` is no longer on the stack.
 */
bool bm_window_frame_is_gone(struct bm_thread *thread,
                             const struct bm_caller *caller,
                             const struct bm_window_frame *frame,
                             const struct bm_window_frame *inner);

/* Whether a leave hook's caller is the function itself, or further out. */
bool bm_window_frame_is_leaving(struct bm_thread *thread,
                                const struct bm_caller *caller,
                                const struct bm_window_frame *frame);

#endif
