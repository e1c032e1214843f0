/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "windows.h"

#include "benchmarks.h"
#include "gauge.h"
#include "guard.h"
#include "ledger.h"
#include "measure.h"
#include "saves.h"
#include "sys.h"
#include "window_count.h"
#include "window_frame.h"

/*
 * The window. Whoever moves `phase` off CLOSED or OPEN owns the rest until
 * it moves it on; another thread that comes meanwhile makes an ordinary
 * call. `serial` is set last and cleared first.
 */
enum phase { CLOSED, OPENING, OPEN, CLOSING };

static struct {
    _Atomic uint32_t phase;
    _Atomic(struct bm_benchmark *) benchmark;
    _Atomic(struct bm_thread *) owner;
    _Atomic uint32_t owner_tid;
    struct bm_window_frame frame; /* the owner's alone */
    bool returns;                 /* it is left by its end alone */
    uint64_t start_ns;            /* if time is measured */
    uint64_t setup_peak_rss;      /* if that is measured */
} window;

/* Of the window that closed last; the closer's until `phase` is CLOSED. */
static struct bm_window_closed closed;

_Atomic uint32_t bm_window_serial;
static _Atomic uint32_t last_serial;

static void close_window(uint64_t now);

/* ---- events ---- */

void bm_window_look(struct bm_thread *thread, uintptr_t sp)
{
    if (atomic_load_explicit(&window.owner, memory_order_relaxed) == thread &&
        !window.returns && bm_window_frame_is_left(&window.frame, sp))
        close_window(bm_measure_time());
}

/* The open pass and its benchmark; 0 if none is open. */
static uint32_t open_pass(struct bm_thread *thread, uintptr_t sp,
                          struct bm_benchmark **benchmark)
{
    uint32_t serial;

    bm_window_look(thread, sp);
    /*
     * Acquires pair with the releases in open_window. The benchmark may be that
     * of a later pass, new and filled a moment ago: the serial tells, which it
     * does not know.
     */
    serial = atomic_load_explicit(&bm_window_serial, memory_order_acquire);
    *benchmark = atomic_load_explicit(&window.benchmark, memory_order_acquire);
    return serial;
}

/* The change was counted. */
static inline void note_saves(struct bm_thread *thread,
                              struct bm_benchmark *benchmark,
                              const struct bm_window_change *change)
{
    if (__builtin_expect(bm_options.saves != 0, 0))
        bm_saves_note(thread, &benchmark->maxima,
                      &(struct bm_saves_change){change->made, change->gone,
                                                change->made_size,
                                                change->gone_size});
}

static struct bm_node *node_in(struct bm_thread *thread, struct bm_node *node,
                               const struct bm_benchmark *benchmark)
{
    uint32_t index = benchmark->ledger.benchmark;

    const struct bm_node_aside *aside = bm_node_aside_if(node);

    if (aside && aside->window &&
        bm_node_aside_if(aside->window)->benchmark == index)
        return aside->window;
    return bm_node_in_window(thread, node, index);
}

uint32_t bm_window_alloc(struct bm_thread *thread, struct bm_node *node,
                         uint64_t size, uintptr_t sp)
{
    struct bm_benchmark *benchmark;
    uint32_t serial;

    if (thread->paused > 0)
        return 0;
    while ((serial = open_pass(thread, sp, &benchmark))) {
        struct bm_window_change change = {
            .made = node_in(thread, node, benchmark),
            .made_size = size,
        };

        if (!change.made)
            return 0;
        if (!bm_window_count(benchmark, serial, &change))
            continue;
        note_saves(thread, benchmark, &change);
        return serial;
    }
    return 0;
}

void bm_window_free(struct bm_thread *thread, struct bm_node *node,
                    const struct bm_block *block, uintptr_t sp)
{
    struct bm_benchmark *benchmark;
    uint32_t serial = open_pass(thread, sp, &benchmark);

    if (serial == 0 || block->birth != serial)
        return;
    struct bm_window_change change = {
        .gone = node_in(thread, node, benchmark),
        .gone_size = block->size,
    };
    if (change.gone && bm_window_count(benchmark, serial, &change))
        note_saves(thread, benchmark, &change);
}

