/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "pools.h"

#include "file.h"
#include "gauge.h"
#include "memory.h"
#include "user.h"

#include "../profile/records.h"

#include <stdatomic.h>
#include <string.h>

/*
 * One pool of the program. Found through the pool itself, where its owner
 * leaves room for a pointer. In a forked child it gets another record.
 */
struct pool {
    _Atomic(uint64_t *) words;
    _Atomic uint32_t epoch; /* of the process that the record is in */
};

static _Atomic uint32_t current = 1; /* rises with each fork */

static uint64_t *append(struct bm_thread *thread,
                        const struct benchmem_pool *from)
{
    static const uint64_t zeros[BM_NR_WORDS_pool];
    msgpack_packer *packer = bm_record_begin(thread);
    struct bm_record_pool record = {
        .name = {from->name, from->name ? strlen(from->name) : 0},
        .pool = {zeros, BM_NR_WORDS_pool},
    };

    if (!packer || bm_pack_pool(packer, &record) != 0)
        return NULL;
    return bm_file_append(thread, BM_NR_WORDS_pool);
}

/* Two threads that come first at once may both make one: one is used. */
static struct pool *pool_of(struct benchmem_pool *from)
{
    _Atomic(struct pool *) *slot = (_Atomic(struct pool *) *)&from->recorder_;
    /* Acquire pairs with the release below: what is found is filled. */
    struct pool *pool = atomic_load_explicit(slot, memory_order_acquire);
    struct pool *made;

    if (pool)
        return pool;
    made = bm_arena_get(sizeof(*made));
    if (!made || atomic_compare_exchange_strong_explicit(slot, &pool, made,
                                                         memory_order_acq_rel,
                                                         memory_order_acquire))
        return made;
    return pool;
}

/* NULL if there is no room. */
static uint64_t *words_of(struct bm_thread *thread, struct benchmem_pool *from)
{
    uint32_t epoch = atomic_load_explicit(&current, memory_order_relaxed);
    struct pool *pool = pool_of(from);
    uint32_t seen;

    if (!pool)
        return NULL;
    /* The epoch only chooses who appends; the words carry what was. */
    seen = atomic_load_explicit(&pool->epoch, memory_order_relaxed);
    if (seen != epoch && atomic_compare_exchange_strong_explicit(
                             &pool->epoch, &seen, epoch, memory_order_relaxed,
                             memory_order_relaxed))
        atomic_store_explicit(&pool->words, append(thread, from),
                              memory_order_release);
    /*
     * Another thread may be at it: its record comes in a moment. Acquire pairs
     * with the release above: the record is written.
     */
    return atomic_load_explicit(&pool->words, memory_order_acquire);
}

static void take(uint64_t *words, uint64_t bytes)
{
    uint64_t live;

    bm_word_add_shared(&words[BM_POOL_takes], 1);
    bm_word_add_shared(&words[BM_POOL_taken], bytes);
    live = bm_word_add_shared(&words[BM_POOL_live], bytes);
    bm_word_max_shared(&words[BM_POOL_peak], live);
}

/* Never below nothing: what came back unseen is left out. */
static uint64_t give_back(uint64_t *live, uint64_t bytes)
{
    uint64_t seen = bm_word_get(live), part;

    do {
        part = bytes < seen ? bytes : seen;
    } while (!atomic_compare_exchange_weak_explicit(
        (_Atomic uint64_t *)live, &seen, seen - part, memory_order_relaxed,
        memory_order_relaxed));
    return part;
}

void bm_pool_change(struct bm_thread *thread, struct benchmem_pool *pool,
                    uint64_t taken, uint64_t given)
{
    bool is_reset = given == UINT64_MAX;
    uint64_t *words = words_of(thread, pool);

    if (!words)
        return;
    if (is_reset || given) {
        given = give_back(&words[BM_POOL_live], given);
        bm_word_add_shared(&words[is_reset ? BM_POOL_resets : BM_POOL_gives],
                           1);
        bm_word_add_shared(&words[BM_POOL_given], given);
    } else {
        take(words, taken);
    }
}

void bm_pools_after_fork(void)
{
    atomic_fetch_add_explicit(&current, 1, memory_order_relaxed);
}
