/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "stack.h"

#include "frames.h"
#include "memory.h"
#include "paths.h"
#include "threads.h"

#include <string.h>

#define MIN_DEPTH 128u

/* Outward of every frame. */
#define NOWHERE ((struct bm_stack_frame){.sp = UINTPTR_MAX})

bool bm_stack_is_native;

void bm_stack_set_native(bool native)
{
    bm_stack_is_native = native;
    bm_codes_set_native(native);
}

/* Moves an array into a mapping of the new size. */
static void *grown(void *old, size_t old_size, size_t new_size)
{
    void *memory = bm_map(new_size);
    if (memory && old_size) {
        memcpy(memory, old, old_size);
        bm_unmap(old, old_size);
    }
    return memory;
}

bool bm_stack_grow(struct bm_stack_cache *stack)
{
    uint32_t from = stack->capacity;
    uint32_t to = from ? from * 2 : MIN_DEPTH;
    struct bm_stack_frame *frames = from ? stack->frames - 1 : NULL;
    struct {
        void **array;
        size_t size, more;
    } arrays[] = {
        {(void **)&frames, sizeof(*stack->frames), 1},
        {(void **)&stack->fresh, sizeof(*stack->fresh), 0},
        {(void **)&stack->watched, sizeof(*stack->watched), 0},
        {(void **)&stack->pointers, sizeof(*stack->pointers), 0},
        {(void **)&stack->fresh_slots, sizeof(*stack->fresh_slots), 0},
    };
    for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++) {
        size_t size = arrays[i].size, more = arrays[i].more;
        void *memory = grown(*arrays[i].array, from ? (from + more) * size : 0,
                             (to + more) * size);
        if (!memory)
            return false;
        *arrays[i].array = memory;
        if (more) {
            frames[0] = NOWHERE;
            stack->frames = frames + 1;
        }
    }
    stack->capacity = to;
    return true;
}

struct bm_stack_cache *bm_stack_new(void)
{
    struct bm_stack_cache *stack = bm_map(sizeof(*stack));
    if (!stack || !bm_codes_init(&stack->codes) || !bm_stack_grow(stack))
        return NULL;
    return stack;
}

struct bm_stack_cache *bm_stack_of(struct bm_thread *thread)
{
    if (!thread->attribution.stack)
        thread->attribution.stack = bm_stack_new();
    return thread->attribution.stack;
}

const struct bm_code *bm_stack_code(struct bm_stack_cache *stack,
                                    struct bm_thread *thread, uintptr_t pc)
{
    return bm_code_get(&stack->codes, thread, pc);
}

void bm_stack_cut(struct bm_stack_cache *stack, uint32_t depth)
{
    stack->depth = depth;
    while (stack->nr_watched && stack->watched[stack->nr_watched - 1] >= depth)
        stack->nr_watched--;
}

/* How many of the outermost frames need not be looked at. */
static uint32_t nr_constant(const struct bm_stack_cache *stack)
{
    const struct bm_stack_frame *frames = stack->frames;

    if (stack->depth < 3)
        return 0;
    return frames[0].code->rule.kind == BM_CFI_BOTTOM &&
                   !bm_frame_is_system(frames[0].pc) &&
                   bm_frame_is_system(frames[1].pc) &&
                   bm_frame_is_system(frames[2].pc)
               ? 2
               : 0;
}

bool bm_stack_words(struct bm_stack_cache *stack,
                    const struct bm_caller *caller, struct bm_route_word *words,
                    uint32_t *nr)
{
    const struct bm_stack_frame *frames = stack->frames;
    uint32_t depth = stack->depth, from = nr_constant(stack);

    *nr = 0;
    if (stack->nr_steps)
        return false;
    for (uint32_t i = depth; i-- > from;) {
        const struct bm_stack_pointer *pointer = &stack->pointers[i];
        const uintptr_t *slot = pointer->slot;

        if (frames[i].unsteady || *nr + 2 > BM_ROUTE_WORDS)
            return false;
        if (i + 1 == depth)
            slot = (const uintptr_t *)caller->sp - 2; /* as the hook saved it */
        else
            words[(*nr)++] = (struct bm_route_word){
                (const uintptr_t *)(frames[i].sp - 8), frames[i].pc};
        if (frames[i].matters && slot)
            words[(*nr)++] = (struct bm_route_word){slot, pointer->fp};
    }
    return depth > 0 && frames[depth - 1].sp == caller->sp &&
           frames[depth - 1].pc == caller->pc;
}

struct bm_stack_steps bm_stack_begin(struct bm_stack_cache *stack,
                                     struct bm_thread *thread,
                                     const struct bm_caller *caller)
{
    if (bm_codes_sync(&stack->codes))
        bm_stack_cut(stack, 0);
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

uint32_t bm_stack_path_to_use(struct bm_stack_cache *stack,
                              struct bm_thread *thread, uint32_t i,
                              const struct bm_use *use)
{
    const struct bm_stack_frame *frame = bm_stack_get(stack, i);

    if (!frame->code->where)
        return frame->path;
    return bm_jumps_below(
        thread, frame->path,
        bm_code_jumps_to_use(&stack->codes, thread, frame->code, use));
}
