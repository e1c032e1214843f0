/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Calls that come while the thread is inside the recorder: what kind of call
 * is it? Rare, so it may cost some system calls. Any thread.
 */
#ifndef BENCHMEM_RUNTIME_NESTED_H
#define BENCHMEM_RUNTIME_NESTED_H

#include <stdint.h>

enum bm_nested {
    BM_NESTED_INNER,  /* the allocator's own: one event with the outer one */
    BM_NESTED_SIGNAL, /* a signal handler's */
    BM_NESTED_STALE,  /* the outer entry was left by longjmp */
};

/*
 * frame is the nested entry's; the others are of the one that holds the
 * guard: its frame and its return address, which still stands above it
 * unless the frame is gone.
 */
enum bm_nested bm_nested_kind(uintptr_t frame, uintptr_t outer_frame,
                              uintptr_t outer_pc);

#endif
