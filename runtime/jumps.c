/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "jumps.h"

#include "calls.h"
#include "cfi.h"
#include "codes.h"
#include "frames.h"
#include "paths.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Functions of one search. */
#define MAX_VISITED 64

/* ---- what an instruction leads to ---- */

static uintptr_t relative(uintptr_t end, size_t size)
{
    int32_t wide;
    if (size == 1)
        return end + (uintptr_t)(intptr_t) * (const int8_t *)(end - 1);
    memcpy(&wide, (const void *)(end - 4), sizeof(wide));
    return end + (uintptr_t)(intptr_t)wide;
}

static bool starts_with(uintptr_t at, const char *bytes, size_t size)
{
    return memcmp((const void *)at, bytes, size) == 0;
}

/* The function that a stub of the procedure linkage table stands for. */
static uintptr_t through_plt(uintptr_t target)
{
    uintptr_t at = target, real;
    if (starts_with(at, "\xf3\x0f\x1e\xfa", 4)) /* endbr64 */
        at += 4;
    if (starts_with(at, "\xf2", 1)) /* bnd */
        at++;
    if (!starts_with(at, "\xff\x25", 2)) /* jmp *slot(%rip) */
        return target;
    memcpy(&real, (const void *)relative(at + 6, 4), sizeof(real));
    return real;
}

static bool is_function(uintptr_t address)
{
    uintptr_t start, end;
    return bm_cfi_function(address, &start, &end) && start == address;
}

/* A target that is believed: 0 unless a function starts there. */
static uintptr_t function_at(uintptr_t target)
{
    uintptr_t start, end;
    /* A stub has an entry too, perhaps for all stubs at once. */
    if (!bm_cfi_function(target, &start, &end))
        return 0;
    target = through_plt(target);
    return is_function(target) ? target : 0;
}

static uintptr_t loaded_from(uintptr_t end)
{
    uintptr_t target;
    memcpy(&target, (const void *)relative(end, 4), sizeof(target));
    return is_function(target) ? target : 0;
}

/* What the direct call that returns to pc called; 0 if it is not known. */
static uintptr_t called_by(uintptr_t pc)
{
#ifdef __x86_64__
    if (starts_with(pc - 5, "\xe8", 1))
        return function_at(relative(pc, 4));
    if (starts_with(pc - 6, "\xff\x15", 2)) /* call *slot(%rip) */
        return loaded_from(pc);
#endif
    (void)pc;
    return 0;
}

/*
 * What the direct jump that ends at `end` leads to, 0 if it is not known. The
 * forms are tried with those first that nothing else can look like, and what
 * is no function's start was no jump.
 */
static uintptr_t jumped_to(uintptr_t end)
{
#ifdef __x86_64__
    uintptr_t target = 0;
    if (starts_with(end - 6, "\xff\x25", 2)) /* jmp *slot(%rip) */
        target = loaded_from(end);
    /* The linker writes this over it where it knows the function. */
    if (!target && starts_with(end - 6, "\xe9", 1) &&
        starts_with(end - 1, "\x90", 1))
        target = function_at(relative(end - 1, 4));
    if (!target && (starts_with(end - 5, "\xe9", 1) ||
                    (starts_with(end - 6, "\x0f", 1) &&
                     (*(const uint8_t *)(end - 5) & 0xf0) == 0x80)))
        target = function_at(relative(end, 4));
    if (!target && (starts_with(end - 2, "\xeb", 1) ||
                    (*(const uint8_t *)(end - 2) & 0xf0) == 0x70))
        target = function_at(relative(end, 1));
    return target;
#else
    (void)end;
    return 0;
#endif
}

/* ---- functions and their jumps ---- */

static bool same_text(const int32_t *a, const int32_t *b)
{
    const char *x = bm_abi_at(a), *y = bm_abi_at(b);
    return x == y || (x && y && strcmp(x, y) == 0);
}

static bool same_scope(const struct bm_scope *a, const struct bm_scope *b)
{
    return same_text(&a->function, &b->function) &&
           same_text(&a->linkage_name, &b->linkage_name) &&
           same_text(&a->file, &b->file);
}

/* The function whose code a call is in, whatever was inlined there. */
static const struct bm_scope *scope_of(const struct bm_frame *where)
{
    const struct bm_frame *parent;
    while ((parent = bm_abi_at(&where->parent)) != NULL)
        where = parent;
    return bm_abi_at(&where->scope);
}

/* An instrumented function, as far as the table of calls knows it. */
struct function {
    uintptr_t start;
    const struct bm_scope *scope; /* NULL: nothing of it is in the table */
    const struct bm_call *calls;
    size_t nr_calls;
};

