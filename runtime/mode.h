/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Two words about the recorder as a whole that every event looks at. They lie
 * in a page that the kernel clears in a forked child (see process.h), so a
 * child finds BM_COLD at its first call, whatever made it. See guard.h for
 * the first, `state`.
 */
#ifndef BENCHMEM_RUNTIME_MODE_H
#define BENCHMEM_RUNTIME_MODE_H

#include "hidden.h"

#include <stdatomic.h>
#include <stdint.h>

#if defined(__aarch64__)
#define BM_STATE_PAGE 65536 /* the largest page size in use */
#else
#define BM_STATE_PAGE 4096
#endif

union bm_state_page {
    struct {
        _Atomic uint32_t state; /* enum bm_state */
        /*
         * 0 unless running; else another number each time that something
         * changes which the short ways rely on. A thread that finds another
         * one than last time takes the slow way once (bm_record_renew).
         */
        _Atomic uint32_t mode;
    };
    char page[BM_STATE_PAGE];
};
extern union bm_state_page bm_state_page BM_HIDDEN;

/* Of a thread that must renew: no mode, and not the 0 of a forked child. */
#define BM_MODE_NEVER ((uint32_t)INT32_MAX)

/* In its place while the thread is inside the recorder. */
#define BM_MODE_INSIDE ((uint32_t)1 << 31)

/* What an entry must know of a thread before anything else. */
struct bm_guard {
    uint32_t mode; /* that it last saw, or BM_MODE_INSIDE */
    uint32_t seen; /* that it last saw */
};

/* Something that the short ways rely on has changed. Any thread. */
static inline void bm_mode_change(void)
{
    uint32_t mode =
        atomic_load_explicit(&bm_state_page.mode, memory_order_relaxed);

    /* Release pairs with the acquire of a thread that renews. */
    while (mode && !atomic_compare_exchange_weak_explicit(
                       &bm_state_page.mode, &mode, mode + 1,
                       memory_order_release, memory_order_relaxed))
        ;
}

static inline uint32_t bm_mode_get(void)
{
    return atomic_load_explicit(&bm_state_page.mode, memory_order_relaxed);
}

#endif
