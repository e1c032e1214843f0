/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The stack that a thread was last seen on, kept so that the next look need
 * not take it apart again.
 *
 * A walk starts at the innermost frame and unwinds until it meets a frame
 * that it knows from last time, at the same address with the same return
 * address. Since a frame's size follows from its return address, everything
 * outward is then the same if the return addresses still stand where they
 * stood, which is a comparison of words. Only frames that are new are
 * unwound, looked up and numbered. Frames whose size hangs on the frame
 * pointer register have that compared too.
 *
 * One per thread, used by that thread alone. Memory is from bm_map.
 */
#ifndef BENCHMEM_RUNTIME_STACK_H
#define BENCHMEM_RUNTIME_STACK_H

#include "attribute.h"
#include "codes.h"
#include "routes.h"

#include <stdbool.h>
#include <stdint.h>

/* A frame of the stack; index 0 is the outermost. */
struct bm_stack_frame {
    uintptr_t sp, pc;     /* where it lies: its return address is at sp - 8 */
    struct bm_code *code; /* of pc */
    uint32_t path;        /* of this frame and all above it */
    bool matters;         /* the way outward depends on its frame pointer */
    bool unsteady;        /* found by an expression: never taken as equal */
};

/* The frame pointer of a watched frame, and where it was loaded from. */
struct bm_stack_pointer {
    const uintptr_t *slot; /* NULL: it is the inner frame's */
    uintptr_t fp;
};

struct bm_stack_cache {
    struct bm_codes codes;
    struct bm_stack_frame *frames; /* the one before the first is nowhere */
    struct bm_stack_frame *fresh;  /* of the present walk, innermost first */
    uint32_t depth, capacity;
    uint32_t nr_steps; /* of the last look, if it was one by stamps; else 0 */
    uint32_t nr_watched;
    uint32_t *watched; /* frames that matter or are unsteady, ascending */
    struct bm_readable range;
    uintptr_t too_deep; /* stacks that reach below this address are too deep */
    struct bm_stack_pointer *pointers; /* of watched frames */
    const uintptr_t **fresh_slots;     /* of what expressions found */
};

struct bm_stack_cache *bm_stack_new(void);

/* The thread's, made if it is its first; NULL if there is no memory. */
struct bm_stack_cache *bm_stack_of(struct bm_thread *thread);

/* Twice the room. False if there is no memory for it. */
bool bm_stack_grow(struct bm_stack_cache *stack);

/* Forgets all but the outermost frames. */
void bm_stack_cut(struct bm_stack_cache *stack, uint32_t depth);

/* The facts of one return address, remembered. */
const struct bm_code *bm_stack_code(struct bm_stack_cache *stack,
                                    struct bm_thread *thread, uintptr_t pc);

/*
 * (walk.c) Looks at the stack from caller outward. hooked: caller->pc is the
 * return address of a hook, whose own frame is that of its use. The number of
 * frames, at least 1; 0 if there are too many or no memory for them.
 */
uint32_t bm_stack_walk(struct bm_stack_cache *stack, struct bm_thread *thread,
                       const struct bm_caller *caller, bool hooked);

/*
 * The words that tell the stack of the last walk, which was from caller, from
 * any other, as routes.h wants them: at most BM_ROUTE_WORDS. False if there
 * are more or some frame has no fixed size.
 *
 * The way from _start to main is left out, which stands where it stands as
 * long as the process runs.
 */
bool bm_stack_words(struct bm_stack_cache *stack,
                    const struct bm_caller *caller, struct bm_route_word *words,
                    uint32_t *nr);

/* Frame i of the last walk. */
static inline const struct bm_stack_frame *
bm_stack_get(const struct bm_stack_cache *stack, uint32_t i)
{
    return &stack->frames[i];
}

/*
 * The path of frame i of the last walk, with the functions that were left by
 * jumps before the one that use is in, which was itself left by a jump.
 */
uint32_t bm_stack_path_to_use(struct bm_stack_cache *stack,
                              struct bm_thread *thread, uint32_t i,
                              const struct bm_use *use);

/*
 * Frame by frame outward, without remembering the stack:
 *
 *   struct bm_stack_steps steps = bm_stack_begin(stack, thread, caller);
 *   do ... while (bm_stack_next(stack, thread, &steps));
 */
struct bm_stack_steps {
    struct bm_caller at;
    const struct bm_code *code; /* of at.pc, valid until the next step */
};
struct bm_stack_steps bm_stack_begin(struct bm_stack_cache *stack,
                                     struct bm_thread *thread,
                                     const struct bm_caller *caller);
bool bm_stack_next(struct bm_stack_cache *stack, struct bm_thread *thread,
                   struct bm_stack_steps *steps);

#ifdef BM_CHECK_STACK
/* In tests: holds the walk that ends against another unwinder's. */
void bm_stack_check(struct bm_stack_cache *stack, struct bm_thread *thread,
                    const struct bm_caller *caller, uint32_t depth,
                    bool native);
#endif

/* Record foreign frames one by one (native=1) from now on. */
void bm_stack_set_native(bool native);
extern bool bm_stack_is_native BM_HIDDEN;

#endif
