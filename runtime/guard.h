/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The guard: which thread this is, and whether it is inside the recorder.
 *
 *   struct bm_thread *thread = bm_guard_enter(frame);
 *   if (!thread)
 *       thread = bm_enter_slow(frame, ...);  // first call, forked child, ...
 *   if (!thread)
 *       return the real function's result;  // nothing is recorded
 *   ...
 *   bm_guard_leave(thread);
 *
 * One word tells both: a thread finds its record by thread-local storage, and
 * the record's mode is another while the thread is inside, so that an inner
 * call, be it the allocator's own or a signal handler's, finds that it is not
 * the recorder's, takes the slow way and is told apart there. The model is
 * initial-exec: reading the word calls nothing.
 */
#ifndef BENCHMEM_RUNTIME_GUARD_H
#define BENCHMEM_RUNTIME_GUARD_H

#include "mode.h"
#include "threads.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * What the recorder does. Outside BM_RUNNING every entry takes the slow way.
 * It lies in a page that the kernel clears in a forked child (see
 * process.h), so a child finds BM_COLD at its first call, whatever made it.
 */
enum bm_state {
    BM_COLD,     /* not yet started, or not in this process */
    BM_STARTING, /* some thread is at it */
    BM_RUNNING,
    BM_FORWARD,   /* another copy in this process is the recorder */
    BM_MEASURING, /* windows alone: see measure.h */
    BM_STOPPED,   /* turned off, or it could not be started */
};

#define BM_TLS __thread __attribute__((tls_model("initial-exec")))

/* The first member of the calling thread's record, or one of these. */
extern BM_TLS struct bm_guard *bm_guard BM_HIDDEN;
extern struct bm_guard bm_guard_none BM_HIDDEN;      /* it has no record */
extern struct bm_guard bm_guard_attaching BM_HIDDEN; /* one is being made */

static inline bool bm_guard_is_inside(void)
{
    return bm_guard->mode == BM_MODE_INSIDE;
}

/* The calling thread, if it has a record that is complete. */
static inline struct bm_thread *bm_guard_thread(void)
{
    struct bm_guard *guard = bm_guard;

    return guard == &bm_guard_none || guard == &bm_guard_attaching
               ? NULL
               : (struct bm_thread *)guard;
}

static inline enum bm_state bm_state_get(void)
{
    /* Acquire pairs with the release in bm_state_set: what starting wrote. */
    return (enum bm_state)atomic_load_explicit(&bm_state_page.state,
                                               memory_order_acquire);
}

static inline void bm_state_set(enum bm_state state)
{
    /* Pair with the acquires in bm_state_get and bm_record_renew. */
    atomic_store_explicit(&bm_state_page.state, (uint32_t)state,
                          memory_order_release);
    atomic_store_explicit(&bm_state_page.mode, state == BM_RUNNING,
                          memory_order_release);
}

/* Whether a profile is being written. */
static inline bool bm_state_is_active(void)
{
    enum bm_state state = bm_state_get();

    return state == BM_RUNNING || state == BM_MEASURING;
}

/* Remembers which entry it is that is inside. */
static inline __attribute__((always_inline)) void
bm_guard_mark(struct bm_thread *thread, const void *frame)
{
    thread->inside_frame = (uintptr_t)frame;
    thread->inside_pc = ((const uintptr_t *)frame)[1];
    thread->guard.mode = BM_MODE_INSIDE;
    /* A signal handler from here on sees that the thread is inside. */
    atomic_signal_fence(memory_order_seq_cst);
}

/* frame is the entry's own, __builtin_frame_address(0). */
static inline struct bm_thread *bm_guard_enter(void *frame)
{
    struct bm_guard *guard = bm_guard;
    struct bm_thread *thread = (struct bm_thread *)guard;

    if (__builtin_expect(guard == &bm_guard_none || bm_guard_is_inside() ||
                             bm_state_get() != BM_RUNNING,
                         0))
        return NULL;
    bm_guard_mark(thread, frame);
    return thread;
}

/*
 * The same in two steps for the malloc family: the calling thread, if it is
 * outside and may take the short ways; then its entry.
 */
static inline struct bm_thread *bm_guard_ready(void)
{
    struct bm_guard *guard = bm_guard;

    return __builtin_expect(bm_mode_get() == guard->mode, 1)
               ? (struct bm_thread *)guard
               : NULL;
}

/* To be expanded in the entry itself, whose frame is remembered. */
static inline __attribute__((always_inline)) void
bm_guard_take(struct bm_thread *thread)
{
    bm_guard_mark(thread, __builtin_frame_address(0));
}

/*
 * The thread that took the guard, read anew where keeping it through a call
 * would take up a register.
 */
static inline struct bm_thread *bm_guard_taken(void)
{
    return (struct bm_thread *)bm_guard;
}

/* The frame of the entry that is inside. */
static inline const uintptr_t *bm_guard_inside(const struct bm_thread *thread)
{
    return (const uintptr_t *)thread->inside_frame;
}

/* Whether no block is recorded, and none will be. */
static inline bool bm_guard_is_off(void)
{
    return bm_state_get() >= BM_MEASURING;
}

static inline void bm_guard_leave(struct bm_thread *thread)
{
    /* A signal handler that finds the thread outside finds all done. */
    atomic_signal_fence(memory_order_seq_cst);
    /* Stored, not changed: the next entry need not wait for a sum of all. */
    thread->guard.mode = thread->guard.seen;
}

#endif
