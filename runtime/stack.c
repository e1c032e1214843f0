/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "stack.h"

#include "calls.h"
#include "frames.h"
#include "jumps.h"
#include "memory.h"
#include "paths.h"

#include <stdatomic.h>
#include <string.h>

/* Blocks of deeper stacks share their site's "other paths". */
#define MAX_DEPTH (1u << 14)
#define MIN_DEPTH 128u

#define MIN_CODES 256u
#define MAX_CODES (1u << 20)

/* Where a frame lies: its return address stands at sp - 8. */
struct place {
    uintptr_t sp, pc;
};

/* The frame pointer of a frame, and where it was loaded from. */
struct pointer {
    uintptr_t fp;
    const uintptr_t *slot; /* NULL: it is the inner frame's */
    bool matters;          /* the way outward from here depends on it */
    bool unsteady;         /* found by an expression: never taken as equal */
};

/*
 * What was found out about two things that lie beside each other on a stack,
 * so that recursion, where each return address has many paths above it, need
 * not find it out each time. Direct-mapped; lost at a collision.
 */
#define BELOW_BITS 14
#define DIRECT_BITS 10

/* The path of a return address below another path. */
struct below {
    uintptr_t pc;
    uint32_t outer, path;
};

/* Between a return address and what was reached there lies no jump. */
struct direct {
    uintptr_t pc, what;
};

struct stack_memory {
    struct below below[1u << BELOW_BITS];
    struct direct direct[1u << DIRECT_BITS];
};

/* A frame met by the present walk, innermost first. */
struct fresh {
    struct bm_caller at;
    struct bm_code *code; /* of at.pc, NULL: to be looked up */
    uint32_t moves;       /* of the table when it was */
    const uintptr_t *slot;
    bool unsteady;
};

struct bm_stack_cache {
    struct bm_readable range;
    uint32_t depth, capacity;
    struct place *places;
    struct pointer *pointers;
    struct bm_stack_frame *frames;
    struct fresh *fresh;
    uint32_t *watched; /* frames whose pointers must be compared, ascending */
    uint32_t nr_watched;
    struct stack_memory *memory; /* mapped when first needed */
    struct bm_code *codes;       /* open addressing by pc */
    uint32_t nr_codes, code_mask;
    uint32_t moves; /* how often all codes found another place */
    unsigned generation;
    uintptr_t too_deep; /* stacks that reach below this address are too deep */
};

static _Atomic unsigned code_generation;
static bool native_frames;

void bm_stack_set_native(bool native)
{
    native_frames = native;
}

void bm_stack_code_changed(void)
{
    /* Pairs with the acquire in sync_codes. */
    atomic_fetch_add_explicit(&code_generation, 1, memory_order_release);
}

/* Copies an array of the old capacity into a mapping of the new one. */
static void *grown(const void *old, size_t old_size, size_t new_size)
{
    void *memory = bm_map(new_size);
    if (memory && old)
        memcpy(memory, old, old_size);
    return memory;
}

static bool grow_stack(struct bm_stack_cache *stack)
{
    uint32_t from = stack->capacity;
    uint32_t to = from ? from * 2 : MIN_DEPTH;
    struct {
        void **array;
        size_t size;
    } arrays[] = {
        {(void **)&stack->places, sizeof(*stack->places)},
        {(void **)&stack->pointers, sizeof(*stack->pointers)},
        {(void **)&stack->frames, sizeof(*stack->frames)},
        {(void **)&stack->fresh, sizeof(*stack->fresh)},
        {(void **)&stack->watched, sizeof(*stack->watched)},
    };
    for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++) {
        size_t size = arrays[i].size;
        void *memory = grown(*arrays[i].array, from * size, to * size);
        if (!memory)
            return false;
        if (*arrays[i].array)
            bm_unmap(*arrays[i].array, from * size);
        *arrays[i].array = memory;
    }
    stack->capacity = to;
    return true;
}

struct bm_stack_cache *bm_stack_new(void)
{
    struct bm_stack_cache *stack = bm_map(sizeof(*stack));
    if (!stack)
        return NULL;
    stack->codes = bm_map(MIN_CODES * sizeof(*stack->codes));
    stack->code_mask = MIN_CODES - 1;
    if (!stack->codes || !grow_stack(stack))
        return NULL;
    return stack;
}

static uint32_t code_hash(uintptr_t pc)
{
    return (uint32_t)((pc * UINT64_C(0x9e3779b97f4a7c15)) >> 40);
}

