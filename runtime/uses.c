/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "uses.h"

#include "calls.h"
#include "frames.h"

static void store_index(uint32_t *word, uint32_t index)
{
    atomic_store_explicit((_Atomic uint32_t *)word, index,
                          memory_order_relaxed);
}

__attribute__((noinline, cold)) void bm_use_learn(struct bm_thread *thread,
                                                  struct bm_use *use)
{
    const struct bm_frame *where = bm_abi_at(&use->where);
    uint32_t site =
        bm_site_of_call(thread, where, (enum bm_kind)where->kind, NULL);

    store_index(&use->frame, bm_frame_of_call(thread, where));
    store_index(&use->site, site);
}
