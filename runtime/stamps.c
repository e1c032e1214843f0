/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "stamps.h"

#include "frames.h"
#include "stack.h"
#include "threads.h"
#include "uses.h"

/* Longer ways to a stamp are left to bm_stack_walk. */
#define MAX_STEPS 32u

/*
 * A function on the way outward from a hook. All are instrumented, so that
 * the call frame information is a compiler's, and the memory a stack's: what
 * is at its places need not be doubted as on other stacks (stack.h).
 */
struct step {
    struct bm_code *code;
    uintptr_t cfa;          /* where its frame ends */
    struct bm_stamp *stamp; /* NULL: it has none */
};

struct way {
    struct bm_stack_cache *stack;
    struct bm_thread *thread;
    const struct bm_caller *caller;
    uint32_t nr;
    struct step steps[MAX_STEPS]; /* from the hook's caller outward */
};

static inline struct bm_code *code_at(const struct way *way, uintptr_t pc)
{
    return bm_code_get(&way->stack->codes, way->thread, pc);
}

static inline uintptr_t return_address(const struct step *step)
{
    return ((const uintptr_t *)step->cfa)[-1];
}

/* The slot where a function saved its caller's frame pointer, or NULL. */
static const uintptr_t *saved_fp(const struct step *step)
{
    int32_t offset = step->code->rule.fp_offset;

    return offset == BM_CFI_FP_KEPT
               ? NULL
               : (const uintptr_t *)(step->cfa + (uintptr_t)(intptr_t)offset);
}

/* Where the frame pointer register of the next step lies. */
static const uintptr_t *fp_slot(const struct way *way)
{
    for (uint32_t i = way->nr; i-- > 0;) {
        const uintptr_t *slot = saved_fp(&way->steps[i]);
        if (slot)
            return slot;
    }
    /* As the hook saved it. */
    return (const uintptr_t *)way->caller->sp - 2;
}

/* The frame pointer of an activation of such a function lies in its frame. */
static __attribute__((noinline)) bool
find_end_by_fp(const struct way *way, struct step *step, uintptr_t sp)
{
    const struct bm_cfi_rule *rule = &step->code->rule;

    step->cfa = *fp_slot(way) + (uintptr_t)(intptr_t)rule->cfa_offset;
    return rule->kind == BM_CFI_FP && step->cfa > sp &&
           step->cfa < way->stack->range.high;
}

/* The step of the function that lies at sp; false if it has no short one. */
static inline bool make_step(const struct way *way, struct step *step,
                             struct bm_code *code, uintptr_t sp)
{
    step->code = code;
    step->cfa = sp + (uintptr_t)(intptr_t)code->rule.cfa_offset;
    if (__builtin_expect(code->rule.kind != BM_CFI_SP, 0) &&
        !find_end_by_fp(way, step, sp))
        return false;
    step->stamp =
        code->stamp
            ? (struct bm_stamp *)(step->cfa + (uintptr_t)(intptr_t)code->stamp)
            : NULL;
    return true;
}

/* The function that called the hook, or one whose callee jumped to it. */
static inline bool make_first_step(struct way *way)
{
    const struct bm_caller *caller = way->caller;
    struct step *step = &way->steps[0];
    struct bm_code *code = code_at(way, caller->pc);

    if ((!code->own && !code->where) || !make_step(way, step, code, caller->sp))
        return false;
    if (code->own)
        step->stamp = caller->stamp;
    return true;
}

/* Outward to the first stamp that is set, whose step is the last. */
static inline bool find_stamp(struct way *way)
{
    if (!make_first_step(way))
        return false;
    for (;;) {
        struct step *step = &way->steps[way->nr];
        struct bm_code *code;

        if (step->stamp && bm_stamp_is_set(step->stamp))
            return true;
        if (++way->nr == MAX_STEPS)
            return false;
        code = code_at(way, return_address(step));
        if (!code->where || !make_step(way, step + 1, code, step->cfa))
            return false;
    }
}

/* The path of the function of `code` below that of what called it. */
static inline uint32_t path_of(struct bm_thread *thread, uint32_t outer,
                               const struct bm_code *code)
{
    uint32_t path;

    if (code->outer == outer)
        return code->path;
    if (outer == BM_PATH_FULL)
        return BM_PATH_FULL;
    path = bm_path_listed(outer, code->frame, 0);
    return path ? path : bm_path_below(thread, outer, code->frame);
}

/* With the functions that were left by jumps before that of inner. */
static inline uint32_t with_jumps(const struct way *way, uint32_t path,
                                  const struct bm_code *call,
                                  const struct bm_code *inner)
{
    const struct bm_jumps *jumps =
        bm_code_jumps(&way->stack->codes, way->thread, call, inner);

    return jumps && jumps->nr ? bm_jumps_below(way->thread, path, jumps) : path;
}

/* The path of that first function, with what was left on the way to the use. */
static __attribute__((noinline)) uint32_t
path_to_use(const struct way *way, uint32_t path, const struct bm_use *use)
{
    struct bm_code *code = way->steps[0].code;

    path = path_of(way->thread, path, code);
    return bm_jumps_below(
        way->thread, path,
        bm_code_jumps_to_use(&way->stack->codes, way->thread, code, use));
}