uint32_t bm_window_realloc(struct bm_thread *thread, struct bm_node *old_node,
                           const struct bm_block *old, struct bm_node *node,
                           uint64_t size, uintptr_t sp)
{
    struct bm_benchmark *benchmark;
    uint32_t serial = open_pass(thread, sp, &benchmark);

    if (serial == 0 || old->birth != serial)
        return bm_window_alloc(thread, node, size, sp);
    if (thread->paused > 0) {
        bm_window_free(thread, old_node, old, sp);
        return 0;
    }
    struct bm_window_change change = {
        .made = node_in(thread, node, benchmark),
        .made_size = size,
        .gone = node_in(thread, old_node, benchmark),
        .gone_size = old->size,
    };
    if (!change.made || !change.gone)
        return 0;
    if (!bm_window_count(benchmark, serial, &change))
        return bm_window_alloc(thread, node, size, sp);
    note_saves(thread, benchmark, &change);
    return serial;
}

uint64_t bm_window_live(uint32_t benchmark)
{
    /* As in open_pass. */
    uint32_t serial =
        atomic_load_explicit(&bm_window_serial, memory_order_acquire);
    const struct bm_benchmark *open =
        atomic_load_explicit(&window.benchmark, memory_order_acquire);
    struct bm_pass_gauge gauge;

    if (!serial || open->ledger.benchmark != benchmark ||
        !bm_pass_unpack(bm_pair_get(open->gauge), serial, &gauge))
        return 0;
    return gauge.live;
}

/* ---- opening and closing ---- */

static bool move_phase(uint32_t from, uint32_t to)
{
    /* Acquire and release: the window's fields go with its phase. */
    return atomic_compare_exchange_strong_explicit(
        &window.phase, &from, to, memory_order_acq_rel, memory_order_relaxed);
}

/* Goes from one pass to another, 0 being none; what was live in the old. */
static uint64_t switch_pass(struct bm_benchmark *benchmark, uint32_t from,
                            uint32_t to)
{
    struct bm_pass_gauge gauge;
    struct bm_pair seen;
    uint64_t live;

    do {
        seen = bm_pair_get(benchmark->gauge);
        bm_pass_unpack(seen, from, &gauge);
        live = gauge.live;
        if (gauge.is_own)
            bm_word_max_shared(&benchmark->ledger.words[BM_LEDGER_peak_pass],
                               from);
        gauge.live = 0;
        gauge.is_own = false;
    } while (
        !bm_pair_exchange(benchmark->gauge, seen, bm_pass_pack(gauge, to)));
    return live;
}

/* now is bm_measure_time, taken as early as may be. */
static void close_window(uint64_t now)
{
    struct bm_pass_end end = {0};
    struct bm_benchmark *benchmark;
    uint32_t serial;

    if (!move_phase(OPEN, CLOSING))
        return;
    end.time_ns = now ? now - window.start_ns : 0;
    end.peak_rss = bm_measure_rss();
    end.setup_peak_rss = window.setup_peak_rss;
    serial =
        atomic_exchange_explicit(&bm_window_serial, 0, memory_order_relaxed);
    atomic_store_explicit(&window.owner, NULL, memory_order_relaxed);
    benchmark = atomic_load_explicit(&window.benchmark, memory_order_relaxed);
    end.retained = switch_pass(benchmark, serial, 0);
    bm_benchmark_end_pass(benchmark, &end);
    closed.benchmark = benchmark;
    closed.figures = end;
    closed.serial = serial;
    move_phase(CLOSING, CLOSED);
}

static bool open_window(struct bm_thread *thread,
                        const struct bm_window_frame *frame,
                        const uint64_t *values, bool returns)
{
    struct bm_benchmark *benchmark;
    uint32_t serial;

    if (atomic_load_explicit(&last_serial, memory_order_relaxed) ==
            BM_MAX_PASS ||
        thread->paused > 0 || !move_phase(CLOSED, OPENING))
        return false;
    window.setup_peak_rss = bm_measure_rss();
    benchmark = bm_benchmark_get(thread, frame->bench, values);
    if (!benchmark) {
        move_phase(OPENING, CLOSED);
        return false;
    }
    serial = atomic_fetch_add_explicit(&last_serial, 1, memory_order_relaxed);
    serial++;
    bm_benchmark_begin_pass(thread, benchmark, serial);
    switch_pass(benchmark, 0, serial);
    bm_saves_begin_pass(thread, benchmark);
    window.frame = *frame;
    window.returns = returns;
    atomic_store_explicit(
        &window.owner_tid,
        atomic_load_explicit(&thread->tid, memory_order_relaxed),
        memory_order_relaxed);
    /* Release: an event of an earlier pass that sees it sees it filled. */
    atomic_store_explicit(&window.benchmark, benchmark, memory_order_release);
    atomic_store_explicit(&window.owner, thread, memory_order_relaxed);
    bm_be_careful(BM_CAREFUL_BIRTHS);
    /* Release: an event that sees the serial sees its benchmark. */
    atomic_store_explicit(&bm_window_serial, serial, memory_order_release);
    window.start_ns = bm_measure_time();
    move_phase(OPENING, OPEN);
    return true;
}