static struct bm_code *code_slot(struct bm_stack_cache *stack, uintptr_t pc)
{
    uint32_t i = code_hash(pc) & stack->code_mask;
    while (stack->codes[i].pc && stack->codes[i].pc != pc)
        i = (i + 1) & stack->code_mask;
    return &stack->codes[i];
}

static void forget_memory(struct bm_stack_cache *stack)
{
    if (stack->memory)
        memset(stack->memory, 0, sizeof(*stack->memory));
}

static struct stack_memory *memory_of(struct bm_stack_cache *stack)
{
    if (!stack->memory)
        stack->memory = bm_map(sizeof(*stack->memory));
    return stack->memory;
}

static uint64_t mix(uint64_t a, uint64_t b)
{
    return (a ^ b * UINT64_C(0x9e3779b97f4a7c15)) *
           UINT64_C(0xff51afd7ed558ccd);
}

static struct direct *direct_at(struct bm_stack_cache *stack, uintptr_t pc,
                                uintptr_t what)
{
    struct stack_memory *memory = memory_of(stack);

    return memory ? &memory->direct[mix(pc, what) >> (64 - DIRECT_BITS)] : NULL;
}

bool bm_stack_is_direct(struct bm_stack_cache *stack, uintptr_t pc,
                        uintptr_t what)
{
    const struct direct *direct = direct_at(stack, pc, what);

    return direct && direct->pc == pc && direct->what == what;
}

void bm_stack_set_direct(struct bm_stack_cache *stack, uintptr_t pc,
                         uintptr_t what)
{
    struct direct *direct = direct_at(stack, pc, what);

    if (direct)
        *direct = (struct direct){pc, what};
}

/* Forgets everything if code was unmapped since the last walk. */
static void sync_codes(struct bm_stack_cache *stack)
{
    /* Pairs with the release in bm_stack_code_changed. */
    unsigned now = atomic_load_explicit(&code_generation, memory_order_acquire);
    if (stack->generation == now)
        return;
    memset(stack->codes, 0, (stack->code_mask + 1) * sizeof(*stack->codes));
    stack->nr_codes = 0;
    forget_memory(stack);
    stack->depth = 0;
    stack->nr_watched = 0;
    stack->generation = now;
}

/* Makes room for one more; beyond the largest table, starts anew. */
static void grow_codes(struct bm_stack_cache *stack)
{
    uint32_t from = stack->code_mask + 1;
    struct bm_code *old = stack->codes;
    stack->moves++;
    struct bm_code *fresh =
        from < MAX_CODES ? bm_map(2 * from * sizeof(*fresh)) : NULL;
    if (!fresh) {
        memset(old, 0, from * sizeof(*old));
        stack->nr_codes = 0;
        return;
    }
    stack->codes = fresh;
    stack->code_mask = 2 * from - 1;
    for (uint32_t i = 0; i < from; i++)
        if (old[i].pc)
            *code_slot(stack, old[i].pc) = old[i];
    bm_unmap(old, from * sizeof(*old));
}

static __attribute__((noinline, cold)) const struct bm_code *
learn_code(struct bm_stack_cache *stack, struct bm_thread *thread, uintptr_t pc)
{
    if (2 * (stack->nr_codes + 1) > stack->code_mask)
        grow_codes(stack);
    struct bm_code *code = code_slot(stack, pc);
    stack->nr_codes++;
    code->where = bm_calls_find(pc);
    code->rule = bm_cfi_rule(pc);
    if (code->where) {
        code->frame = bm_frame_of_call(thread, code->where);
    } else if (code->rule.kind > BM_CFI_BOTTOM && bm_calls_is_linked(pc)) {
        code->frame = bm_frame_linked(thread, pc);
        code->linked = true;
    } else if (native_frames) {
        code->frame = bm_frame_foreign(thread, pc, true);
    }
    code->pc = pc;
    return code;
}

const struct bm_code *bm_stack_code(struct bm_stack_cache *stack,
                                    struct bm_thread *thread, uintptr_t pc)
{
    const struct bm_code *code = code_slot(stack, pc);
    return code->pc ? code : learn_code(stack, thread, pc);
}

static void cut_to(struct bm_stack_cache *stack, uint32_t depth)
{
    stack->depth = depth;
    while (stack->nr_watched && stack->watched[stack->nr_watched - 1] >= depth)
        stack->nr_watched--;
}

