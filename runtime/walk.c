/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "frames.h"
#include "paths.h"
#include "stack.h"

/* Blocks of deeper stacks share their site's "other paths". */
#define MAX_DEPTH (1u << 14)

/* ---- whether what is kept still stands ---- */

static inline bool stands(const struct bm_stack_frame *frame)
{
    return *(const uintptr_t *)(frame->sp - 8) == frame->pc;
}

/*
 * Compares the return addresses of frames [first, frame) with the stack's
 * memory, from the innermost on: only if a frame stands is the next one's
 * place known. Those from the one returned on stand; first if all do.
 */
static inline __attribute__((always_inline)) const struct bm_stack_frame *
standing_from(const struct bm_stack_frame *first,
              const struct bm_stack_frame *frame)
{
    for (; frame - first >= 4; frame -= 4)
        if (!stands(frame - 1) || !stands(frame - 2) || !stands(frame - 3) ||
            !stands(frame - 4))
            break;
    while (frame > first && stands(frame - 1))
        frame--;
    return frame;
}

/*
 * The same of frames [0, depth) with the frame pointers that the way outward
 * depends on: how many from the outermost may have changed.
 */
static uint32_t changed_frames(const struct bm_stack_cache *stack,
                               uint32_t depth)
{
    const struct bm_stack_frame *frames = stack->frames;
    uint32_t changed =
        (uint32_t)(standing_from(frames, frames + depth) - frames);

    for (uint32_t w = stack->nr_watched; w-- > 0;) {
        uint32_t i = stack->watched[w];
        const struct bm_stack_pointer *pointer = &stack->pointers[i];
        if (i >= depth)
            continue;
        if (i + 1 <= changed)
            break;
        if (frames[i].unsteady ||
            (pointer->slot && *pointer->slot != pointer->fp))
            return i + 1;
    }
    return changed;
}

/* ---- the walk outward ---- */

struct walk {
    struct bm_stack_cache *stack;
    struct bm_thread *thread;
    const struct bm_caller *caller;
    uint32_t nr;   /* of fresh frames */
    bool unsteady; /* some were found by expressions */
};

/* Whether fresh frame nr, or one yet to come, was found by an expression. */
static bool is_unsteady(const struct walk *walk, uint32_t nr)
{
    return nr > 0 && walk->stack->fresh[nr - 1].code->rule.kind == BM_CFI_EXPR;
}

/* Where the frame pointer of fresh frame nr was saved, NULL: it was not. */
static const uintptr_t *slot_at(const struct walk *walk, uint32_t nr,
                                uintptr_t sp)
{
    const struct bm_cfi_rule *inner;

    if (nr == 0)
        return NULL;
    inner = &walk->stack->fresh[nr - 1].code->rule;
    if (inner->kind == BM_CFI_EXPR)
        return walk->stack->fresh_slots[nr];
    if (inner->fp_offset == BM_CFI_FP_KEPT)
        return NULL;
    return (const uintptr_t *)(sp + (uintptr_t)(intptr_t)inner->fp_offset);
}

/* The frame pointer register at fresh frame nr, which lies at sp. */
static uintptr_t pointer_at(const struct walk *walk, uint32_t nr, uintptr_t sp)
{
    for (;;) {
        const uintptr_t *slot = slot_at(walk, nr, sp);
        if (slot)
            return *slot;
        if (nr == 0)
            return walk->caller->fp;
        sp = walk->stack->fresh[--nr].sp;
    }
}

/* Room for another fresh frame, and one more. */
static bool has_room(struct walk *walk)
{
    return walk->nr + 1 < MAX_DEPTH &&
           (walk->nr + 1 < walk->stack->capacity || bm_stack_grow(walk->stack));
}

/*
 * Frames [changed, depth) stand as they stood, but the next one outward does
 * not: they join the fresh ones, and the walk goes on from the last of them.
 */