/* Inward from that step; the path above the call of the hook. */
static inline uint32_t path_inward(struct way *way, const struct bm_use *use)
{
    struct step *step = &way->steps[way->nr];
    uint32_t path = bm_stamp_path(step->stamp);

    for (; step > way->steps; step--) {
        path = path_of(way->thread, path, step->code);
        path = with_jumps(way, path, step->code, step[-1].code);
        if (step[-1].stamp)
            bm_stamp_set(step[-1].stamp, path);
    }
    return way->steps[0].code->own ? path : path_to_use(way, path, use);
}

/* Sets the stamps of the stack that was just walked from caller. */
static void take_walk(const struct bm_stack_cache *stack,
                      const struct bm_caller *caller)
{
    for (uint32_t i = stack->depth; i-- > 1;) {
        const struct bm_stack_frame *frame = bm_stack_get(stack, i);
        const struct bm_code *code = frame->code;
        struct bm_stamp *stamp = NULL;

        if (i + 1 == stack->depth)
            stamp = caller->stamp;
        if (!stamp && code->where && code->stamp)
            stamp = (struct bm_stamp *)(frame[-1].sp +
                                        (uintptr_t)(intptr_t)code->stamp);
        if (!stamp || frame->path == BM_PATH_FULL)
            continue;
        if (bm_stamp_is_set(stamp))
            return;
        bm_stamp_set(stamp,
                     code->own ? frame->path : bm_path_at(frame->path)->outer);
    }
}

/* Where there is no such way. BM_PATH_FULL if the stack cannot be walked. */
static __attribute__((noinline)) uint32_t
path_by_walk(struct bm_stack_cache *stack, struct bm_thread *thread,
             const struct bm_caller *caller, const struct bm_use *use)
{
    uint32_t depth = bm_stack_walk(stack, thread, caller, true);

    stack->nr_steps = 0;
    if (!depth)
        return BM_PATH_FULL;
    take_walk(stack, caller);
    return bm_stack_path_to_use(stack, thread, depth - 1, use);
}

/* The path above the call of a hook. */
static inline uint32_t path_above(struct bm_thread *thread,
                                  const struct bm_caller *caller,
                                  const struct bm_use *use)
{
    struct bm_stack_cache *stack = bm_stack_of(thread);
    struct way way;
    uint32_t path = BM_PATH_FULL;

    if (!stack)
        return BM_PATH_FULL;
    if (bm_codes_sync(&stack->codes))
        bm_stack_cut(stack, 0);
    way.stack = stack;
    way.thread = thread;
    way.caller = caller;
    way.nr = 0;
    stack->nr_steps = 0;
    if (find_stamp(&way)) {
        stack->nr_steps = way.nr;
        path = path_inward(&way, use);
    }
#ifdef BM_CHECK_STACK
    uint32_t by_stamps = path;
    path = path_by_walk(stack, thread, caller, use);
    bm_stamp_check(by_stamps, path);
    return path;
#endif
    return path != BM_PATH_FULL ? path
                                : path_by_walk(stack, thread, caller, use);
}

/* The end of a path at the call of a hook. */
static inline uint32_t end_of_path(struct bm_thread *thread, uint32_t outer,
                                   struct bm_use *use)
{
    uint32_t site = bm_use_site(thread, use), frame = bm_use_frame(use);
    uint32_t key =
        outer == BM_PATH_FULL ? 0 : bm_path_listed(outer, frame, site);

    return key ? key : bm_path_end(thread, outer, frame, site);
}

uint32_t bm_attribute_below(struct bm_thread *thread, uint32_t path,
                            struct bm_use *use)
{
    return end_of_path(thread, path, use);
}

uint32_t bm_attribute_hook(struct bm_thread *thread,
                           const struct bm_caller *caller, struct bm_use *use)
{
    return end_of_path(thread, path_above(thread, caller, use), use);
}

/* What tells that the frame of a step is the one it was. */
static void add_words(const struct way *way, const struct step *step,
                      bool is_last, struct bm_route_word *words, uint32_t *nr)
{
    const uintptr_t *slot = is_last ? (const uintptr_t *)&step->stamp->path
                                    : (const uintptr_t *)step->cfa - 1;

    if (step->code->rule.kind != BM_CFI_SP)
        words[(*nr)++] = (struct bm_route_word){fp_slot(way), *fp_slot(way)};
    words[(*nr)++] = (struct bm_route_word){slot, *slot};
}

uint32_t bm_stamps_words(struct bm_stack_cache *stack, struct bm_thread *thread,
                         const struct bm_caller *caller,
                         struct bm_route_word *words, uint32_t max)
{
    struct way way = {.stack = stack, .thread = thread, .caller = caller};
    struct step *step = way.steps;
    uint32_t nr = 0;

    if (stack->nr_steps == 0 || !make_first_step(&way))
        return 0;
    for (;; step++, way.nr++) {
        bool is_last = way.nr == stack->nr_steps;
        struct bm_code *code;

        if (nr + 2 > max)
            return 0;
        add_words(&way, step, is_last, words, &nr);
        if (is_last)
            return nr;
        code = code_at(&way, return_address(step));
        if (!make_step(&way, step + 1, code, step->cfa))
            return 0;
    }
}