/*
 * Compares frames [0, depth) with the stack's memory. Returns how many of
 * them, from the outermost, may have changed: 0 if all are as they were.
 */
static uint32_t changed_frames(const struct bm_stack_cache *stack,
                               uint32_t depth)
{
    uint32_t changed = 0;
    for (uint32_t i = depth; i-- > 0;) {
        const struct place *place = &stack->places[i];
        if (*(const uintptr_t *)(place->sp - 8) != place->pc) {
            changed = i + 1;
            break;
        }
    }
    for (uint32_t w = stack->nr_watched; w-- > 0;) {
        uint32_t i = stack->watched[w];
        const struct pointer *pointer = &stack->pointers[i];
        if (i >= depth)
            continue;
        if (i + 1 <= changed)
            break;
        if (pointer->unsteady || *pointer->slot != pointer->fp)
            return i + 1;
    }
    return changed;
}

/* Whether the innermost frame kept is the one given. */
static bool is_top(const struct bm_stack_cache *stack,
                   const struct bm_caller *at)
{
    if (stack->depth == 0)
        return false;
    const struct place *place = &stack->places[stack->depth - 1];
    const struct pointer *pointer = &stack->pointers[stack->depth - 1];
    return place->sp == at->sp && place->pc == at->pc &&
           (!pointer->matters || pointer->fp == at->fp);
}

/* Remembers a frame of the present walk; false if there is no room. */
static bool push_fresh(struct bm_stack_cache *stack, uint32_t *nr,
                       const struct fresh *fresh)
{
    if (*nr + 1 == MAX_DEPTH)
        return false;
    if (*nr + 1 >= stack->capacity && !grow_stack(stack))
        return false;
    stack->fresh[(*nr)++] = *fresh;
    return true;
}

/*
 * The innermost frame kept was met again, perhaps below other frames: its
 * frame pointer now comes from where the present walk found it.
 */
static void refresh_top(struct bm_stack_cache *stack, const struct fresh *at)
{
    uint32_t top = stack->depth - 1;
    struct pointer *pointer = &stack->pointers[top];
    pointer->fp = at->at.fp;
    pointer->slot = at->slot;
    pointer->unsteady = at->unsteady;
    if (stack->nr_watched && stack->watched[stack->nr_watched - 1] == top)
        stack->nr_watched--;
    if (pointer->unsteady || (pointer->matters && pointer->slot))
        stack->watched[stack->nr_watched++] = top;
}

/*
 * Frames [changed, depth) stand as they stood, but the next one outward does
 * not: they join the fresh ones, and the walk goes on from the last of them.
 */
static bool keep_inner(struct bm_stack_cache *stack, uint32_t changed,
                       uint32_t *nr, struct fresh *at)
{
    uintptr_t fp = at->at.fp;
    for (uint32_t i = stack->depth; i-- > changed;) {
        const struct pointer *pointer = &stack->pointers[i];
        if (i + 1 < stack->depth && pointer->slot)
            fp = *pointer->slot;
        *at = (struct fresh){
            .at = {stack->places[i].pc, stack->places[i].sp, fp},
            .slot = pointer->slot,
            .unsteady = pointer->unsteady,
        };
        if (!push_fresh(stack, nr, at))
            return false;
    }
    cut_to(stack, changed);
    return true;
}

/* Puts the fresh frames onto those that were kept, the outermost first. */
static bool join_fresh(struct bm_stack_cache *stack, struct bm_thread *thread,
                       uint32_t nr, bool hooked);

/*
 * Unwinds from caller until a frame that is kept. The number of fresh frames,
 * or MAX_DEPTH if there are too many or no memory for them.
 */
static uint32_t walk_fresh(struct bm_stack_cache *stack,
                           struct bm_thread *thread,
                           const struct bm_caller *caller)
{
    struct fresh at = {.at = *caller};
    uint32_t nr = 0;
    for (;;) {
        while (stack->depth && stack->places[stack->depth - 1].sp < at.at.sp)
            cut_to(stack, stack->depth - 1);
        if (is_top(stack, &at.at)) {
            refresh_top(stack, &at);
            uint32_t changed = changed_frames(stack, stack->depth - 1);
            if (changed == 0)
                return nr;
            if (!keep_inner(stack, changed, &nr, &at))
                return MAX_DEPTH;
        } else if (!push_fresh(stack, &nr, &at)) {
            return MAX_DEPTH;
        }
        /* The facts are in this thread's own table. */
        struct bm_code *code =
            (struct bm_code *)bm_stack_code(stack, thread, at.at.pc);
        stack->fresh[nr - 1].code = code;
        stack->fresh[nr - 1].moves = stack->moves;
        at.unsteady = code->rule.kind == BM_CFI_EXPR;
        if (!bm_cfi_step(&code->rule, &stack->range, &at.at, &at.slot)) {
            cut_to(stack, 0);
            return nr;
        }
    }
}

