/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "runtime.h"

#include "access.h"
#include "api.h"
#include "ends.h"
#include "entries.h"
#include "file.h"
#include "guard.h"
#include "measure.h"
#include "nested.h"
#include "operators.h"
#include "own.h"
#include "process.h"
#include "saves.h"
#include "start.h"
#include "windows.h"

union bm_state_page bm_state_page __attribute__((aligned(BM_STATE_PAGE)));
struct bm_guard bm_guard_none = {BM_MODE_NEVER, BM_MODE_NEVER};
struct bm_guard bm_guard_attaching = {BM_MODE_INSIDE, 0};
BM_TLS struct bm_guard *bm_guard = &bm_guard_none;
const struct bm_runtime *bm_forward;

static struct bm_thread *enter(struct bm_thread *thread, void *frame)
{
    bm_guard_mark(thread, frame);
    bm_guard = &thread->guard;
    return thread;
}

static struct bm_thread *attach(void *frame)
{
    struct bm_thread *thread;

    bm_guard = &bm_guard_attaching;
    thread = bm_thread_claim(bm_started_pid());
    if (!thread || !bm_thread_begin(thread)) {
        bm_guard = &bm_guard_none;
        return NULL;
    }
    return enter(thread, frame);
}

/* The thread is inside already, and may be without a record. */
static struct bm_thread *reenter(void *frame, bool allocates)
{
    struct bm_thread *thread = bm_guard_thread();

    if (!thread)
        return NULL;
    switch (bm_nested_kind((uintptr_t)frame, thread->inside_frame,
                           thread->inside_pc)) {
    case BM_NESTED_SIGNAL:
        if (allocates)
            bm_record_dropped(thread);
        return NULL;
    case BM_NESTED_STALE:
        bm_record_dropped(thread); /* the event that was left */
        bm_saves_left(thread);
        return enter(thread, frame);
    case BM_NESTED_INNER:
        break;
    }
    return NULL;
}

/* The thread is outside, but what its short ways rely on has changed. */
static struct bm_thread *renew(struct bm_thread *thread, void *frame)
{
    enter(thread, frame);
    bm_record_renew(thread);
    return thread;
}

static bool claim_start(void)
{
    uint32_t cold = BM_COLD;

    /*
     * Acquire keeps the start behind the claim. It pairs with no release: a
     * process begins cold, and a forked child alone.
     */
    return atomic_compare_exchange_strong_explicit(
        &bm_state_page.state, &cold, BM_STARTING, memory_order_acquire,
        memory_order_relaxed);
}

static struct bm_thread *start(void *frame)
{
    struct bm_thread *thread = bm_guard_thread();
    enum bm_state state;

    bm_guard = &bm_guard_attaching;
    if (!bm_has_started())
        bm_forward = bm_next_find_runtime();
    if (bm_forward) {
        bm_next = bm_forward->interposed;
        bm_own_take();
        state = BM_FORWARD;
    } else {
        state = bm_start(&thread);
    }
    bm_guard = state == BM_MEASURING ? &thread->guard : &bm_guard_none;
    if (state == BM_RUNNING)
        enter(thread, frame);
    bm_state_set(state);
    return state == BM_RUNNING ? thread : NULL;
}

/*
 * A forked child's first call. Is it made inside an event (a handler forked),
 * the rest of that event still goes to the parent's map: it is made private.
 */
static struct bm_thread *start_cold(void *frame)
{
    if (bm_has_started() && bm_guard_is_inside()) {
        bm_file_orphan();
        return NULL;
    }
    return claim_start() ? start(frame) : NULL;
}

BM_RARE struct bm_thread *bm_enter_slow(void *frame, bool allocates)
{
    if (!bm_next.malloc)
        bm_next_find();
    switch (bm_state_get()) {
    case BM_RUNNING:
        if (bm_guard_is_inside())
            return reenter(frame, allocates);
        return bm_guard == &bm_guard_none ? attach(frame)
                                          : renew(bm_guard_thread(), frame);
    case BM_COLD:
        return start_cold(frame);
    default:
        return NULL;
    }
}

/* While only windows are measured no other event gets this far. */
static struct bm_thread *enter_measuring(void *frame)
{
    if (bm_guard_is_inside())
        return NULL;
    return bm_guard == &bm_guard_none ? attach(frame)
                                      : enter(bm_guard_thread(), frame);
}

struct bm_thread *bm_enter_window(void *frame)
{
    struct bm_thread *thread = bm_guard_enter(frame);

    if (!thread)
        thread = bm_enter_slow(frame, false);
    if (!thread && bm_state_get() == BM_MEASURING)
        thread = enter_measuring(frame);
    return thread;
}

