/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "threads.h"

#include "head.h"
#include "ledger.h"
#include "memory.h"
#include "nodes.h"
#include "stamps.h"
#include "sys.h"
#include "windows.h"

#include "../profile/profile.h"
#include "../profile/records.h"

#include <errno.h>
#include <string.h>

/* Records looked at when a thread needs one, so that starting is O(1). */
#define MAX_PROBES 8

#define KERNEL_NAME_SIZE 16 /* prctl(2), PR_GET_NAME */

static _Atomic(struct bm_thread *) threads;
static _Atomic(struct bm_thread *) next_probe;
static _Atomic uint32_t nr_named;

struct bm_thread *bm_threads_first(void)
{
    /* Pairs with the release in new_thread. */
    return atomic_load_explicit(&threads, memory_order_acquire);
}

bool bm_thread_is_gone(uint32_t pid, uint32_t tid)
{
    return bm_sys_probe(pid, tid) == -ESRCH;
}

static bool take_over(struct bm_thread *thread, uint32_t from, uint32_t to)
{
    /*
     * What the last owner did to the record is seen: it has ended, which is
     * known from the kernel. Acquire keeps what follows from being done before.
     */
    return atomic_compare_exchange_strong_explicit(
        &thread->tid, &from, to, memory_order_acquire, memory_order_relaxed);
}

/* A record whose thread had our kernel id: ids are reused, so it is gone. */
static struct bm_thread *find_namesake(uint32_t tid)
{
    struct bm_thread *thread = bm_threads_first();

    /* Acquire as in take_over. */
    while (thread &&
           atomic_load_explicit(&thread->tid, memory_order_acquire) != tid)
        thread = thread->next;
    return thread;
}

static struct bm_thread *find_abandoned(uint32_t pid, uint32_t tid)
{
    /* Pairs with the releases below: records that the storer has found. */
    struct bm_thread *thread =
        atomic_load_explicit(&next_probe, memory_order_acquire);

    for (int i = 0; i < MAX_PROBES; i++) {
        if (!thread && !(thread = bm_threads_first()))
            return NULL;
        struct bm_thread *candidate = thread;
        uint32_t owner =
            atomic_load_explicit(&candidate->tid, memory_order_relaxed);

        thread = thread->next;
        if (owner && bm_thread_is_gone(pid, owner) &&
            take_over(candidate, owner, tid)) {
            atomic_store_explicit(&next_probe, thread, memory_order_release);
            return candidate;
        }
    }
    atomic_store_explicit(&next_probe, thread, memory_order_release);
    return NULL;
}

static struct bm_thread *new_thread(uint32_t tid)
{
    struct bm_thread *thread = bm_map(sizeof(*thread));

    if (!thread)
        return NULL;
    atomic_init(&thread->tid, tid);
    thread->guard = (struct bm_guard){BM_MODE_NEVER, BM_MODE_NEVER};
    bm_nodes_forget_near(thread);
    bm_short_leaves_clear(&thread->short_leaves);
    bm_purse_init(&thread->purse, &bm_total.gauge,
                  bm_is_careful(BM_CAREFUL_LIVE) ? NULL : thread);
    bm_batch_begin(thread);
    thread->next = bm_threads_first();
    /* Release: a record is filled before it is found. */
    while (!atomic_compare_exchange_weak_explicit(&threads, &thread->next,
                                                  thread, memory_order_release,
                                                  memory_order_acquire))
        ;
    return thread;
}

/* Forgets the nodes, which are another thread's or another process's. */
static void clear_nodes(struct bm_thread *thread)
{
    struct bm_node_hash *hash = &thread->window_nodes;

    thread->nodes.last = 0;
    memset(thread->node_blocks, 0, sizeof(thread->node_blocks));
    for (size_t i = 0; i < BM_NODE_TOP; i++)
        if (thread->nodes.leaves[i])
            bm_sys_madvise(thread->nodes.leaves[i],
                           BM_NODE_LEAF * sizeof(uint32_t), MADV_DONTNEED);
    if (hash->slots)
        memset(hash->slots, 0, hash->nr_slots * sizeof(*hash->slots));
    hash->nr_nodes = 0;
    bm_nodes_forget_near(thread);
    bm_routes_forget(&thread->routes);
    bm_known_forget(thread);
    thread->guard = (struct bm_guard){BM_MODE_NEVER, BM_MODE_NEVER};
}

static uint64_t *append_record(struct bm_thread *thread)
{
    static const uint64_t zeros[BM_NR_WORDS_thread];
    char name[KERNEL_NAME_SIZE] = "";
    msgpack_packer *packer = bm_record_begin(thread);

    bm_sys_thread_name(name);
    struct bm_record_thread record = {
        .index = thread->index,
        .tid = atomic_load_explicit(&thread->tid, memory_order_relaxed),
        .name = {name, strnlen(name, sizeof(name))},
        .thread = {zeros, BM_NR_WORDS_thread},
    };
    if (!packer || bm_pack_thread(packer, &record) != 0)
        return NULL;
    return bm_file_append(thread, BM_NR_WORDS_thread);
}

static bool may_be_named(const struct bm_thread *thread)
{
    return !thread->words ||
           atomic_load_explicit(&nr_named, memory_order_relaxed) <
               BM_MAX_NAMED_THREADS;
}

bool bm_thread_begin(struct bm_thread *thread)
{
    if (!may_be_named(thread)) {
        bm_note_once(thread, BM_NOTE_THREADS);
        return true;
    }
    bm_batch_end(thread); /* of the thread before it */
    clear_nodes(thread);
    memset(thread->recent, 0, sizeof(thread->recent));
    thread->outer.use = NULL;
    thread->paused = 0;
    thread->index =
        atomic_fetch_add_explicit(&nr_named, 1, memory_order_relaxed) + 1;
    thread->words = append_record(thread);
    if (!thread->words) {
        thread->index = 1; /* what it has room for is the main thread's */
        thread->words = bm_arena_get(BM_NR_WORDS_thread * sizeof(uint64_t));
    }
    return thread->words != NULL;
}

struct bm_thread *bm_thread_claim(uint32_t pid)
{
    uint32_t tid = bm_sys_gettid();
    struct bm_thread *thread = find_namesake(tid);

    if (!thread)
        thread = find_abandoned(pid, tid);
    if (!thread)
        return new_thread(tid);
    bm_window_orphaned(thread);
    return thread;
}

void bm_threads_after_fork(struct bm_thread *thread)
{
    struct bm_thread *first = bm_threads_first();

    for (struct bm_thread *at = first; at; at = at->next) {
        char *buffer = at->part.buffer;

        bm_batch_forget(at);
        bm_purse_empty(&at->purse);
        clear_nodes(at);
        at->words = NULL;
        at->part = (struct bm_part){.buffer = buffer};
        at->path_block = (struct bm_path_block){0};
        atomic_store_explicit(&at->tid, at == thread ? bm_sys_gettid() : 0,
                              memory_order_relaxed);
    }
    atomic_store_explicit(&nr_named, 0, memory_order_relaxed);
}