uint32_t bm_stack_walk(struct bm_stack_cache *stack, struct bm_thread *thread,
                       const struct bm_caller *caller, bool hooked)
{
    sync_codes(stack);
    if (caller->sp <= stack->too_deep)
        return 0;
    stack->too_deep = 0;
    uint32_t nr = walk_fresh(stack, thread, caller);
    if (stack->depth + nr < MAX_DEPTH &&
        join_fresh(stack, thread, nr, hooked)) {
#ifdef BM_CHECK_STACK
        bm_stack_check(stack, thread, caller, stack->depth, native_frames);
#endif
        return stack->depth;
    }
    cut_to(stack, 0);
    stack->too_deep = caller->sp;
    return 0;
}

/* Whether the way outward from a frame depends on its frame pointer. */
static bool pointer_matters(const struct bm_stack_cache *stack, uint32_t i,
                            const struct bm_cfi_rule *rule)
{
    if (rule->kind == BM_CFI_FP || rule->kind == BM_CFI_EXPR)
        return true;
    return rule->fp_offset == BM_CFI_FP_KEPT && i > 0 &&
           stack->pointers[i - 1].matters;
}

static __attribute__((noinline, cold)) uint32_t
new_path_below(struct bm_stack_cache *stack, struct bm_thread *thread,
               uint32_t i, uint32_t outer, struct bm_code *code)
{
    uintptr_t pc = i ? stack->places[i - 1].pc : 0;
    uint32_t path = outer;
    if (i && stack->frames[i - 1].where &&
        !bm_stack_is_direct(stack, pc, code->pc)) {
        path = bm_jumps_to_function(thread, outer, pc,
                                    stack->frames[i - 1].where, code);
        if (path == outer)
            bm_stack_set_direct(stack, pc, code->pc);
    }
    return code->own ? path : bm_path_below(thread, path, code->frame);
}

/*
 * The path of frame i below that of the one outward, with the functions that
 * were left by jumps between them; mostly the same as last time. A hook's
 * frame adds no more than those.
 */
static inline uint32_t path_below(struct bm_stack_cache *stack,
                                  struct bm_thread *thread, uint32_t i,
                                  uint32_t outer, struct bm_code *code)
{
    if (code->last.path && code->last.outer == outer)
        return code->last.path;
    struct stack_memory *memory = memory_of(stack);
    if (!memory)
        return new_path_below(stack, thread, i, outer, code);
    struct below *below =
        &memory->below[mix(code->pc, outer) >> (64 - BELOW_BITS)];
    if (below->pc != code->pc || below->outer != outer)
        *below = (struct below){
            .pc = code->pc,
            .outer = outer,
            .path = new_path_below(stack, thread, i, outer, code),
        };
    code->last.outer = outer;
    code->last.path = below->path;
    return below->path;
}

/* The path of a frame that benchmem-cc did not compile. */
static uint32_t foreign_path(struct bm_stack_cache *stack,
                             struct bm_thread *thread, uintptr_t pc,
                             struct bm_code *code, uint32_t i)
{
    uint32_t outer = i ? stack->frames[i - 1].path : BM_PATH_NONE;
    /* What starts a thread or the program is no part of the path. */
    if (outer == BM_PATH_NONE && !native_frames && !code->linked)
        return outer;
    if (!code->frame)
        code->frame = bm_frame_foreign(thread, pc, false);
    /* One frame stands for a run of calls inside one module. */
    if (i && !stack->frames[i - 1].where &&
        stack->frames[i - 1].frame == code->frame && !native_frames &&
        !code->linked)
        return outer;
    return path_below(stack, thread, i, outer, code);
}

