/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The bodies of the malloc family, each used twice: for the interposed
 * function and for its hook. They are macros where they must be expanded in
 * the entry itself, whose frame tells the caller.
 */
#ifndef BENCHMEM_RUNTIME_ENTRY_H
#define BENCHMEM_RUNTIME_ENTRY_H

#include "guard.h"
#include "outer.h"
#include "record.h"
#include "runtime.h"

/* Parameters and arguments of the signatures of allocators.inc. */
#define BM_PARAMETERS_P_S size_t size
#define BM_PARAMETERS_P_SS size_t first, size_t size
#define BM_PARAMETERS_P_PS void *old, size_t size
#define BM_PARAMETERS_P_PSS void *old, size_t first, size_t size
#define BM_PARAMETERS_I_PSS void **out, size_t first, size_t size
#define BM_ARGUMENTS_P_S size
#define BM_ARGUMENTS_P_SS first, size
#define BM_ARGUMENTS_P_PS old, size
#define BM_ARGUMENTS_P_PSS old, first, size
#define BM_ARGUMENTS_I_PSS out, first, size
#define BM_RESULT_P_S void *
#define BM_RESULT_P_SS void *
#define BM_RESULT_P_PS void *
#define BM_RESULT_P_PSS void *
#define BM_RESULT_I_PSS int

/*
 * A static program's libc allocates before it has set up what unwinders ask
 * (_dl_find_object): until constructors run, blocks are charged to `outside`.
 */
#ifdef BM_STATIC
extern volatile bool bm_entry_is_early BM_HIDDEN;
#else
#define bm_entry_is_early false
#endif

static inline uint32_t bm_entry_attribute(struct bm_thread *thread,
                                          const struct bm_caller *caller,
                                          struct bm_use *use, enum bm_kind kind)
{
    if (bm_entry_is_early)
        return BM_KEY_OTHER;
    if (__builtin_expect(!use && thread->outer.use, 0)) {
        const struct bm_outer *outer = bm_outer_around(thread, caller);

        if (outer)
            return bm_attribute(thread, &outer->caller, outer->use,
                                (enum bm_kind)outer->kind);
    }
    return bm_attribute(thread, caller, use, kind);
}

static inline __attribute__((always_inline)) void
bm_entry_made(struct bm_thread *thread, void *memory, uint64_t size,
              const struct bm_caller *caller, struct bm_use *use,
              enum bm_kind kind)
{
    if (__builtin_expect(!memory, 0)) {
        bm_record_failure(thread);
        return;
    }
    bm_record_alloc(thread, memory, size,
                    bm_entry_attribute(thread, caller, use, kind), caller->sp);
}

/* Gets `thread` with the guard held, or leaves the entry by `pass`. */
#define BM_ENTRY(allocates, pass)                                              \
    struct bm_thread *thread = bm_guard_enter(__builtin_frame_address(0));     \
    if (__builtin_expect(!thread, 0)) {                                        \
        thread = bm_enter_slow(__builtin_frame_address(0), allocates);         \
        if (!thread)                                                           \
            return pass;                                                       \
    }

/* malloc, calloc, aligned_alloc: requested is computed after the call. */
#define BM_ENTRY_ALLOC(pass, call, requested, use, kind)                       \
    BM_ENTRY(true, pass)                                                       \
    struct bm_caller caller;                                                   \
    void *memory = call;                                                       \
    BM_CALLER_HERE(&caller);                                                   \
    bm_entry_made(thread, memory, requested, &caller, use, kind);              \
    bm_guard_leave(thread);                                                    \
    return memory

#define BM_ENTRY_POSIX(pass, call, use)                                        \
    BM_ENTRY(true, pass)                                                       \
    struct bm_caller caller;                                                   \
    int error = call;                                                          \
    BM_CALLER_HERE(&caller);                                                   \
    bm_entry_made(thread, error ? NULL : *out, size, &caller, use,             \
                  BM_KIND_ALIGNED);                                            \
    bm_guard_leave(thread);                                                    \
    return error