/* ---- benchmark functions ---- */

static void enter_benchmark(const struct bm_caller *caller,
                            struct bm_bench *bench, const uint64_t *values)
{
    struct bm_thread *thread = bm_enter_window(__builtin_frame_address(0));

    if (!thread)
        return;
    bm_window_enter(thread, caller, bench, values);
    bm_guard_leave(thread);
}

static void leave_benchmark(const struct bm_caller *caller,
                            const struct bm_bench *bench)
{
    uint64_t now = bm_measure_time();
    void *frame = __builtin_frame_address(0);
    struct bm_thread *thread = bm_state_get() == BM_MEASURING
                                   ? bm_enter_window(frame)
                                   : bm_guard_enter(frame);

    if (!thread)
        return;
    bm_window_leave(thread, caller, bench, now);
    bm_guard_leave(thread);
}

void __benchmem_enter(struct bm_bench *bench, const uint64_t *values)
{
    struct bm_caller caller;

    BM_CALLER_HERE(&caller);
    if (bm_state_get() == BM_COLD)
        bm_enter_slow(__builtin_frame_address(0), false);
    if (bm_forward)
        bm_forward->enter(&caller, bench, values);
    else
        enter_benchmark(&caller, bench, values);
}

void __benchmem_leave(struct bm_bench *bench)
{
    struct bm_caller caller;

    BM_CALLER_HERE(&caller);
    if (bm_forward)
        bm_forward->leave(&caller, bench);
    else
        leave_benchmark(&caller, bench);
}

/* ---- code built with --benchmem-access ---- */

struct bm_access_map *bm_runtime_access_start(void)
{
    void *frame = __builtin_frame_address(0);
    struct bm_thread *thread = bm_guard_enter(frame);
    struct bm_access_map *map;

    if (!thread)
        thread = bm_enter_slow(frame, false);
    if (!thread)
        return NULL;
    map = bm_access_start();
    bm_guard_leave(thread);
    return map;
}

/* ---- other copies ---- */

static struct bm_follower *followers;

static void follow(struct bm_follower *follower)
{
    follower->next = followers;
    followers = follower;
}

static void unfollow(struct bm_follower *follower)
{
    struct bm_follower **at = &followers;

    while (*at && *at != follower)
        at = &(*at)->next;
    if (*at)
        *at = follower->next;
}

void bm_runtime_stop(void)
{
    bm_file_flag(BM_STATE_STOPPED);
    bm_state_set(BM_STOPPED);
    for (struct bm_follower *at = followers; at; at = at->next)
        at->stop();
}

void bm_runtime_stop_following(void)
{
    bm_state_set(BM_STOPPED);
    bm_forward = NULL;
    bm_next_find();
}

#define BM_FAMILY(symbol, kind, signature) .symbol = bm_interposed_##symbol,
#define OWN_HOOK(symbol, kind, signature) .symbol = bm_hook_##symbol,

const struct bm_runtime bm_runtime = {
    .interposed =
        {
#define BM_HOOKED BM_FAMILY_OF
#include "allocators.inc"
            .free = bm_interposed_free,
            /* libc.a itself calls it, behind this archive. */
            ._exit = bm_interposed__exit,
#ifndef BM_STATIC
            .dlclose = bm_interposed_dlclose,
            .quick_exit = bm_interposed_quick_exit,
            .vfork = bm_interposed_vfork,
            .execve = bm_interposed_execve,
            .execvpe = bm_interposed_execvpe,
            .fexecve = bm_interposed_fexecve,
#endif
        },
    .hooks =
        {
#undef BM_FAMILY
#define BM_FAMILY OWN_HOOK
#define BM_HOOKED BM_FAMILY_OF
#include "allocators.inc"
#undef BM_FAMILY
        },
#ifndef BM_STATIC
    .operators = &bm_interposed_operators,
#endif
    .outer_begin = bm_outer_begin,
    .outer_end = bm_outer_end,
    .outer_made = bm_outer_made,
    .enter = enter_benchmark,
    .leave = leave_benchmark,
    .announce = bm_announce,
    .api = &bm_api,
    .exits = bm_process_note_exit,
    .becomes = bm_process_note_becomes,
    .stays = bm_process_note_stays,
    .image_add = bm_runtime_image_add,
    .image_remove = bm_runtime_image_remove,
    .follow = follow,
    .unfollow = unfollow,
    .access_start = bm_runtime_access_start,
};

extern const struct bm_runtime benchmem_runtime_v1
    __attribute__((alias("bm_runtime"), visibility("default")));
