/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What is known of a use (struct bm_use of abi.h): the numbers of its site and
 * of its frame, which lie in it once it was met. They are written by whoever
 * comes first; all write the same. Any thread, guard held.
 */
#ifndef BENCHMEM_RUNTIME_USES_H
#define BENCHMEM_RUNTIME_USES_H

#include "abi.h"
#include "hidden.h"

#include <stdatomic.h>
#include <stdint.h>

struct bm_thread;

/* Finds out both numbers. */
void bm_use_learn(struct bm_thread *thread, struct bm_use *use);

static inline uint32_t bm_use_load(uint32_t *word)
{
    return atomic_load_explicit((_Atomic uint32_t *)word, memory_order_relaxed);
}

static inline uint32_t bm_use_site(struct bm_thread *thread, struct bm_use *use)
{
    uint32_t site = bm_use_load(&use->site);

    if (__builtin_expect(site != 0, 1))
        return site;
    bm_use_learn(thread, use);
    return bm_use_load(&use->site);
}

/* The frame; its site has been asked for. */
static inline uint32_t bm_use_frame(struct bm_use *use)
{
    return bm_use_load(&use->frame);
}

#endif
