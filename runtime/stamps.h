/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Stamps: what the recorder leaves in the frames of instrumented functions
 * (struct bm_stamp of abi.h), so that it need not look at a stack twice. While
 * a frame lasts the way outward from it is the same one, so the path above its
 * function is noted there once. A walk outward ends at the first frame whose
 * stamp is set, and sets those of the frames that it came by.
 *
 * A stamp's path has three states, told by its upper half: EMPTY as the
 * function left it, SET with a path in the lower half, or anything else: then
 * it is no stamp, and is neither read nor written. (What lies at the place of
 * one may be something else where an unwinder was misled by foreign code.)
 *
 * What a stamp says is of its frame alone, not of a thread: frames of
 * coroutines may go from one thread to another. In a forked child paths keep
 * their numbers. Guard held.
 */
#ifndef BENCHMEM_RUNTIME_STAMPS_H
#define BENCHMEM_RUNTIME_STAMPS_H

#include "paths.h"
#include "routes.h"
#include "threads.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct bm_stack_cache;

static inline bool bm_stamp_is_set(const struct bm_stamp *stamp)
{
    return stamp->path >> 32 == BM_STAMP_SET;
}

/* The path above the function of a stamp that is set. */
static inline uint32_t bm_stamp_path(const struct bm_stamp *stamp)
{
    return (uint32_t)stamp->path;
}

/* Notes it in a stamp that is empty. */
static inline void bm_stamp_set(struct bm_stamp *stamp, uint32_t path)
{
    if (stamp->path == BM_STAMP_EMPTY && path != BM_PATH_FULL)
        stamp->path = (uint64_t)BM_STAMP_SET << 32 | path;
}

/* ---- what a thread's hooks counted below such paths ---- */

/* The slot of a hook's call. stamp is not NULL, and may be empty. */
static inline struct bm_known *bm_known_at(struct bm_thread *thread,
                                           const struct bm_stamp *stamp,
                                           const struct bm_use *use)
{
    uint64_t hash = stamp->path * 5 + (uintptr_t)use / sizeof(*use);

    return &thread->known[hash % BM_NR_KNOWN];
}

/* The node of the same call below the same path, NULL: it is not known. */
static inline struct bm_node *bm_known_node(struct bm_thread *thread,
                                            const struct bm_stamp *stamp,
                                            const struct bm_use *use)
{
    const struct bm_known *known = bm_known_at(thread, stamp, use);

    if (__builtin_expect(known->path != stamp->path || known->use != use, 0))
        return NULL;
    if (!known->node)
        __builtin_unreachable(); /* only its path is ever taken back */
    return known->node;
}

/* Remembers it, if the stamp is set. */
static inline void bm_known_note(struct bm_thread *thread,
                                 const struct bm_stamp *stamp,
                                 const struct bm_use *use, struct bm_node *node)
{
    struct bm_known *known = bm_known_at(thread, stamp, use);

    if (!bm_stamp_is_set(stamp))
        return;
    /* A handler may leave it half done, by siglongjmp. */
    known->path = 0;
    atomic_signal_fence(memory_order_seq_cst);
    known->use = use;
    known->node = node;
    atomic_signal_fence(memory_order_seq_cst);
    known->path = stamp->path;
}

/* Forgets them: nodes or code are no longer what they were. */
static inline void bm_known_forget(struct bm_thread *thread)
{
    for (unsigned i = 0; i < BM_NR_KNOWN; i++)
        if (thread->known[i].path)
            thread->known[i].path = 0;
}

/* A node that a stamp led to; in tests it is held against the whole way. */
static inline struct bm_node *bm_stamp_taken(struct bm_node *node)
{
#ifdef BM_CHECK_STACK
    bm_route_check(node);
    return NULL;
#endif
    return node;
}

#ifdef BM_CHECK_STACK
/* In tests: holds a path by stamps against that of the whole way. */
void bm_stamp_check(uint32_t by_stamps, uint32_t path);
#endif

/*
 * After bm_attribute_hook from caller: the words that tell the stack from any
 * other as routes.h wants them, as far as the frame whose stamp was set, at
 * most max. 0: there are more, or there was no such frame.
 */
uint32_t bm_stamps_words(struct bm_stack_cache *stack, struct bm_thread *thread,
                         const struct bm_caller *caller,
                         struct bm_route_word *words, uint32_t max);

#endif
