/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "api.h"

#include "benchmarks.h"
#include "guard.h"
#include "loops.h"
#include "made_bench.h"
#include "measure.h"
#include "pools.h"
#include "runtime.h"
#include "start.h"
#include "user.h"
#include "windows.h"

#include <string.h>

/* ---- windows ---- */

static bool begin(const struct bm_caller *caller,
                  const struct benchmem_window *window)
{
    struct bm_thread *thread = bm_enter_window(__builtin_frame_address(0));
    uint64_t values[BM_MAX_PARAMS];
    const struct bm_bench *bench;
    bool opened = false;

    if (!thread)
        return false;
    bench = window->size >= sizeof(*window) ? bm_made_bench(window) : NULL;
    if (bench) {
        bm_made_values(values, window);
        opened = bm_window_begin(thread, caller, bench, values,
                                 window->flags & BENCHMEM_WINDOW_RETURNS);
    }
    bm_guard_leave(thread);
    return opened;
}

/* Whether what was recorded is the whole of it. */
static bool is_whole(void)
{
    return bm_options.measure == BM_MEASURE_MEMORY && !bm_is_late;
}

static void get_figures(struct benchmem_result *out,
                        const struct bm_pass_end *from)
{
    out->peak_bytes = from->peak;
    out->allocated_bytes = from->allocated;
    out->allocations = from->allocations;
    out->retained_bytes = from->retained;
}

static bool end(const struct bm_caller *caller, struct benchmem_result *result,
                uint64_t ns)
{
    uint64_t now = bm_measure_time();
    struct bm_thread *thread = bm_enter_window(__builtin_frame_address(0));
    bool ended;

    if (!thread)
        return false;
    ended = bm_window_end(thread, caller, now, ns) && is_whole();
    if (ended)
        get_figures(result, &bm_window_last()->figures);
    bm_guard_leave(thread);
    return ended;
}

static uint64_t last(struct benchmem_result *result)
{
    const struct bm_window_closed *closed = bm_window_last();

    if (!is_whole() || bm_state_get() != BM_RUNNING)
        return UINT64_MAX;
    get_figures(result, &closed->figures);
    return closed->serial;
}

static void pause(int32_t change)
{
    struct bm_thread *thread = bm_enter_window(__builtin_frame_address(0));

    if (!thread)
        return;
    if (thread->paused + change >= 0)
        thread->paused += change;
    bm_guard_leave(thread);
}

/* ---- what a benchmark says of itself ---- */

static struct bm_text text_from(const char *text)
{
    return (struct bm_text){text, text ? strlen(text) : 0};
}

static void append_declared(struct bm_thread *thread, uint32_t index,
                            const struct benchmem_benchmark *from)
{
    static const uint64_t nothing = BENCHMEM_NOTHING;
    msgpack_packer *packer = bm_record_begin(thread);
    struct bm_record_declared record = {
        .benchmark = index,
        .group = text_from(from->group),
        .suite = text_from(from->suite),
        .calls = from->calls ? from->calls : 1,
        .max_peak = from->max_peak == nothing ? 0 : from->max_peak,
        .max_allocated =
            from->max_allocated == nothing ? 0 : from->max_allocated,
        .max_allocations =
            from->max_allocations == nothing ? 0 : from->max_allocations,
    };

    record.flags = (from->isolate ? BM_DECLARED_ISOLATE : 0) |
                   (from->native ? BM_DECLARED_NATIVE : 0) |
                   (from->max_peak ? BM_DECLARED_MAX_PEAK : 0) |
                   (from->max_allocated ? BM_DECLARED_MAX_ALLOCATED : 0) |
                   (from->max_allocations ? BM_DECLARED_MAX_ALLOCATIONS : 0);
    if (packer && bm_pack_declared(packer, &record) == 0)
        bm_file_append(thread, 0);
}

static void append_label(struct bm_thread *thread, uint32_t index,
                         const struct benchmem_value *label)
{
    static const enum bm_param_type types[] = {
        [BENCHMEM_TYPE_INT] = BM_PARAM_SIGNED,
        [BENCHMEM_TYPE_NUMBER] = BM_PARAM_DOUBLE,
        [BENCHMEM_TYPE_STRING] = BM_PARAM_STRING,
    };
    msgpack_packer *packer = bm_record_begin(thread);
    struct bm_record_label record = {
        .benchmark = index,
        .name = text_from(label->name),
        .type = types[label->type],
    };

    if (label->type == BENCHMEM_TYPE_STRING)
        record.text = text_from(label->is.string);
    else if (label->type == BENCHMEM_TYPE_INT)
        record.bits = (uint64_t)label->is.integer;
    else
        memcpy(&record.bits, &label->is.number, sizeof(record.bits));
    if (packer && bm_pack_label(packer, &record) == 0)
        bm_file_append(thread, 0);
}

static void describe(const struct benchmem_benchmark *from,
                     const struct benchmem_value *labels, uint32_t nr_labels)
{
    struct bm_thread *thread = bm_enter_window(__builtin_frame_address(0));
    struct bm_benchmark *benchmark = bm_window_last()->benchmark;

    if (!thread)
        return;
    if (benchmark && !benchmark->is_described) {
        uint32_t index = benchmark->ledger.benchmark;

        benchmark->is_described = true;
        append_declared(thread, index, from);
        for (const struct benchmem_value *at = from->labels; at && at->name;
             at++)
            append_label(thread, index, at);
        for (uint32_t i = 0; i < nr_labels; i++)
            append_label(thread, index, &labels[i]);
    }
    bm_guard_leave(thread);
}

