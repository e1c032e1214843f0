/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "stop.h"

#include "attribute.h"
#include "blocks.h"
#include "ledger.h"
#include "sys.h"
#include "text.h"
#include "windows.h"

#include <signal.h>
#include <stdatomic.h>

static _Atomic uint64_t nr_allocations;
static _Atomic uint32_t watched; /* index of a benchmark or site, 0: not met */
static atomic_flag stopped = ATOMIC_FLAG_INIT;

void bm_stop_start(void)
{
    if (bm_options.stop_live || bm_options.stop_allocation)
        bm_be_careful(BM_CAREFUL_STOP);
}

void bm_stop_after_fork(void)
{
    atomic_flag_test_and_set_explicit(&stopped, memory_order_relaxed);
}

void bm_stop_watch_benchmark(uint32_t benchmark)
{
    atomic_store_explicit(&watched, benchmark, memory_order_relaxed);
}

void bm_stop_watch_site(uint32_t site)
{
    atomic_store_explicit(&watched, site, memory_order_relaxed);
}

/* What is watched for stop_live holds now, after an event of node. */
static uint64_t live_of(const struct bm_node *node)
{
    uint32_t what = atomic_load_explicit(&watched, memory_order_relaxed);

    if (bm_options.stop_site)
        return what && bm_key_site(node->key) == what
                   ? bm_gauge_live(&node->mark->gauge)
                   : 0;
    if (bm_options.stop_benchmark)
        return what ? bm_window_live(what) : 0;
    return bm_gauge_live(&bm_total.gauge);
}

static void tell_of_live(struct bm_line *line, uint64_t live)
{
    bm_line_text(line, ", with ");
    bm_line_number(line, live);
    bm_line_text(line, bm_options.stop_site        ? " bytes of that site live"
                       : bm_options.stop_benchmark ? " bytes live in the pass"
                                                   : " bytes live");
}

static void tell(uint64_t number, uint64_t live)
{
    char buffer[192];
    struct bm_line line = bm_line_in(buffer, sizeof(buffer));

    bm_line_text(&line, "benchmem: stopped at allocation ");
    bm_line_number(&line, number);
    tell_of_live(&line, live);
    if (bm_options.stop_live && live > bm_options.stop_live) {
        bm_line_text(&line, ": this run differs, no allocation led to ");
        bm_line_number(&line, bm_options.stop_live);
    } else if (bm_options.stop_ordinal && number != bm_options.stop_ordinal) {
        bm_line_text(&line, ": this run differs, before it was allocation ");
        bm_line_number(&line, bm_options.stop_ordinal);
    }
    bm_line_text(&line, "\n");
    bm_sys_write(2, line.text, line.length);
}

static __attribute__((noinline, cold)) void stopped_here(uint64_t number,
                                                         uint64_t live)
{
    if (atomic_flag_test_and_set_explicit(&stopped, memory_order_relaxed))
        return;
    tell(number, live);
    bm_syscall(SYS_tgkill, bm_sys_getpid(), bm_sys_gettid(), SIGTRAP, 0, 0, 0);
}

void bm_stop_look(const struct bm_node *node)
{
    uint64_t number =
        1 + atomic_fetch_add_explicit(&nr_allocations, 1, memory_order_relaxed);
    uint64_t live = live_of(node);

    if (number == bm_options.stop_allocation ||
        (bm_options.stop_live && (int64_t)live > 0 &&
         live >= bm_options.stop_live))
        stopped_here(number, live);
}
