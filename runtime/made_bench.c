/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "made_bench.h"

#include "benchmarks.h"
#include "calls.h"
#include "memory.h"
#include "user.h"

#include <stdatomic.h>
#include <string.h>

#define NR_CHAINS 256u

/* One piece of memory: references are distances within it. */
struct made {
    struct made *next;
    struct bm_bench bench;
    struct bm_frame frame;
    struct bm_scope scope;
    struct bm_param params[BM_MAX_PARAMS];
    char text[];
};

static _Atomic(struct made *) chains[NR_CHAINS];

static const enum bm_param_type types[] = {
    [BENCHMEM_TYPE_INT] = BM_PARAM_SIGNED,
    [BENCHMEM_TYPE_NUMBER] = BM_PARAM_DOUBLE,
    [BENCHMEM_TYPE_STRING] = BM_PARAM_STRING,
};

static uint32_t nr_params(const struct benchmem_window *window)
{
    return window->nr_params < BM_MAX_PARAMS ? window->nr_params
                                             : BM_MAX_PARAMS;
}

static const char *text_at(const int32_t *reference)
{
    const char *text = bm_abi_at(reference);

    return text ? text : "";
}

static bool is_same(const struct made *made,
                    const struct benchmem_window *window)
{
    if (made->frame.line != window->line ||
        made->bench.nr_params != nr_params(window) ||
        strcmp(text_at(&made->scope.file), window->file) != 0 ||
        strcmp(text_at(&made->scope.function), window->name) != 0)
        return false;
    for (uint32_t i = 0; i < made->bench.nr_params; i++)
        if (made->params[i].type != (uint32_t)types[window->params[i].type] ||
            strcmp(text_at(&made->params[i].name), window->params[i].name) != 0)
            return false;
    return true;
}

/* A reference of `from` to something in the same piece of memory. */
static void refer(int32_t *from, const void *to)
{
    *from = (int32_t)((const char *)to - (const char *)from);
}

static char *put_text(int32_t *reference, char *at, const char *text)
{
    size_t size = strlen(text) + 1;

    memcpy(at, text, size);
    refer(reference, at);
    return at + size;
}

static size_t text_size(const struct benchmem_window *window)
{
    size_t size = strlen(window->file) + strlen(window->name) + 2;

    for (uint32_t i = 0; i < nr_params(window); i++)
        size += strlen(window->params[i].name) + 1;
    return size;
}

static struct made *make(const struct benchmem_window *window)
{
    struct made *made = bm_arena_get(sizeof(*made) + text_size(window));
    char *at;

    if (!made)
        return NULL;
    made->bench.nr_params = nr_params(window);
    made->bench.reserved = BM_BENCH_MADE;
    made->frame.line = window->line;
    refer(&made->bench.where, &made->frame);
    refer(&made->bench.params, made->params);
    refer(&made->frame.scope, &made->scope);
    at = put_text(&made->scope.file, made->text, window->file);
    at = put_text(&made->scope.function, at, window->name);
    for (uint32_t i = 0; i < made->bench.nr_params; i++) {
        made->params[i].type = types[window->params[i].type];
        at = put_text(&made->params[i].name, at, window->params[i].name);
    }
    return made;
}

const struct bm_bench *bm_made_bench(const struct benchmem_window *window)
{
    _Atomic(struct made *) *chain = &chains[window->line % NR_CHAINS];
    /* Acquire pairs with the release below: what is found is filled. */
    struct made *first = atomic_load_explicit(chain, memory_order_acquire);
    struct made *made;

    for (made = first; made; made = made->next)
        if (is_same(made, window))
            return &made->bench;
    made = make(window);
    if (!made)
        return NULL;
    /* Two threads may make the same: both serve. */
    made->next = first;
    while (!atomic_compare_exchange_weak_explicit(
        chain, &made->next, made, memory_order_release, memory_order_relaxed))
        ;
    return &made->bench;
}

void bm_made_values(uint64_t *out, const struct benchmem_window *window)
{
    for (uint32_t i = 0; i < nr_params(window); i++) {
        const struct benchmem_value *value = &window->params[i];

        switch (value->type) {
        case BENCHMEM_TYPE_INT:
            out[i] = (uint64_t)value->is.integer;
            break;
        case BENCHMEM_TYPE_NUMBER:
            memcpy(&out[i], &value->is.number, sizeof(out[i]));
            break;
        case BENCHMEM_TYPE_STRING:
            out[i] = (uint64_t)(uintptr_t)value->is.string;
            break;
        }
    }
}