static struct function function_of(uintptr_t start)
{
    struct function f = {.start = start};
    uintptr_t from, end;
    if (!start || !bm_cfi_function(start, &from, &end))
        return f;
    f.calls = bm_calls_in(start, end, &f.nr_calls);
    if (f.calls)
        f.scope = scope_of(bm_abi_at(&f.calls[0].frame));
    return f;
}

/* Where a chain of jumps must end. */
struct goal {
    uintptr_t start;              /* of the function, 0: not known */
    const struct bm_scope *scope; /* its name, NULL: not compiled by us */
};

static bool is_goal(const struct goal *goal, const struct function *f)
{
    if (goal->start && f->start == goal->start)
        return true;
    return goal->scope && f->scope && same_scope(goal->scope, f->scope);
}

/* Functions that a search has been to. */
struct visited {
    uintptr_t starts[MAX_VISITED];
    unsigned nr;
};

static bool may_reach(const struct goal *goal, uintptr_t start,
                      struct visited *visited);

/* Whether a call of the table is a jump that may lead to the goal. */
static bool jump_may_reach(const struct goal *goal, const struct bm_call *call,
                           struct visited *visited)
{
    const struct bm_frame *where = bm_abi_at(&call->frame);
    if (!(where->flags & BM_FRAME_TAIL))
        return false;
    /* A jump through a pointer may lead anywhere. */
    if (where->flags & BM_FRAME_INDIRECT)
        return true;
    return may_reach(goal, jumped_to(bm_calls_end(call)), visited);
}

static bool may_reach(const struct goal *goal, uintptr_t start,
                      struct visited *visited)
{
    struct function f = function_of(start);
    if (!start || is_goal(goal, &f))
        return start != 0;
    /* What foreign code jumps to is not known; mostly code beside it. */
    if (!f.scope)
        return !goal->scope && bm_cfi_same_module(start, goal->start);
    for (unsigned i = 0; i < visited->nr; i++)
        if (visited->starts[i] == start)
            return false;
    /* Too many to tell: it may. */
    if (visited->nr == MAX_VISITED)
        return true;
    visited->starts[visited->nr++] = start;
    for (size_t i = 0; i < f.nr_calls; i++)
        if (jump_may_reach(goal, &f.calls[i], visited))
            return true;
    return false;
}

/* The one jump of a function that may lead to the goal; NULL: none or more. */
static const struct bm_call *only_jump(const struct goal *goal,
                                       const struct function *f)
{
    const struct bm_call *only = NULL;
    for (size_t i = 0; i < f->nr_calls; i++) {
        struct visited visited = {.starts = {f->start}, .nr = 1};
        if (!jump_may_reach(goal, &f->calls[i], &visited))
            continue;
        if (only)
            return NULL;
        only = &f->calls[i];
    }
    return only;
}

/* What was left by jumps from `start` to the goal. */
static void follow(struct bm_thread *thread, struct bm_jumps *jumps,
                   uintptr_t start, const struct goal *goal)
{
    while (jumps->nr < BM_MAX_JUMPS) {
        struct function f = function_of(start);
        if (!f.scope || is_goal(goal, &f))
            break;
        const struct bm_call *jump = only_jump(goal, &f);
        const struct bm_frame *where = jump ? bm_abi_at(&jump->frame) : NULL;
        jumps->frames[jumps->nr++] = where ? bm_frame_of_call(thread, where)
                                           : bm_frame_left(thread, f.scope);
        if (!where || where->flags & BM_FRAME_INDIRECT)
            break;
        start = jumped_to(bm_calls_end(jump));
    }
}

uintptr_t bm_jumps_called(uintptr_t pc, const struct bm_frame *where)
{
    if (where->flags & (BM_FRAME_INDIRECT | BM_FRAME_TAIL) || !where->callee)
        return 0;
    return called_by(pc);
}

void bm_jumps_to_function(struct bm_thread *thread, struct bm_jumps *jumps,
                          const struct bm_code *call,
                          const struct bm_code *inner)
{
    struct goal goal = {.start = inner->function};
    jumps->nr = 0;
    if (!call->called || !goal.start || call->called == goal.start)
        return;
    goal.scope =
        inner->where ? scope_of(inner->where) : function_of(goal.start).scope;
    follow(thread, jumps, call->called, &goal);
}

void bm_jumps_to_use(struct bm_thread *thread, struct bm_jumps *jumps,
                     const struct bm_code *call, const struct bm_use *use)
{
    struct goal goal = {.scope = scope_of(bm_abi_at(&use->where))};
    jumps->nr = 0;
    if (call->called)
        follow(thread, jumps, call->called, &goal);
}

uint32_t bm_jumps_below(struct bm_thread *thread, uint32_t outer,
                        const struct bm_jumps *jumps)
{
    uint32_t path = outer;
    for (uint32_t i = 0; i < jumps->nr; i++)
        path = bm_path_below(thread, path, jumps->frames[i]);
    return path;
}
