/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "nested.h"

#include "sys.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#define NR_SIGNALS 64

/*
 * A signal handler's frame lies below the kernel's signal frame, which holds
 * at least the machine context and the floating-point state: nearer than
 * this can be no handler. (Linux, arch/x86/include/asm/sigframe.h,
 * arch/arm64/kernel/signal.c.)
 */
#define MIN_SIGNAL_FRAME ((uintptr_t)1024)

/* As far as the stack is searched for a signal frame. */
#define MAX_SEARCH ((uintptr_t)256 * 1024)

static bool is_on_signal_stack(void)
{
    stack_t stack;

    return bm_syscall(SYS_sigaltstack, 0, (long)&stack, 0, 0, 0, 0) == 0 &&
           (stack.ss_flags & SS_ONSTACK);
}

#if defined(__x86_64__)

/* The kernel's struct sigaction, which libc's is translated to. */
struct kernel_sigaction {
    uintptr_t handler;
    unsigned long flags;
    uintptr_t restorer;
    unsigned long mask;
};
#define SA_RESTORER_FLAG 0x04000000ul

/* The code that every handler returns to; libc has one. 0: no handlers. */
static uintptr_t find_restorer(void)
{
    struct kernel_sigaction action;

    for (int i = 1; i <= NR_SIGNALS; i++)
        if (bm_syscall(SYS_rt_sigaction, i, 0, (long)&action,
                       sizeof(action.mask), 0, 0) == 0 &&
            (action.flags & SA_RESTORER_FLAG) && action.handler > 1)
            return action.restorer;
    return 0;
}

static bool has_signal_frame(uintptr_t from, uintptr_t to)
{
    uintptr_t restorer = find_restorer();

    if (!restorer)
        return false;
    for (const uintptr_t *word = (const uintptr_t *)from;
         word < (const uintptr_t *)to; word++)
        if (*word == restorer)
            return true;
    return false;
}

#else

/* The kernel's frame has a fixed part of 4 KiB; no allocator nests so deep. */
static bool has_signal_frame(uintptr_t from, uintptr_t to)
{
    return to - from > 4096;
}

#endif

enum bm_nested bm_nested_kind(uintptr_t frame, uintptr_t outer_frame,
                              uintptr_t outer_pc)
{
    if (frame == outer_frame || ((uintptr_t *)outer_frame)[1] != outer_pc)
        return BM_NESTED_STALE;
    if (frame < outer_frame && outer_frame - frame < MIN_SIGNAL_FRAME)
        return BM_NESTED_INNER;
    if (is_on_signal_stack())
        return BM_NESTED_SIGNAL;
    if (frame > outer_frame)
        return BM_NESTED_STALE;
    if (outer_frame - frame > MAX_SEARCH)
        return BM_NESTED_SIGNAL;
    return has_signal_frame(frame, outer_frame) ? BM_NESTED_SIGNAL
                                                : BM_NESTED_INNER;
}
