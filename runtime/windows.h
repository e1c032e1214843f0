/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Windows: what happens between a benchmark function's entry and its exit,
 * on every thread, in a second account beside the process's. At most one is
 * open; a benchmark entered meanwhile is an ordinary call of it.
 *
 * Only blocks born in the open pass count: a block's birth is the serial of
 * the pass that was open when it came (0 if none was). Serials are unique in
 * the process. A window whose function was left without an exit (longjmp,
 * thread exit) is closed at the next event of its thread that comes from
 * further out on the same stack, or at the next entry.
 *
 * at_peak goes by epochs as in ledger.h, with passes on top: a node's live
 * is that of its last pass. Does the peak found at an event differ from the
 * one seen last, then the node held its live at that peak if the peak was
 * set in that pass, else nothing.
 *
 * Any thread, guard held. sp is the stack pointer of the event's caller.
 */
#ifndef BENCHMEM_RUNTIME_WINDOWS_H
#define BENCHMEM_RUNTIME_WINDOWS_H

#include "benchmarks.h"
#include "blocks.h"
#include "nodes.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

extern _Atomic uint32_t bm_window_serial BM_HIDDEN; /* of the open pass, or 0 */

static inline bool bm_window_is_open(void)
{
    return atomic_load_explicit(&bm_window_serial, memory_order_relaxed) != 0;
}

/* A benchmark function was entered, or is about to be left. */
void bm_window_enter(struct bm_thread *thread, const struct bm_caller *caller,
                     const struct bm_bench *bench, const uint64_t *values);
void bm_window_leave(struct bm_thread *thread, const struct bm_caller *caller,
                     const struct bm_bench *bench, uint64_t now);

/*
 * A window that code asks for, around what follows in the caller; bench is
 * one that was made. False if it cannot be had, or one is open already.
 * returns: nothing but bm_window_end of the same thread leaves it, be it in
 * another function.
 */
bool bm_window_begin(struct bm_thread *thread, const struct bm_caller *caller,
                     const struct bm_bench *bench, const uint64_t *values,
                     bool returns);

/*
 * Ends it; false if it is no longer open. ns is the time it took, or 0 to
 * take the time that was now.
 */
bool bm_window_end(struct bm_thread *thread, const struct bm_caller *caller,
                   uint64_t now, uint64_t ns);

/* The window that was closed last; serial is 0 before there was one. */
struct bm_window_closed {
    struct bm_benchmark *benchmark;
    struct bm_pass_end figures;
    uint32_t serial;
};
const struct bm_window_closed *bm_window_last(void);

/* Whether none was ever open. */
bool bm_window_was_none(void);

/* Counts a new block; its birth. node is the process's. */
uint32_t bm_window_alloc(struct bm_thread *thread, struct bm_node *node,
                         uint64_t size, uintptr_t sp);

/* Counts the end of a block, if it was born in the open pass. */
void bm_window_free(struct bm_thread *thread, struct bm_node *node,
                    const struct bm_block *block, uintptr_t sp);

/* Counts a block in place of another as one event; the new one's birth. */
uint32_t bm_window_realloc(struct bm_thread *thread, struct bm_node *old_node,
                           const struct bm_block *old, struct bm_node *node,
                           uint64_t size, uintptr_t sp);

/* What the open pass holds, if it is one of that benchmark, else 0. */
uint64_t bm_window_live(uint32_t benchmark);

/* Only notices whether the window was left. */
void bm_window_look(struct bm_thread *thread, uintptr_t sp);

/* The thread that had this record is gone; so is its window. */
void bm_window_orphaned(struct bm_thread *thread);

/* In a forked child: no window is open; births go on meaning the parent's. */
void bm_windows_after_fork(void);

#endif
