/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Routes: whole stacks that a thread came by before, each with the node that
 * counts what is allocated there. A route is told by the call that asks (its
 * return address, stack pointer and use) and by the words that the way
 * outward depends on: the return addresses of all frames, and the saved frame
 * pointers of frames that are measured by them. If every word still holds
 * what it held, then, from the innermost frame outward, each frame lies where
 * it lay, so the stack is the same one and nothing need be taken apart. Where
 * a frame's stamp was set (stamps.h), that is the last word: it stands for
 * all that is further out.
 *
 * Words are compared in that order and no further than the first that
 * differs: only then is the next one sure to lie on the stack.
 *
 * A thread's own, guard held. Never fails: what finds no room is no route.
 */
#ifndef BENCHMEM_RUNTIME_ROUTES_H
#define BENCHMEM_RUNTIME_ROUTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bm_caller;
struct bm_use;
struct bm_node;
struct bm_thread;

#define BM_ROUTE_SETS 64u
#define BM_ROUTE_WAYS 4u   /* callers of a wrapper share its set */
#define BM_ROUTE_WORDS 56u /* deeper stacks are left to bm_stack_walk */

struct bm_route_word {
    const uintptr_t *at;
    uintptr_t value;
};

struct bm_route {
    uintptr_t pc, sp;
    uintptr_t what; /* the use, or the kind of a call without one */
    struct bm_node *node;
    struct bm_route_word first;
    const struct bm_route_word *more; /* further ones */
    uint16_t nr_more;
    uint16_t capacity; /* of more */
    uint32_t path; /* above the function of a hook's call, or BM_PATH_FULL */
} __attribute__((aligned(64)));

struct bm_routes {
    struct bm_route routes[BM_ROUTE_SETS * BM_ROUTE_WAYS];
    uint32_t once[BM_ROUTE_SETS][BM_ROUTE_WAYS]; /* marks of those seen once */
    uint8_t next[BM_ROUTE_SETS];                 /* the way to be replaced */
    uint8_t next_once[BM_ROUTE_SETS];
    uint32_t idle;    /* stacks that did not come again; see bm_route_is_due */
    uint32_t skipped; /* since the last that was looked at */
};

/*
 * Whether the stack just walked is to be learned, perhaps. Where thousands of
 * paths come in turn hardly a route is ever taken again: then most are not
 * looked at.
 */
#define BM_ROUTES_IDLE 1024u /* so many more came once than came again */
#define BM_ROUTES_WORTH 16u  /* one that came again weighs as so many */
#define BM_ROUTES_SKIP 13u   /* no round number of paths in turn */
static inline bool bm_route_is_due(struct bm_routes *all)
{
    if (all->idle < BM_ROUTES_IDLE)
        return true;
    if (++all->skipped < BM_ROUTES_SKIP)
        return false;
    all->skipped = 0;
    return true;
}

static inline uint32_t bm_route_set(uintptr_t pc, uintptr_t sp)
{
    return (uint32_t)(pc ^ sp >> 4) & (BM_ROUTE_SETS - 1);
}

static inline __attribute__((always_inline)) bool
bm_route_stands(const struct bm_route *route)
{
    const struct bm_route_word *word = route->more;
    uint32_t nr = route->nr_more;

    if (*route->first.at != route->first.value)
        return false;
    for (; nr >= 4; nr -= 4, word += 4)
        if (*word[0].at != word[0].value || *word[1].at != word[1].value ||
            *word[2].at != word[2].value || *word[3].at != word[3].value)
            return false;
    for (; nr > 0; nr--, word++)
        if (*word->at != word->value)
            return false;
    return true;
}

#ifdef BM_CHECK_STACK
/*
 * In tests: a route that was found is kept in mind and not taken, and the
 * node that the whole way leads to is held against its own.
 */
void bm_route_check(const struct bm_node *node);
void bm_route_check_node(const struct bm_node *node);
#endif

/* The route that is taken now; NULL if it is not known. */
static inline __attribute__((always_inline)) const struct bm_route *
bm_route_find(const struct bm_routes *all, uintptr_t pc, uintptr_t sp,
              uintptr_t what)
{
    const struct bm_route *route =
        &all->routes[bm_route_set(pc, sp) * BM_ROUTE_WAYS];

    for (unsigned way = 0; way < BM_ROUTE_WAYS; way++, route++)
        if (route->pc == pc && route->sp == sp && route->what == what &&
            bm_route_stands(route)) {
#ifdef BM_CHECK_STACK
            bm_route_check(route->node);
            return NULL;
#endif
            return route;
        }
    return NULL;
}

/*
 * Remembers, if it has come before, the stack that bm_attribute has just walked
 * from caller. node counts what is allocated there. Where only sites are
 * recorded that is of use to calls without a use alone, and the way ends at
 * the call that the site is of.
 */
void bm_route_learn(struct bm_thread *thread, const struct bm_caller *caller,
                    const struct bm_use *use, uintptr_t what,
                    struct bm_node *node);

/* Forgets every route: nodes or code are no longer what they were. */
static inline void bm_routes_forget(struct bm_routes *all)
{
    for (unsigned i = 0; i < BM_ROUTE_SETS * BM_ROUTE_WAYS; i++)
        if (all->routes[i].pc)
            all->routes[i].pc = 0; /* no return address: it is no route */
}

#endif
