/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "announce.h"

#include "guard.h"
#include "runtime.h"

__attribute__((noinline)) void bm_announce(enum bm_announcement what,
                                           const struct bm_caller *caller,
                                           struct bm_use *use)
{
    static void (*const effects[])(struct bm_thread *, const struct bm_caller *,
                                   struct bm_use *) = {
        [BM_ANNOUNCE_NOTE] = bm_attribute_note,
        [BM_ANNOUNCE_RETURN_TO] = bm_attribute_return_to,
        [BM_ANNOUNCE_PUSH] = bm_attribute_push,
        [BM_ANNOUNCE_POP] = bm_attribute_pop,
    };
    void *frame = __builtin_frame_address(0);
    struct bm_thread *thread = bm_guard_enter(frame);

    if (__builtin_expect(!thread, 0)) {
        thread = bm_enter_slow(frame, false);
        if (!thread)
            return;
    }
    effects[what](thread, caller, use);
    bm_guard_leave(thread);
}

static inline void hand_on(enum bm_announcement what,
                           const struct bm_caller *caller, struct bm_use *use)
{
    if (__builtin_expect(bm_forward != NULL, 0))
        bm_forward->announce(what, caller, use);
    else
        bm_announce(what, caller, use);
}

__attribute__((visibility("default"), noinline)) void
__benchmem_note(struct bm_use *use, const uintptr_t *slot);
void __benchmem_note(struct bm_use *use, const uintptr_t *slot)
{
    struct bm_caller caller;

    if (slot) {
        caller = (struct bm_caller){.pc = *slot, .sp = (uintptr_t)(slot + 1)};
        hand_on(BM_ANNOUNCE_RETURN_TO, &caller, use);
        return;
    }
    BM_CALLER_HERE(&caller);
    hand_on(BM_ANNOUNCE_NOTE, &caller, use);
}

#define HOOK(name, what)                                                       \
    __attribute__((visibility("default"), noinline)) void name(                \
        struct bm_use *use);                                                   \
    void name(struct bm_use *use)                                              \
    {                                                                          \
        struct bm_caller caller;                                               \
                                                                               \
        BM_CALLER_HERE(&caller);                                               \
        hand_on(what, &caller, use);                                           \
    }

HOOK(__benchmem_push, BM_ANNOUNCE_PUSH)
HOOK(__benchmem_pop, BM_ANNOUNCE_POP)
