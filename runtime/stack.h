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
#include "cfi.h"
#include "routes.h"

#include <stdbool.h>
#include <stdint.h>

#define BM_NO_FRAME UINT32_MAX

/* What is known of one return address. */
struct bm_code {
    uintptr_t pc;
    const struct bm_frame *where; /* NULL: not compiled by benchmem-cc */
    uint32_t frame;               /* of `where`, or of the module; 0: none */
    struct bm_cfi_rule rule;
    bool own;    /* a hook's return address: stands for no frame */
    bool linked; /* instrumented, and told by its address */
    struct {
        uint32_t outer, path;
    } last; /* the path that its frame made below another, path 0: none */
};

/* A frame of the stack as far as paths need it; index 0 is the outermost. */
struct bm_stack_frame {
    uint32_t path; /* of this frame and all above it */
    uint32_t
        near; /* index of the nearest instrumented frame, from here outward */
    uint32_t frame; /* number of its own frame, 0: none */
    const struct bm_frame *where;
};

struct bm_stack_cache;

struct bm_stack_cache *bm_stack_new(void);

/* The facts of one return address, remembered. */
const struct bm_code *bm_stack_code(struct bm_stack_cache *stack,
                                    struct bm_thread *thread, uintptr_t pc);

/*
 * Whether it was found out before that no function was left by a jump between
 * the call that returns to pc and what it led to: the return address of the
 * next frame, or a use.
 */
bool bm_stack_is_direct(struct bm_stack_cache *stack, uintptr_t pc,
                        uintptr_t what);
void bm_stack_set_direct(struct bm_stack_cache *stack, uintptr_t pc,
                         uintptr_t what);

/*
 * Looks at the stack from caller outward. hooked: caller->pc is the return
 * address of a hook, whose own frame is that of its use. The number of
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

/* Frame i of the last walk, and its addresses. */
const struct bm_stack_frame *bm_stack_get(const struct bm_stack_cache *stack,
                                          uint32_t i);
struct bm_caller bm_stack_place(const struct bm_stack_cache *stack, uint32_t i);

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

/* Forget every return address: code was unmapped. */
void bm_stack_code_changed(void);

#endif
