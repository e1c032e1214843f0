/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "routes.h"

#include "memory.h"
#include "nodes.h"
#include "paths.h"
#include "stack.h"
#include "stamps.h"
#include "threads.h"

/* A way that was met for the second time is expected to come again. */
static bool is_expected(struct bm_routes *all, uint32_t set, uintptr_t what,
                        const struct bm_node *node)
{
    uint32_t mark = (uint32_t)(what >> 4 ^ (uintptr_t)node >> 4 << 8) | 1;
    uint8_t *next = &all->next_once[set];

    for (unsigned i = 0; i < BM_ROUTE_WAYS; i++)
        if (all->once[set][i] == mark) {
            all->idle -=
                all->idle < BM_ROUTES_WORTH ? all->idle : BM_ROUTES_WORTH;
            return true;
        }
    all->idle++;
    all->once[set][*next] = mark;
    *next = (*next + 1) % BM_ROUTE_WAYS;
    return false;
}

/* Keeps the words for the route; false if there is no memory. */
static bool keep_words(struct bm_route *route,
                       const struct bm_route_word *words, uint32_t nr)
{
    struct bm_route_word *more = (struct bm_route_word *)route->more;
    uint16_t nr_more = (uint16_t)(nr - 1);

    if (route->capacity < nr_more) {
        uint16_t capacity = (uint16_t)((nr_more + 7) & ~7u);

        more = bm_arena_get(capacity * sizeof(*more));
        if (!more)
            return false;
        route->more = more;
        route->capacity = capacity;
    }
    route->first = words[0];
    route->nr_more = nr_more;
    for (uint32_t i = 0; i < nr_more; i++)
        more[i] = words[i + 1];
    return true;
}

/*
 * The words between the caller and the nearest call in a table, to whose site
 * a block is charged where only sites are recorded: what lies further out does
 * not matter. With no such call, all words.
 */
static bool words_to_site(struct bm_thread *thread,
                          const struct bm_caller *caller,
                          struct bm_route_word *words, uint32_t *nr)
{
    struct bm_stack_cache *stack = thread->attribution.stack;
    struct bm_stack_steps steps = bm_stack_begin(stack, thread, caller);
    const uintptr_t *fp_slot = (const uintptr_t *)caller->sp - 2, *slot;

    *nr = 0;
    for (;;) {
        const struct bm_cfi_rule *rule = &steps.code->rule;

        if (*nr + 2 > BM_ROUTE_WORDS)
            return false;
        words[(*nr)++] = (struct bm_route_word){
            (const uintptr_t *)(steps.at.sp - 8), steps.at.pc};
        if (steps.code->where || rule->kind == BM_CFI_BOTTOM)
            return true;
        if (rule->kind == BM_CFI_FP)
            words[(*nr)++] = (struct bm_route_word){fp_slot, steps.at.fp};
        else if (rule->kind != BM_CFI_SP)
            return false;
        if (!bm_cfi_step(rule, &stack->range, &steps.at, &slot))
            return false;
        if (slot)
            fp_slot = slot;
        steps.code = bm_stack_code(stack, thread, steps.at.pc);
    }
}

/* As few words as tell the way outward. False if that takes too many. */
static bool words_of(struct bm_thread *thread, const struct bm_caller *caller,
                     const struct bm_use *use, struct bm_route_word *words,
                     uint32_t *nr)
{
    struct bm_stack_cache *stack = thread->attribution.stack;

    if (!stack)
        return false;
    if (thread->by_site)
        return words_to_site(thread, caller, words, nr);
    *nr =
        use ? bm_stamps_words(stack, thread, caller, words, BM_ROUTE_WORDS) : 0;
    return *nr || bm_stack_words(stack, caller, words, nr);
}

/* The path that a stamp of the function with that call would have. */
static uint32_t path_above(const struct bm_use *use, const struct bm_node *node)
{
    struct bm_path path = bm_path_get(node->key);

    return use && !path.other ? path.outer : BM_PATH_FULL;
}

void bm_route_learn(struct bm_thread *thread, const struct bm_caller *caller,
                    const struct bm_use *use, uintptr_t what,
                    struct bm_node *node)
{
    struct bm_routes *all = &thread->routes;
    uint32_t set = bm_route_set(caller->pc, caller->sp);
    struct bm_route_word words[BM_ROUTE_WORDS];
    struct bm_route *route;
    uint32_t nr;

    if (!is_expected(all, set, what, node) ||
        !words_of(thread, caller, use, words, &nr) || nr == 0)
        return;
    route = &all->routes[set * BM_ROUTE_WAYS + all->next[set]];
    route->pc = 0;
    if (!keep_words(route, words, nr))
        return;
    all->next[set] = (all->next[set] + 1) % BM_ROUTE_WAYS;
    route->sp = caller->sp;
    route->what = what;
    route->node = node;
    route->path = path_above(use, node);
    route->pc = caller->pc;
}
