/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "window_frame.h"

#include "calls.h"
#include "stack.h"
#include "threads.h"

#include <string.h>

static struct bm_stack_cache *stack_of(struct bm_thread *thread)
{
    if (!thread->attribution.stack)
        thread->attribution.stack = bm_stack_new();
    return thread->attribution.stack;
}

/*
 * A frame is not larger than this, or is not believed: the caller's own is
 * there, and reading it needs no check.
 */
#define MAX_FRAME ((uintptr_t)64 * 1024)

/* The frame that the caller returns to; false if that is unknown. */
static bool step_out(struct bm_thread *thread, const struct bm_caller *caller,
                     struct bm_caller *out)
{
    struct bm_stack_cache *stack = stack_of(thread);
    struct bm_readable readable = {caller->sp, caller->sp + MAX_FRAME};
    const uintptr_t *fp_slot;

    *out = *caller;
    return stack && bm_cfi_step(&bm_stack_code(stack, thread, caller->pc)->rule,
                                &readable, out, &fp_slot);
}

struct bm_window_frame bm_window_frame(struct bm_thread *thread,
                                       const struct bm_caller *caller,
                                       const struct bm_bench *bench)
{
    struct bm_window_frame frame = {.bench = bench, .sp = caller->sp};
    struct bm_caller outer;

    if (step_out(thread, caller, &outer)) {
        frame.cfa = outer.sp;
        frame.return_pc = outer.pc;
    }
    frame.top = bm_stack_top(thread, caller);
    return frame;
}

/* The function in whose code pc lies, not one inlined into it. */
static const struct bm_scope *function_at(uintptr_t pc)
{
    const struct bm_call *call = bm_calls_find(pc);
    const struct bm_frame *where = call ? bm_abi_at(&call->frame) : NULL;

    while (where && where->parent)
        where = bm_abi_at(&where->parent);
    return where ? bm_abi_at(&where->scope) : NULL;
}

/* A function is told by its name: it may have several scopes. */
static bool is_same_function(const struct bm_scope *a, const struct bm_scope *b)
{
    const char *name =
        bm_abi_at(a->linkage_name ? &a->linkage_name : &a->function);
    const char *other =
        bm_abi_at(b->linkage_name ? &b->linkage_name : &b->function);

    return !name || !other || strcmp(name, other) == 0;
}

/* What the benchmark's frame calls at pc; true also where nothing is known. */
static bool is_in_function(const struct bm_bench *bench, uintptr_t pc)
{
    const struct bm_frame *where = bm_abi_at(&bench->where);
    const struct bm_scope *own = where ? bm_abi_at(&where->scope) : NULL;
    const struct bm_scope *function = function_at(pc);

    return !own || !function || bench->reserved & BM_BENCH_MADE ||
           is_same_function(own, function);
}

/* Index of the place whose sp is cfa, by bisection: 0 is the outermost. */
static bool find_place(const struct bm_stack_cache *stack, uint32_t depth,
                       uintptr_t cfa, uint32_t *out)
{
    uint32_t low = 0, high = depth;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (bm_stack_get(stack, middle)->sp > cfa)
            low = middle + 1;
        else
            high = middle;
    }
    *out = low;
    return low < depth && bm_stack_get(stack, low)->sp == cfa;
}

bool bm_window_frame_is_gone(struct bm_thread *thread,
                             const struct bm_caller *caller,
                             const struct bm_window_frame *frame,
                             const struct bm_window_frame *inner)
{
    struct bm_stack_cache *stack = stack_of(thread);
    uintptr_t inner_end = inner->cfa ? inner->cfa : inner->sp + 1;
    uint32_t depth, i;

    /* Two frames that overlap are not there at the same time. */
    if (bm_window_frame_is_left(frame, inner_end))
        return true;
    if (!stack || !frame->cfa)
        return false;
    depth = bm_stack_walk(stack, thread, caller, false);
    if (depth < 2 || bm_stack_get(stack, 0)->sp != frame->top)
        return false; /* another stack: a coroutine of the window's thread */
    return !find_place(stack, depth, frame->cfa, &i) ||
           bm_stack_get(stack, i)->pc != frame->return_pc || i + 1 == depth ||
           !is_in_function(frame->bench, bm_stack_get(stack, i + 1)->pc);
}

bool bm_window_frame_is_leaving(struct bm_thread *thread,
                                const struct bm_caller *caller,
                                const struct bm_window_frame *frame)
{
    struct bm_caller outer;

    if (!frame->cfa || !step_out(thread, caller, &outer))
        return caller->sp >= frame->sp && caller->sp <= frame->top;
    return outer.sp >= frame->cfa && outer.sp <= frame->top;
}
