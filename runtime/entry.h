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
#include "stamps.h"

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

/*
 * An entry's own frame, __builtin_frame_address(0), tells its caller: see
 * BM_CALLER_HERE.
 */
static inline struct bm_caller bm_entry_caller(const uintptr_t *frame,
                                               struct bm_stamp *stamp)
{
    return (struct bm_caller){.fp = frame[0],
                              .pc = frame[1],
                              .sp = (uintptr_t)(frame + 2),
                              .stamp = stamp};
}

/* What a hook was handed; nothing in the interposed functions. */
struct bm_told {
    struct bm_use *use;
    struct bm_stamp *stamp; /* NULL: there is none */
};

/* What tells a call apart from another one at the same place. */
static inline uintptr_t bm_entry_what(const struct bm_use *use,
                                      enum bm_kind kind)
{
    return use ? (uintptr_t)use : (uintptr_t)kind;
}

/* The general way to the node of an allocation; NULL if there is no room. */
struct bm_node *bm_entry_node_slow(struct bm_thread *thread,
                                   const struct bm_caller *caller,
                                   struct bm_use *use, enum bm_kind kind);

/* The same for an entry of that frame, perhaps inside an outer call. */
struct bm_node *bm_entry_node_at(struct bm_thread *thread,
                                 const uintptr_t *frame, struct bm_told told,
                                 enum bm_kind kind);

/* The same for the entry that is inside; memory may be NULL. */
BM_RARE void bm_entry_made_slow(struct bm_thread *thread, void *memory,
                                uint64_t size, struct bm_told told,
                                enum bm_kind kind);

/* Whether an allocation without a use hangs on more than its stack. */
static inline bool bm_entry_is_told(const struct bm_thread *thread)
{
    return thread->outer.use || thread->attribution.noted.use ||
           thread->attribution.nr_brackets;
}

/* By a route, which sets the stamp for the next time. */
static inline __attribute__((always_inline)) struct bm_node *
bm_entry_node_by_route(struct bm_thread *thread, const uintptr_t *frame,
                       struct bm_told told, enum bm_kind kind)
{
    const struct bm_route *route =
        bm_route_find(&thread->routes, frame[1], (uintptr_t)(frame + 2),
                      bm_entry_what(told.use, kind));

    if (!route)
        return NULL;
    if (!route->node)
        __builtin_unreachable(); /* a test less */
    if (told.stamp)
        bm_stamp_set(told.stamp, route->path);
    return route->node;
}

/* Where an allocation is counted; NULL if that takes the general way. */
static inline __attribute__((always_inline)) struct bm_node *
bm_entry_node(struct bm_thread *thread, const uintptr_t *frame,
              struct bm_told told, enum bm_kind kind)
{
    if (told.use ? thread->by_site
                 : __builtin_expect(bm_entry_is_told(thread), 0))
        return NULL;
    return bm_entry_node_by_route(thread, frame, told, kind);
}

/* The same of a hook whose function has a stamp that is set. */
struct bm_node *bm_entry_node_below(struct bm_thread *thread,
                                    struct bm_told told);

/*
 * Where a hook counts what it is yet to ask for: known by what it was handed
 * alone. NULL if it is not.
 */
static inline __attribute__((always_inline)) struct bm_node *
bm_entry_node_told(struct bm_thread *thread, struct bm_told told)
{
    struct bm_node *node;

    if (thread->by_site)
        return bm_node_nearest(
            thread, __atomic_load_n(&told.use->site, __ATOMIC_RELAXED));
    if (!told.stamp)
        return NULL;
    node = bm_known_node(thread, told.stamp, told.use);
    if (__builtin_expect(node != NULL, 1))
        return bm_stamp_taken(node);
    return bm_stamp_is_set(told.stamp) ? bm_entry_node_below(thread, told)
                                       : NULL;
}

static inline __attribute__((always_inline)) void
bm_entry_made(struct bm_thread *thread, void *memory, uint64_t size,
              const uintptr_t *frame, struct bm_told told, enum bm_kind kind)
{
    struct bm_node *node = bm_entry_node(thread, frame, told, kind);

    if (__builtin_expect(!node, 0)) {
        bm_entry_made_slow(thread, memory, size, told, kind);
        return;
    }
    bm_record_alloc(thread, memory, size, node);
}

/*
 * An entry has several parts, each left for the next by a jump, so that the
 * frame of each lies where the first one's lay: the entry itself, which has
 * no frame and finds the thread ready or recording off; what begins otherwise
 * (bm_enter_slow); and the body, which has the thread and takes the guard. A
 * hook has two bodies: the first one knows the node before it asks, or goes on
 * to the rest.
 *
 * WAY tells them apart: KNOWN, where `node` is one, or FOUND, where the node
 * is found after the call.
 */
#define BM_MADE_KNOWN(memory, requested, kind)                                 \
    bm_record_alloc(thread, memory, requested, node)
