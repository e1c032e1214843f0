/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "outer.h"

#include "entry.h"
#include "guard.h"
#include "runtime.h"
#include "start.h"

/* From a hook of new or strdup to its malloc; generous, replaced ones too. */
#define MAX_DISTANCE ((uintptr_t)64 * 1024)

static struct bm_thread *this_thread(void)
{
    void *frame = __builtin_frame_address(0);
    struct bm_thread *thread = bm_guard_enter(frame);

    if (!thread)
        thread = bm_enter_slow(frame, false);
    if (thread)
        bm_guard_leave(thread);
    return thread;
}

void bm_outer_begin(struct bm_outer_scope *scope,
                    const struct bm_caller *caller, struct bm_use *use,
                    enum bm_kind kind)
{
    scope->thread = this_thread();
    if (bm_forward) {
        bm_forward->outer_begin(scope, caller, use, kind);
        return;
    }
    if (!scope->thread)
        return;
    scope->before = scope->thread->outer;
    scope->thread->outer =
        (struct bm_outer){.use = use, .caller = *caller, .kind = kind};
}

void bm_outer_end(struct bm_outer_scope *scope)
{
    if (scope->thread)
        scope->thread->outer = scope->before;
}

static void record_made(struct bm_thread *thread, void *memory, size_t size,
                        const struct bm_outer *outer)
{
    struct bm_node *node = bm_entry_node_slow(
        thread, &outer->caller, outer->use, (enum bm_kind)outer->kind);

    if (node)
        bm_record_alloc_slow(thread, memory, size, node->key, outer->caller.sp);
    else
        bm_record_dropped(thread);
}

void bm_outer_made(struct bm_outer_scope *scope, void *memory, size_t size)
{
    struct bm_thread *thread;
    struct bm_outer outer;

    if (bm_forward) {
        bm_forward->outer_made(scope, memory, size);
        return;
    }
    if (!bm_is_late || !scope->thread)
        return;
    outer = scope->thread->outer;
    thread = bm_guard_enter(__builtin_frame_address(0));
    if (!thread)
        return;
    if (!memory)
        bm_record_failure(thread);
    else
        record_made(thread, memory, size, &outer);
    bm_guard_leave(thread);
}

const struct bm_outer *bm_outer_around(struct bm_thread *thread,
                                       const struct bm_caller *caller)
{
    const struct bm_outer *outer = &thread->outer;

    if (outer->caller.sp - caller->sp < MAX_DISTANCE &&
        ((const uintptr_t *)outer->caller.sp)[-1] == outer->caller.pc)
        return outer;
    thread->outer.use = NULL;
    return NULL;
}