static void set_frame(struct bm_stack_cache *stack, struct bm_thread *thread,
                      uint32_t i, struct bm_code *code)
{
    struct bm_stack_frame *frame = &stack->frames[i];
    uint32_t outer = i ? stack->frames[i - 1].path : BM_PATH_NONE;
    frame->where = code->where;
    if (code->where) {
        frame->near = i;
        frame->path = path_below(stack, thread, i, outer, code);
    } else {
        frame->near = i ? stack->frames[i - 1].near : BM_NO_FRAME;
        frame->path = code->own
                          ? path_below(stack, thread, i, outer, code)
                          : foreign_path(stack, thread, code->pc, code, i);
    }
    frame->frame = code->frame;
}

static bool join_fresh(struct bm_stack_cache *stack, struct bm_thread *thread,
                       uint32_t nr, bool hooked)
{
    while (stack->depth + nr >= stack->capacity)
        if (!grow_stack(stack))
            return false;
    while (nr > 0) {
        const struct fresh *fresh = &stack->fresh[--nr];
        uint32_t i = stack->depth++;
        struct bm_code *code =
            fresh->code && fresh->moves == stack->moves
                ? fresh->code
                : (struct bm_code *)bm_stack_code(stack, thread, fresh->at.pc);
        /* What the linker inlined around the hook, its address tells. */
        if (nr == 0 && hooked && !code->where && !code->linked && !code->own) {
            code->own = true;
            code->last.path = 0;
            forget_memory(stack);
        }
        stack->places[i] = (struct place){fresh->at.sp, fresh->at.pc};
        stack->pointers[i] = (struct pointer){
            .fp = fresh->at.fp,
            .slot = fresh->slot,
            .matters = pointer_matters(stack, i, &code->rule),
            .unsteady = fresh->unsteady,
        };
        if (fresh->unsteady || (stack->pointers[i].matters && fresh->slot))
            stack->watched[stack->nr_watched++] = i;
        set_frame(stack, thread, i, code);
    }
    return true;
}

/* How many of the outermost frames need not be looked at. */
static uint32_t nr_constant(struct bm_stack_cache *stack)
{
    const struct place *places = stack->places;
    const struct bm_code *code;

    if (stack->depth < 3)
        return 0;
    code = code_slot(stack, places[0].pc);
    return code->pc && code->rule.kind == BM_CFI_BOTTOM &&
                   !bm_frame_is_system(places[0].pc) &&
                   bm_frame_is_system(places[1].pc) &&
                   bm_frame_is_system(places[2].pc)
               ? 2
               : 0;
}

bool bm_stack_words(struct bm_stack_cache *stack,
                    const struct bm_caller *caller, struct bm_route_word *words,
                    uint32_t *nr)
{
    uint32_t depth = stack->depth, from = nr_constant(stack);

    *nr = 0;
    for (uint32_t i = depth; i-- > from;) {
        const struct pointer *pointer = &stack->pointers[i];
        const uintptr_t *slot = pointer->slot;

        if (pointer->unsteady || *nr + 2 > BM_ROUTE_WORDS)
            return false;
        if (i + 1 == depth)
            slot = (const uintptr_t *)caller->sp - 2; /* as the hook saved it */
        else
            words[(*nr)++] = (struct bm_route_word){
                (const uintptr_t *)(stack->places[i].sp - 8),
                stack->places[i].pc};
        if (pointer->matters && slot)
            words[(*nr)++] = (struct bm_route_word){slot, pointer->fp};
    }
    return depth > 0 && stack->places[depth - 1].sp == caller->sp &&
           stack->places[depth - 1].pc == caller->pc;
}

const struct bm_stack_frame *bm_stack_get(const struct bm_stack_cache *stack,
                                          uint32_t i)
{
    return &stack->frames[i];
}

struct bm_caller bm_stack_place(const struct bm_stack_cache *stack, uint32_t i)
{
    return (struct bm_caller){stack->places[i].pc, stack->places[i].sp,
                              stack->pointers[i].fp};
}

struct bm_stack_steps bm_stack_begin(struct bm_stack_cache *stack,
                                     struct bm_thread *thread,
                                     const struct bm_caller *caller)
{
    sync_codes(stack);
    return (struct bm_stack_steps){
        .at = *caller,
        .code = bm_stack_code(stack, thread, caller->pc),
    };
}

bool bm_stack_next(struct bm_stack_cache *stack, struct bm_thread *thread,
                   struct bm_stack_steps *steps)
{
    const uintptr_t *slot;
    if (!bm_cfi_step(&steps->code->rule, &stack->range, &steps->at, &slot))
        return false;
    steps->code = bm_stack_code(stack, thread, steps->at.pc);
    return true;
}
