/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "loops.h"

#include "benchmarks.h"
#include "calls.h"
#include "made_bench.h"
#include "memory.h"
#include "threads.h"
#include "user.h"
#include "windows.h"

#include <string.h>

/* begin and end of a std::vector, in libstdc++ and libc++ alike. */
struct range {
    const int64_t *begin, *end;
};

struct bm_loop {
    const struct bm_bench *bench; /* NULL: there is no candidate */
    struct bm_caller caller;
    uint64_t values[BM_MAX_PARAMS];
    const struct range *range;
};

static struct bm_loop *loop_of(struct bm_thread *thread)
{
    if (!thread->loop)
        thread->loop = bm_arena_get(sizeof(*thread->loop));
    return thread->loop;
}

static uint32_t nr_params(const struct bm_bench *bench)
{
    uint32_t nr = bench->params ? bench->nr_params : 0;

    return nr < BM_MAX_PARAMS ? nr : BM_MAX_PARAMS;
}

void bm_loop_enter(struct bm_thread *thread, const struct bm_caller *caller,
                   const struct bm_bench *bench, const uint64_t *values,
                   const void *range)
{
    struct bm_loop *loop = loop_of(thread);

    /* One that lies further in was left without a word. */
    if (!loop || (loop->bench && caller->sp < loop->caller.sp))
        return;
    loop->bench = bench;
    loop->caller = *caller;
    loop->range = range;
    for (uint32_t i = 0; i < nr_params(bench); i++)
        loop->values[i] = values[i];
}

void bm_loop_leave(struct bm_thread *thread, const struct bm_bench *bench)
{
    if (thread->loop && thread->loop->bench == bench)
        thread->loop->bench = NULL;
}

/* ---- the window ---- */

static struct benchmem_value value_of(const struct bm_param *param,
                                      uint64_t bits)
{
    struct benchmem_value value = {.name = bm_abi_at(&param->name)};

    switch (param->type) {
    case BM_PARAM_DOUBLE:
        value.type = BENCHMEM_TYPE_NUMBER;
        memcpy(&value.is.number, &bits, sizeof(bits));
        break;
    case BM_PARAM_STRING:
        value.type = BENCHMEM_TYPE_STRING;
        value.is.string = (const char *)(uintptr_t)bits;
        break;
    default:
        value.type = BENCHMEM_TYPE_INT;
        value.is.integer = (int64_t)bits;
        break;
    }
    return value;
}

/* The function's own parameters, then the State's arguments. */
static uint32_t make_params(struct benchmem_value out[BM_MAX_PARAMS],
                            const struct bm_loop *loop)
{
    static const char *const names[BM_MAX_PARAMS] = {
        "arg0", "arg1", "arg2",  "arg3",  "arg4",  "arg5",  "arg6",  "arg7",
        "arg8", "arg9", "arg10", "arg11", "arg12", "arg13", "arg14", "arg15"};
    const struct bm_param *params = bm_abi_at(&loop->bench->params);
    uint32_t nr = nr_params(loop->bench);

    for (uint32_t i = 0; i < nr; i++)
        out[i] = value_of(&params[i], loop->values[i]);
    for (const int64_t *at = loop->range->begin;
         at < loop->range->end && nr < BM_MAX_PARAMS; at++)
        out[nr++] = (struct benchmem_value){
            .name = names[at - loop->range->begin],
            .type = BENCHMEM_TYPE_INT,
            .is.integer = *at,
        };
    return nr;
}

void bm_loop_begin(struct bm_thread *thread)
{
    struct bm_loop *loop = thread->loop;
    struct benchmem_value params[BM_MAX_PARAMS];
    uint64_t values[BM_MAX_PARAMS];
    const struct bm_frame *where;
    const struct bm_scope *scope;
    const struct bm_bench *bench;

    if (!loop || !loop->bench)
        return;
    where = bm_abi_at(&loop->bench->where);
    scope = where ? bm_abi_at(&where->scope) : NULL;
    if (!scope || !scope->file || !scope->function)
        return;
    struct benchmem_window window = {
        .size = sizeof(window),
        .file = bm_abi_at(&scope->file),
        .name = bm_abi_at(&scope->function),
        .params = params,
        .nr_params = make_params(params, loop),
        .line = where->line,
    };
    bench = bm_made_bench(&window);
    if (!bench)
        return;
    bm_made_values(values, &window);
    bm_window_begin(thread, &loop->caller, bench, values, false);
}

void bm_loop_end(struct bm_thread *thread, uint64_t now)
{
    if (thread->loop && thread->loop->bench)
        bm_window_end(thread, &thread->loop->caller, now, 0);
}