static bool keep_inner(struct walk *walk, uint32_t changed)
{
    struct bm_stack_cache *stack = walk->stack;

    for (uint32_t i = stack->depth; i-- > changed;) {
        if (!has_room(walk))
            return false;
        stack->fresh_slots[walk->nr] = stack->pointers[i].slot;
        stack->fresh[walk->nr++] = stack->frames[i];
        walk->unsteady |= stack->frames[i].unsteady;
    }
    bm_stack_cut(stack, changed);
    return true;
}

enum meeting {
    MET,     /* the walk is over */
    NOT_MET, /* it goes on, perhaps from a frame that was kept */
    NO_ROOM,
};

/*
 * The innermost frame kept lies where the walk is. Perhaps it is below other
 * frames now: its frame pointer comes from where the present walk found it.
 */
static enum meeting meet(struct walk *walk)
{
    struct bm_stack_cache *stack = walk->stack;
    uint32_t top = stack->depth - 1;
    struct bm_stack_frame *frame = &stack->frames[top];

    if (frame->matters &&
        stack->pointers[top].fp != pointer_at(walk, walk->nr, frame->sp))
        return NOT_MET;
    bm_stack_cut(stack, top);
    stack->depth = top + 1;
    stack->pointers[top].slot = slot_at(walk, walk->nr, frame->sp);
    frame->unsteady = is_unsteady(walk, walk->nr);
    if (frame->unsteady || frame->matters)
        stack->watched[stack->nr_watched++] = top;

    uint32_t changed = changed_frames(stack, top);
    if (changed == 0)
        return MET;
    return keep_inner(walk, changed) ? NOT_MET : NO_ROOM;
}

/* From the last fresh frame to the next. False at the outermost. */
static bool step(struct walk *walk, struct bm_stack_frame *next)
{
    struct bm_stack_cache *stack = walk->stack;
    const struct bm_stack_frame *last = &stack->fresh[walk->nr - 1];
    const struct bm_cfi_rule *rule = &last->code->rule;
    struct bm_caller frame = {.pc = last->pc, .sp = last->sp};
    const uintptr_t *slot;

    if (rule->kind <= BM_CFI_BOTTOM)
        return false;
    frame.fp = pointer_at(walk, walk->nr - 1, last->sp);
    if (!bm_cfi_step(rule, &stack->range, &frame, &slot))
        return false;
    stack->fresh_slots[walk->nr] = slot;
    walk->unsteady |= rule->kind == BM_CFI_EXPR;
    next->sp = frame.sp;
    next->pc = frame.pc;
    return true;
}

/* Unwinds from the caller until a frame that is kept. False: no room. */
static bool walk_fresh(struct walk *walk)
{
    struct bm_stack_cache *stack = walk->stack;
    struct bm_stack_frame at = {.sp = walk->caller->sp, .pc = walk->caller->pc};

    do {
        const struct bm_stack_frame *top = &stack->frames[stack->depth];
        uint32_t nr = walk->nr;

        while ((--top)->sp < at.sp)
            ;
        stack->depth = (uint32_t)(top + 1 - stack->frames);
        if (top->sp == at.sp && top->pc == at.pc) {
            enum meeting meeting = meet(walk);

            if (meeting != NOT_MET)
                return meeting == MET;
            if (walk->nr != nr)
                continue;
        }
        if (!has_room(walk))
            return false;
        at.code = bm_code_get(&stack->codes, walk->thread, at.pc);
        stack->fresh[walk->nr++] = at;
    } while (step(walk, &at));
    bm_stack_cut(stack, 0);
    return true;
}

/* ---- the paths inward ---- */

/*
 * The path of frame i below that of the one outward, with the functions that
 * were left by jumps between them. A hook's frame adds no more than those.
 */
static uint32_t path_through(struct bm_stack_cache *stack,
                             struct bm_thread *thread, uint32_t i,
                             uint32_t outer, const struct bm_code *code)
{
    const struct bm_jumps *jumps = NULL;

    if (i)
        jumps = bm_code_jumps(&stack->codes, thread, stack->frames[i - 1].code,
                              code);
    if (jumps && jumps->nr)
        outer = bm_jumps_below(thread, outer, jumps);
    return code->own ? outer : bm_path_below(thread, outer, code->frame);
}