/* What realloc did, once it has returned. */
struct bm_entry_move {
    void *old;    /* the block it was given, or NULL */
    bool known;   /* it was recorded: as `block` */
    bool is_zero; /* nothing was asked for */
    struct bm_block block;
    void *memory;
    uint64_t size;
};

void bm_entry_moved(struct bm_thread *thread, const struct bm_entry_move *move,
                    const struct bm_caller *caller, struct bm_use *use);

/* total is an expression that is false if the size overflows. */
#define BM_ENTRY_REALLOC(pass, call, total, use)                               \
    BM_ENTRY(true, pass)                                                       \
    struct bm_caller caller;                                                   \
    struct bm_entry_move move = {.old = old};                                  \
    move.known = old && bm_block_forget(&thread->leaves, old, &move.block);    \
    move.memory = call;                                                        \
    BM_CALLER_HERE(&caller);                                                   \
    move.is_zero = total && move.size == 0;                                    \
    bm_entry_moved(thread, &move, &caller, use);                               \
    bm_guard_leave(thread);                                                    \
    return move.memory

static inline bool bm_entry_product(size_t first, size_t size, uint64_t *out)
{
    return !__builtin_mul_overflow(first, size, out);
}

/* A hook's result while nothing is recorded here. */
#define BM_ENTRY_PASS_HOOK(symbol, ...)                                        \
    (bm_forward ? bm_forward->hooks.symbol(__VA_ARGS__, use)                   \
                : bm_next.symbol(__VA_ARGS__))

#define BM_BODY_MALLOC_P_S(symbol, pass, use)                                  \
    BM_ENTRY_ALLOC(pass, bm_next.symbol(size), size, use, BM_KIND_MALLOC)
#define BM_BODY_CALLOC_P_SS(symbol, pass, use)                                 \
    BM_ENTRY_ALLOC(pass, bm_next.symbol(first, size), first *size, use,        \
                   BM_KIND_CALLOC)
#define BM_BODY_ALIGNED_P_S(symbol, pass, use)                                 \
    BM_ENTRY_ALLOC(pass, bm_next.symbol(size), size, use, BM_KIND_ALIGNED)
#define BM_BODY_ALIGNED_P_SS(symbol, pass, use)                                \
    BM_ENTRY_ALLOC(pass, bm_next.symbol(first, size), size, use,               \
                   BM_KIND_ALIGNED)
#define BM_BODY_ALIGNED_I_PSS(symbol, pass, use)                               \
    BM_ENTRY_POSIX(pass, bm_next.symbol(out, first, size), use)
#define BM_BODY_REALLOC_P_PS(symbol, pass, use)                                \
    BM_ENTRY_REALLOC(pass, bm_next.symbol(old, size),                          \
                     bm_entry_product(1, size, &move.size), use)
#define BM_BODY_REALLOC_P_PSS(symbol, pass, use)                               \
    BM_ENTRY_REALLOC(pass, bm_next.symbol(old, first, size),                   \
                     bm_entry_product(first, size, &move.size), use)

/*
 * Kinds of allocators.inc that are not of the malloc family have hooks of
 * their own elsewhere: BM_FAMILY(symbol, KIND, SIGNATURE) is what remains.
 */
#define BM_FAMILY_MALLOC(symbol, signature) BM_FAMILY(symbol, MALLOC, signature)
#define BM_FAMILY_CALLOC(symbol, signature) BM_FAMILY(symbol, CALLOC, signature)
#define BM_FAMILY_REALLOC(symbol, signature)                                   \
    BM_FAMILY(symbol, REALLOC, signature)
#define BM_FAMILY_ALIGNED(symbol, signature)                                   \
    BM_FAMILY(symbol, ALIGNED, signature)
#define BM_FAMILY_NEW(symbol, signature)
#define BM_FAMILY_NEW_ARRAY(symbol, signature)
#define BM_FAMILY_STRING(symbol, signature)
#define BM_FAMILY_OF(symbol, kind, signature)                                  \
    BM_FAMILY_##kind(symbol, signature)

#endif