static void failed(const char *why)
{
    struct bm_thread *thread = bm_enter_window(__builtin_frame_address(0));
    struct bm_benchmark *benchmark = bm_window_last()->benchmark;

    if (!thread)
        return;
    if (benchmark) {
        msgpack_packer *packer = bm_record_begin(thread);
        struct bm_record_failure record = {
            .benchmark = benchmark->ledger.benchmark,
            .text = text_from(why),
        };

        if (packer && bm_pack_failure(packer, &record) == 0)
            bm_file_append(thread, 0);
    }
    bm_guard_leave(thread);
}

/* ---- the rest ---- */

static void pool(struct benchmem_pool *of, uint64_t taken, uint64_t given)
{
    struct bm_thread *thread = bm_enter_window(__builtin_frame_address(0));

    if (!thread)
        return;
    bm_pool_change(thread, of, taken, given);
    bm_guard_leave(thread);
}

static int mode(int wanted)
{
    void *frame = __builtin_frame_address(0);
    struct bm_thread *thread = bm_enter_window(frame);

    if (!thread)
        return -1;
    if (wanted == BM_MEASURE_TIME && bm_state_get() == BM_RUNNING &&
        bm_window_was_none())
        bm_start_measuring(thread, BM_MEASURE_TIME);
    bm_guard_leave(thread);
    return (int)bm_options.measure;
}

/* ---- Google Benchmark ---- */

static void loop_enter(const struct bm_caller *caller,
                       const struct bm_bench *bench, const uint64_t *values,
                       const void *range)
{
    struct bm_thread *thread = bm_enter_window(__builtin_frame_address(0));

    if (!thread)
        return;
    bm_loop_enter(thread, caller, bench, values, range);
    bm_guard_leave(thread);
}

static void loop_leave(const struct bm_bench *bench)
{
    struct bm_thread *thread = bm_enter_window(__builtin_frame_address(0));

    if (!thread)
        return;
    bm_loop_leave(thread, bench);
    bm_guard_leave(thread);
}

static void loop_begin(void)
{
    struct bm_thread *thread = bm_enter_window(__builtin_frame_address(0));

    if (!thread)
        return;
    bm_loop_begin(thread);
    bm_guard_leave(thread);
}

static void loop_end(void)
{
    uint64_t now = bm_measure_time();
    struct bm_thread *thread = bm_enter_window(__builtin_frame_address(0));

    if (!thread)
        return;
    bm_loop_end(thread, now);
    bm_guard_leave(thread);
}

const struct bm_api bm_api = {
    .begin = begin,
    .end = end,
    .describe = describe,
    .failed = failed,
    .last = last,
    .pause = pause,
    .pool = pool,
    .mode = mode,
    .loop_enter = loop_enter,
    .loop_leave = loop_leave,
    .loop_begin = loop_begin,
    .loop_end = loop_end,
};

/* ---- what programs call ---- */

#define EXPORT __attribute__((visibility("default")))

/* The recorder's table: this copy's, or that of the one it hands on to. */
static const struct bm_api *table(void)
{
    if (bm_state_get() == BM_COLD)
        bm_enter_slow(__builtin_frame_address(0), false);
    return bm_forward ? bm_forward->api : &bm_api;
}

EXPORT __attribute__((noinline)) bool
benchmem_recorder_begin(const struct benchmem_window *window)
{
    struct bm_caller caller;

    BM_CALLER_HERE(&caller);
    return table()->begin(&caller, window);
}

EXPORT __attribute__((noinline)) bool
benchmem_recorder_end(struct benchmem_result *result, uint64_t ns)
{
    struct bm_caller caller;

    BM_CALLER_HERE(&caller);
    return table()->end(&caller, result, ns);
}

EXPORT void
benchmem_recorder_describe(const struct benchmem_benchmark *benchmark,
                           const struct benchmem_value *labels,
                           uint32_t nr_labels)
{
    table()->describe(benchmark, labels, nr_labels);
}

EXPORT void benchmem_recorder_failed(const char *why)
{
    table()->failed(why);
}

EXPORT uint64_t benchmem_recorder_last(struct benchmem_result *result)
{
    return table()->last(result);
}

EXPORT void benchmem_recorder_pause(int32_t change)
{
    table()->pause(change);
}

EXPORT void benchmem_recorder_pool(struct benchmem_pool *of, uint64_t taken,
                                   uint64_t given)
{
    table()->pool(of, taken, given);
}

int benchmem_recorder_mode(int wanted);
EXPORT int benchmem_recorder_mode(int wanted)
{
    return table()->mode(wanted);
}

void __benchmem_loop_enter(struct bm_bench *bench, const uint64_t *values,
                           const void *range)
{
    struct bm_caller caller;

    BM_CALLER_HERE(&caller);
    table()->loop_enter(&caller, bench, values, range);
}

void __benchmem_loop_leave(struct bm_bench *bench)
{
    table()->loop_leave(bench);
}

void __benchmem_loop_begin(void)
{
    table()->loop_begin();
}

void __benchmem_loop_end(void)
{
    table()->loop_end();
}

void __benchmem_loop_pause(int32_t change)
{
    table()->pause(change);
}