/* The path of a frame that benchmem-cc did not compile. */
static uint32_t foreign_path(struct bm_stack_cache *stack,
                             struct bm_thread *thread, uint32_t i,
                             uint32_t outer, struct bm_code *code)
{
    const struct bm_code *above = i ? stack->frames[i - 1].code : NULL;

    /* What starts a thread or the program is no part of the path. */
    if (outer == BM_PATH_NONE && !bm_stack_is_native && !code->linked)
        return outer;
    if (!code->frame)
        code->frame = bm_frame_foreign(thread, code->pc, false);
    /* One frame stands for a run of calls inside one module. */
    if (above && !above->where && above->frame == code->frame &&
        !bm_stack_is_native && !code->linked)
        return outer;
    return path_through(stack, thread, i, outer, code);
}

static __attribute__((noinline)) uint32_t
path_slowly(struct bm_stack_cache *stack, struct bm_thread *thread, uint32_t i,
            uint32_t outer, struct bm_code *code)
{
    uint32_t path = code->where || code->own
                        ? path_through(stack, thread, i, outer, code)
                        : foreign_path(stack, thread, i, outer, code);

    code->outer = outer;
    code->path = path;
    return path;
}

/* The same; mostly it is known, and nothing was left by a jump. */
static inline uint32_t path_of(struct bm_stack_cache *stack,
                               struct bm_thread *thread, uint32_t i,
                               uint32_t outer, const struct bm_code *above,
                               struct bm_code *code)
{
    uint32_t path;

    if (code->outer == outer)
        return code->path;
    if (!above->called || above->called == code->function) {
        if (code->own)
            return outer;
        path = code->where && outer != BM_PATH_FULL
                   ? bm_path_listed(outer, code->frame, 0)
                   : 0;
        if (path)
            return path;
    }
    return path_slowly(stack, thread, i, outer, code);
}

/* What frame i, made of the last fresh one, hangs on beside its place. */
static void watch(const struct walk *walk, uint32_t i)
{
    struct bm_stack_cache *stack = walk->stack;
    struct bm_stack_frame *frame = &stack->frames[i];
    const struct bm_cfi_rule *rule = &frame->code->rule;

    frame->unsteady = is_unsteady(walk, walk->nr);
    frame->matters =
        frame->code->depends || (rule->fp_offset == BM_CFI_FP_KEPT && i > 0 &&
                                 stack->frames[i - 1].matters);
    if (!frame->unsteady && !frame->matters)
        return;
    stack->pointers[i] = (struct bm_stack_pointer){
        slot_at(walk, walk->nr, frame->sp),
        pointer_at(walk, walk->nr, frame->sp),
    };
    stack->watched[stack->nr_watched++] = i;
}

/* Once for each: what the linker inlined around the hook, its address tells. */
static __attribute__((noinline)) void mark_own(struct bm_code *code)
{
    if (code->where || code->linked)
        return;
    code->own = true;
    code->outer = BM_CODE_NO_OUTER;
}

static bool has_room_to_join(struct walk *walk)
{
    while (walk->stack->depth + walk->nr >= walk->stack->capacity)
        if (walk->stack->depth + walk->nr >= MAX_DEPTH ||
            !bm_stack_grow(walk->stack))
            return false;
    return true;
}

/* Puts the fresh frames onto those that were kept, the outermost first. */
static void join_fresh(struct walk *walk)
{
    static const struct bm_code nothing;
    struct bm_stack_cache *stack = walk->stack;
    uint32_t i = stack->depth;

    /* Should a handler leave by siglongjmp, nothing half-made is kept. */
    stack->depth = 0;
    for (; walk->nr > 0; i++) {
        struct bm_stack_frame *frame = &stack->frames[i];

        *frame = stack->fresh[--walk->nr];
        frame->path =
            path_of(stack, walk->thread, i, i ? frame[-1].path : BM_PATH_NONE,
                    i ? frame[-1].code : &nothing, frame->code);
        watch(walk, i);
    }
    stack->depth = i;
}

