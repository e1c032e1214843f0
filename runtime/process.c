/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "process.h"

#include "access.h"
#include "file.h"
#include "gauge.h"
#include "guard.h"
#include "head.h"
#include "runtime.h"
#include "start.h"
#include "sys.h"
#include "text.h"

#include "../profile/profile.h"
#include "../profile/records.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Only the low byte of a status reaches the parent: exit(3). */
#define STATUS_MASK 0xff

/*
 * clone(2) with CLONE_VM, and posix_spawn, give a child a stack of its own:
 * farther than this from where the thread last allocated, the kernel is asked
 * which process it is.
 */
#define NEAR ((uintptr_t)64 * 1024)

#define NAME_SIZE 1024 /* of a program that the process became */

/* musl has none: there exit calls _Exit by its name, in a static program. */
#pragma weak on_exit

static _Atomic bool has_vforked;

/* In a forked child without an event the map is the parent's. */
static uint64_t *own_state(void)
{
    return bm_state_is_active() ? bm_file_state() : NULL;
}

static void set_end(uint64_t *state, enum bm_end end, uint64_t value)
{
    bm_word_set(&state[BM_STATE_end_value], value);
    bm_word_set(&state[BM_STATE_end_kind], end);
}

static void note_exit(int status, void *argument)
{
    uint64_t *state = own_state();

    (void)argument;
    if (!state)
        return;
    bm_access_end();
    set_end(state, BM_END_STATUS, (uint64_t)status & STATUS_MASK);
}

void bm_process_watch_exit(void)
{
    if (bm_state_is_active() && on_exit)
        on_exit(note_exit, NULL);
}

static bool is_child(void)
{
    return bm_sys_getpid() != bm_started_pid();
}

static bool is_far(const void *frame)
{
    const struct bm_thread *thread = bm_guard_thread();
    uintptr_t distance;

    if (!thread || bm_guard_is_inside())
        return false;
    distance = (uintptr_t)frame - thread->inside_frame;
    return distance + NEAR > 2 * NEAR;
}

void bm_process_note_exit(int status, const void *frame, bool may_be_child)
{
    if (!own_state() || ((may_be_child || is_far(frame)) && is_child()))
        return;
    note_exit(status, NULL);
}

void bm_process_exits(int status, const void *frame)
{
    bool may_be_child =
        atomic_load_explicit(&has_vforked, memory_order_relaxed);

    if (!bm_next.malloc)
        bm_next_find();
    if (bm_forward)
        bm_forward->exits(status, frame, may_be_child);
    else
        bm_process_note_exit(status, frame, may_be_child);
}

void bm_process_shares_memory(void)
{
    if (!bm_next.malloc)
        bm_next_find();
    atomic_store_explicit(&has_vforked, true, memory_order_relaxed);
}

/* A name may be anything: the kernel says whether it can be read. */
static const char *readable(const char *name)
{
    return name && bm_syscall(SYS_faccessat, AT_FDCWD, (long)name, 0, 0, 0,
                              0) != -EFAULT
               ? name
               : NULL;
}

static bool note_name(struct bm_thread *thread, const char *name)
{
    char buffer[NAME_SIZE];
    struct bm_line line = bm_line_in(buffer, sizeof(buffer));

    bm_line_text(&line, "the process became another program, ");
    bm_line_text(&line, name);
    return bm_note(thread, line.text);
}

void bm_process_note_becomes(struct bm_exec *exec, const char *name)
{
    void *frame = __builtin_frame_address(0);
    uint64_t *state = own_state();

    if (!state || is_child())
        return;
    exec->thread = bm_guard_enter(frame);
    if (!exec->thread)
        exec->thread = bm_enter_slow(frame, false);
    if (!exec->thread)
        return;
    name = readable(name);
    exec->has_note = name && note_name(exec->thread, name);
    set_end(state, BM_END_EXEC, 0);
    bm_guard_leave(exec->thread);
}

void bm_process_note_stays(const struct bm_exec *exec)
{
    uint64_t *state = own_state();

    if (!state)
        return;
    set_end(state, BM_END_UNKNOWN, 0);
    if (exec->has_note)
        bm_file_take_back(exec->thread);
}

void bm_process_becomes(struct bm_exec *exec, const char *name)
{
    *exec = (struct bm_exec){0};
    if (!bm_next.malloc)
        bm_next_find();
    if (bm_forward)
        bm_forward->becomes(exec, name);
    else
        bm_process_note_becomes(exec, name);
}

void bm_process_stays(const struct bm_exec *exec)
{
    if (!exec->thread)
        return;
    if (bm_forward)
        bm_forward->stays(exec);
    else
        bm_process_note_stays(exec);
}
