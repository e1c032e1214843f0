/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A second opinion on every stack that the recorder walks: libunwind walks it
 * too, and the path is made anew from what libunwind saw, without anything
 * that the recorder keeps between walks. Routes (runtime/routes.h) and stamps
 * (runtime/stamps.h) are found and not taken: each is held against the walk.
 * Linked into programs in place of the recorder proper by the target
 * real-paths. At exit the numbers go to the file that BENCHMEM_CHECK_STACKS
 * names: stacks, frames, routes, how many differ, and of the first stack that
 * does the addresses.
 */
#include "runtime/calls.h"
#include "runtime/frames.h"
#include "runtime/jumps.h"
#include "runtime/memory.h"
#include "runtime/paths.h"
#include "runtime/routes.h"
#include "runtime/stack.h"
#include "runtime/stamps.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define UNW_LOCAL_ONLY
#include <libunwind.h>

#define MAX_FRAMES (1u << 15)
#define MAX_SHOWN 60

static _Atomic unsigned long nr_stacks, nr_frames, nr_routes, nr_different;
static char first_difference[1 << 13];
static _Thread_local uintptr_t *frames; /* by libunwind, innermost first */

/* Frames from the recorder's caller outward; 0 if it is not on the stack. */
static uint32_t by_libunwind(const struct bm_caller *caller)
{
    unw_context_t context;
    unw_cursor_t cursor;
    unw_word_t pc, sp;
    uint32_t nr = 0;

    unw_getcontext(&context);
    unw_init_local(&cursor, &context);
    do {
        unw_get_reg(&cursor, UNW_REG_IP, &pc);
        unw_get_reg(&cursor, UNW_REG_SP, &sp);
        if (pc == 0)
            break;
        if (nr > 0 || (pc == caller->pc && sp == caller->sp))
            frames[nr++] = pc;
    } while (nr < MAX_FRAMES && unw_step(&cursor) > 0);
    return nr;
}

/* An interrupted instruction is kept as the address behind it. */
static bool same_frames(const struct bm_stack_cache *stack, uint32_t depth,
                        uint32_t nr)
{
    if (nr != depth)
        return false;
    for (uint32_t i = 0; i < depth; i++) {
        uintptr_t pc = bm_stack_get(stack, depth - 1 - i)->pc;
        if (pc != frames[i] && pc != frames[i] + 1)
            return false;
    }
    return true;
}

/* Path and frame of one foreign frame below those given. */
static uint32_t foreign_below(struct bm_thread *thread, uint32_t outer,
                              uint32_t frame, bool is_run, bool native)
{
    if ((outer == BM_PATH_NONE && !native) || is_run)
        return outer;
    return bm_path_below(thread, outer, frame);
}

/* The path of all frames, from the outermost on. */
static uint32_t path_of(struct bm_stack_cache *stack, struct bm_thread *thread,
                        uint32_t depth, bool native)
{
    const struct bm_code *call = NULL;
    uint32_t path = BM_PATH_NONE;

    for (uint32_t i = 0; i < depth; i++) {
        const struct bm_code *code =
            bm_stack_code(stack, thread, bm_stack_get(stack, i)->pc);
        bool is_run =
            i && !call->where && call->frame == code->frame && !native;
        struct bm_jumps jumps = {0};
        if (i)
            bm_jumps_to_function(thread, &jumps, call, code);
        uint32_t below = bm_jumps_below(thread, path, &jumps);
        if (code->where)
            path = bm_path_below(thread, below,
                                 bm_frame_of_call(thread, code->where));
        else if (code->own)
            path = below;
        else
            path = foreign_below(thread, path ? below : path, code->frame,
                                 is_run, native);
        call = code;
    }
    return path;
}

static void keep_first(const struct bm_stack_cache *stack, uint32_t depth,
                       uint32_t nr, uint32_t path)
{
    size_t at = (size_t)snprintf(
        first_difference, sizeof(first_difference),
        "depth %u, by libunwind %u; path %u, anew %u\n", depth, nr,
        depth ? bm_stack_get(stack, depth - 1)->path : 0, path);

    for (uint32_t i = 0; i < MAX_SHOWN && (i < depth || i < nr); i++)
        at += (size_t)snprintf(
            first_difference + at, sizeof(first_difference) - at,
            "%3u %#lx %#lx\n", i,
            i < depth ? (unsigned long)bm_stack_get(stack, depth - 1 - i)->pc
                      : 0,
            i < nr ? (unsigned long)frames[i] : 0);
}

void bm_stack_check(struct bm_stack_cache *stack, struct bm_thread *thread,
                    const struct bm_caller *caller, uint32_t depth, bool native)
{
    if (!frames)
        frames = bm_map(MAX_FRAMES * sizeof(*frames));
    uint32_t nr = by_libunwind(caller);
    bool same = same_frames(stack, depth, nr);
    uint32_t kept = bm_stack_get(stack, depth - 1)->path;
    uint32_t path = same && kept != BM_PATH_FULL
                        ? path_of(stack, thread, depth, native)
                        : kept;

    atomic_fetch_add_explicit(&nr_stacks, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&nr_frames, depth, memory_order_relaxed);
    if (same && path == kept)
        return;
    if (atomic_fetch_add_explicit(&nr_different, 1, memory_order_relaxed) == 0)
        keep_first(stack, depth, nr, path);
}

void bm_stamp_check(uint32_t by_stamps, uint32_t path)
{
    if (by_stamps == BM_PATH_FULL)
        return;
    atomic_fetch_add_explicit(&nr_routes, 1, memory_order_relaxed);
    if (by_stamps == path)
        return;
    if (atomic_fetch_add_explicit(&nr_different, 1, memory_order_relaxed) == 0)
        snprintf(first_difference, sizeof(first_difference),
                 "path %u, by stamps %u\n", path, by_stamps);
}

static _Thread_local const struct bm_node *route_node;

void bm_route_check(const struct bm_node *node)
{
    route_node = node;
}

void bm_route_check_node(const struct bm_node *node)
{
    const struct bm_node *by_route = route_node;

    route_node = NULL;
    if (!by_route)
        return;
    atomic_fetch_add_explicit(&nr_routes, 1, memory_order_relaxed);
    if (node == by_route)
        return;
    if (atomic_fetch_add_explicit(&nr_different, 1, memory_order_relaxed) == 0)
        snprintf(first_difference, sizeof(first_difference),
                 "a route leads to another node\n");
}

/* After the program's own, and before the recorder's. */
__attribute__((destructor(102))) static void tell(void)
{
    const char *path = getenv("BENCHMEM_CHECK_STACKS");
    int fd =
        path ? open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
    if (fd < 0)
        return;
    dprintf(fd, "%lu %lu %lu %lu\n%s", nr_stacks, nr_frames, nr_routes,
            nr_different, first_difference);
    close(fd);
}