#define BM_MADE_FOUND(memory, requested, kind)                                 \
    bm_entry_made(thread, memory, requested, bm_guard_inside(thread), told,    \
                  kind)

/* malloc, calloc, aligned_alloc: requested is computed after the call. */
#define BM_ENTRY_ALLOC(call, requested, way, kind)                             \
    void *memory = call;                                                       \
    thread = bm_guard_taken();                                                 \
    BM_MADE_##way(memory, requested, kind);                                    \
    bm_guard_leave(thread);                                                    \
    return memory

#define BM_ENTRY_POSIX(call, way)                                              \
    int error = call;                                                          \
    thread = bm_guard_taken();                                                 \
    BM_MADE_##way(error ? NULL : *out, size, BM_KIND_ALIGNED);                 \
    bm_guard_leave(thread);                                                    \
    return error

/* What realloc did, once it has returned. */
struct bm_entry_move {
    void *old;    /* the block it was given */
    bool known;   /* it was recorded: as `block` */
    bool is_zero; /* nothing was asked for */
    struct bm_block block;
    void *memory;
    uint64_t size;
};

/* The block moved, and was known. */
static inline __attribute__((always_inline)) void
bm_entry_moved(struct bm_thread *thread, const struct bm_entry_move *move,
               struct bm_node *node, const uintptr_t *frame,
               struct bm_told told)
{
    if (__builtin_expect(!node, 0))
        node = bm_entry_node_at(thread, frame, told, BM_KIND_REALLOC);
    if (__builtin_expect(node && bm_record_moved_short(thread, &move->block,
                                                       move->old, move->memory,
                                                       move->size, node),
                         1))
        return;
    bm_record_moved(thread, &move->block, move->old, move->memory, move->size,
                    node, (uintptr_t)(frame + 2));
}

/* Whatever else happened. */
void bm_entry_moved_slow(struct bm_thread *thread,
                         const struct bm_entry_move *move,
                         const uintptr_t *frame, struct bm_told told);

#define BM_NODE_KNOWN node
#define BM_NODE_FOUND                                                          \
    bm_entry_node(thread, bm_guard_inside(thread), told, BM_KIND_REALLOC)

/* total is an expression that is false if the size overflows. */
#define BM_ENTRY_REALLOC(call, total, way)                                     \
    struct bm_entry_move move = {.old = old};                                  \
    if (!old) {                                                                \
        move.memory = call;                                                    \
        (void)(total);                                                         \
        BM_MADE_##way(move.memory, move.size, BM_KIND_REALLOC);                \
        bm_guard_leave(thread);                                                \
        return move.memory;                                                    \
    }                                                                          \
    move.known = bm_record_take(thread, old, &move.block);                     \
    move.memory = call;                                                        \
    move.is_zero = total && move.size == 0;                                    \
    if (__builtin_expect(move.memory && move.known, 1))                        \
        bm_entry_moved(thread, &move, BM_NODE_##way, bm_guard_inside(thread),  \
                       told);                                                  \
    else                                                                       \
        bm_entry_moved_slow(thread, &move, bm_guard_inside(thread), told);     \
    bm_guard_leave(thread);                                                    \
    return move.memory

static inline bool bm_entry_product(size_t first, size_t size, uint64_t *out)
{
    return !__builtin_mul_overflow(first, size, out);
}

/* A hook's result while nothing is recorded here. */
#define BM_ENTRY_PASS_HOOK(symbol, ...)                                        \
    (bm_forward ? bm_forward->hooks.symbol(__VA_ARGS__, use, stamp)            \
                : bm_next.symbol(__VA_ARGS__))

#define BM_BODY_MALLOC_P_S(symbol, way)                                        \
    BM_ENTRY_ALLOC(bm_next.symbol(size), size, way, BM_KIND_MALLOC)
#define BM_BODY_CALLOC_P_SS(symbol, way)                                       \
    BM_ENTRY_ALLOC(bm_next.symbol(first, size), first *size, way,              \
                   BM_KIND_CALLOC)
#define BM_BODY_ALIGNED_P_S(symbol, way)                                       \
    BM_ENTRY_ALLOC(bm_next.symbol(size), size, way, BM_KIND_ALIGNED)
#define BM_BODY_ALIGNED_P_SS(symbol, way)                                      \
    BM_ENTRY_ALLOC(bm_next.symbol(first, size), size, way, BM_KIND_ALIGNED)
#define BM_BODY_ALIGNED_I_PSS(symbol, way)                                     \
    BM_ENTRY_POSIX(bm_next.symbol(out, first, size), way)
#define BM_BODY_REALLOC_P_PS(symbol, way)                                      \
    BM_ENTRY_REALLOC(bm_next.symbol(old, size),                                \
                     bm_entry_product(1, size, &move.size), way)
#define BM_BODY_REALLOC_P_PSS(symbol, way)                                     \
    BM_ENTRY_REALLOC(bm_next.symbol(old, first, size),                         \
                     bm_entry_product(first, size, &move.size), way)

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