static bool is_owner_gone(void)
{
    return bm_thread_is_gone(
        bm_sys_getpid(),
        atomic_load_explicit(&window.owner_tid, memory_order_relaxed));
}

/* Closes the window if its function is seen to be gone. */
static void close_if_gone(struct bm_thread *thread,
                          const struct bm_caller *caller,
                          const struct bm_window_frame *frame)
{
    /* Acquire pairs with move_phase: owner and frame of the open window. */
    if (atomic_load_explicit(&window.phase, memory_order_acquire) != OPEN)
        return;
    bool is_own =
        atomic_load_explicit(&window.owner, memory_order_relaxed) == thread;
    if (is_own ? bm_window_frame_is_gone(thread, caller, &window.frame, frame)
               : is_owner_gone())
        close_window(bm_measure_time());
}

/*
 * Within a window that is left by its end alone there is nothing to find
 * out, which may take longer than what is measured.
 */
static bool is_surely_within(const struct bm_thread *thread)
{
    return atomic_load_explicit(&window.owner, memory_order_relaxed) ==
               thread &&
           window.returns;
}

bool bm_window_begin(struct bm_thread *thread, const struct bm_caller *caller,
                     const struct bm_bench *bench, const uint64_t *values,
                     bool returns)
{
    struct bm_window_frame frame;

    if (is_surely_within(thread))
        return false;
    frame = bm_window_frame(thread, caller, bench);
    close_if_gone(thread, caller, &frame);
    return open_window(thread, &frame, values, returns);
}

void bm_window_enter(struct bm_thread *thread, const struct bm_caller *caller,
                     const struct bm_bench *bench, const uint64_t *values)
{
    bm_window_begin(thread, caller, bench, values, false);
}

/* Whether the window is the thread's, and of that benchmark. */
static bool is_own(const struct bm_thread *thread, const struct bm_bench *bench)
{
    return atomic_load_explicit(&window.owner, memory_order_relaxed) ==
               thread &&
           window.frame.bench == bench;
}

void bm_window_leave(struct bm_thread *thread, const struct bm_caller *caller,
                     const struct bm_bench *bench, uint64_t now)
{
    if (is_own(thread, bench) &&
        bm_window_frame_is_leaving(thread, caller, &window.frame))
        close_window(now);
}

bool bm_window_end(struct bm_thread *thread, const struct bm_caller *caller,
                   uint64_t now, uint64_t ns)
{
    const struct bm_bench *bench = window.frame.bench;

    if (!bench || !(bench->reserved & BM_BENCH_MADE) ||
        !is_own(thread, bench) ||
        !(window.returns ||
          bm_window_frame_is_leaving(thread, caller, &window.frame)))
        return false;
    close_window(now && ns ? window.start_ns + ns : now);
    return true;
}

const struct bm_window_closed *bm_window_last(void)
{
    return &closed;
}

bool bm_window_was_none(void)
{
    return atomic_load_explicit(&last_serial, memory_order_relaxed) == 0;
}

void bm_window_orphaned(struct bm_thread *thread)
{
    if (atomic_load_explicit(&window.owner, memory_order_relaxed) == thread)
        close_window(bm_measure_time());
}

void bm_windows_after_fork(void)
{
    closed = (struct bm_window_closed){0};
    atomic_store_explicit(&bm_window_serial, 0, memory_order_relaxed);
    atomic_store_explicit(&window.owner, NULL, memory_order_relaxed);
    atomic_store_explicit(&window.phase, CLOSED, memory_order_relaxed);
    bm_benchmarks_after_fork();
}