static __attribute__((noinline)) uint32_t
walk_slowly(struct bm_stack_cache *stack, struct bm_thread *thread,
            const struct bm_caller *caller, bool hooked)
{
    struct walk walk = {stack, thread, caller, 0, false};

    /* A stack that is not aligned is none. */
    if (caller->sp <= stack->too_deep || caller->sp & 7)
        return 0;
    stack->too_deep = 0;
    if (!walk_fresh(&walk) || !has_room_to_join(&walk)) {
        bm_stack_cut(stack, 0);
        stack->too_deep = caller->sp;
        return 0;
    }
    if (hooked && walk.nr > 0)
        mark_own(stack->fresh[0].code);
    join_fresh(&walk);
    return stack->depth;
}

/*
 * The same if all frames are of fixed size, those that are kept as well, and
 * one that is kept is met; else 0, and nothing has changed.
 */
static inline uint32_t walk_shortly(struct bm_stack_cache *stack,
                                    struct bm_thread *thread,
                                    const struct bm_caller *caller, bool hooked)
{
    struct bm_stack_frame *const kept = stack->frames;
    struct bm_stack_frame *const first = stack->fresh;
    struct bm_stack_frame *const end = first + stack->capacity - 1;
    struct bm_stack_frame *fresh = first, *top = kept + stack->depth - 1;
    const uintptr_t low = stack->range.low + 8;
    const uintptr_t size = stack->range.high - stack->range.low;
    uintptr_t sp = caller->sp, pc = caller->pc, cfa;

    for (;;) {
        while (top->sp < sp)
            top--;
        if (top->sp == sp && top->pc == pc) {
            const struct bm_stack_frame *standing = standing_from(kept, top);

            if (standing == kept)
                break;
            if (top - standing >= end - fresh)
                return 0;
            /* As keep_inner does. */
            for (; top >= standing; top--)
                *fresh++ = *top;
            sp = fresh[-1].sp;
            cfa = sp + (uintptr_t)fresh[-1].code->rule.cfa_offset;
        } else {
            struct bm_code *code = bm_code_get(&stack->codes, thread, pc);

            cfa = sp + (uintptr_t)code->rule.cfa_offset;
            if (code->rule.kind != BM_CFI_SP || cfa - low >= size ||
                fresh == end)
                return 0;
            fresh->sp = sp;
            fresh->pc = pc;
            fresh->code = code;
            fresh++;
        }
        sp = cfa;
        pc = *(const uintptr_t *)(cfa - 8);
        if (!pc)
            return 0;
    }
    if (top - kept + (fresh - first) >= stack->capacity - 1)
        return 0;
    if (hooked && fresh > first && !first->code->own)
        mark_own(first->code);
    /* As join_fresh does. */
    stack->depth = 0;
    while (fresh > first) {
        struct bm_code *code = (--fresh)->code;
        struct bm_stack_frame *frame = top + 1;

        frame->sp = fresh->sp;
        frame->pc = fresh->pc;
        frame->code = code;
        frame->path = path_of(stack, thread, (uint32_t)(frame - kept),
                              top->path, top->code, code);
        frame->matters = frame->unsteady = false;
        top = frame;
    }
    stack->depth = (uint32_t)(top + 1 - kept);
    return stack->depth;
}

uint32_t bm_stack_walk(struct bm_stack_cache *stack, struct bm_thread *thread,
                       const struct bm_caller *caller, bool hooked)
{
    uint32_t depth = 0;

    stack->nr_steps = 0;
    if (bm_codes_sync(&stack->codes))
        bm_stack_cut(stack, 0);
    if (!stack->nr_watched && !stack->too_deep)
        depth = walk_shortly(stack, thread, caller, hooked);
    if (!depth)
        depth = walk_slowly(stack, thread, caller, hooked);
#ifdef BM_CHECK_STACK
    if (depth)
        bm_stack_check(stack, thread, caller, depth, bm_stack_is_native);
#endif
    return depth;
}
