/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Numbers for call paths: a path is a frame below another path, and ends at a
 * site if it is a block's. A path's number is the key of its blocks.
 *
 * The table is bounded. Beyond the bound a site's further paths share one
 * entry of their own, so that the site stays exact.
 *
 * Any thread, guard held.
 */
#ifndef BENCHMEM_RUNTIME_PATHS_H
#define BENCHMEM_RUNTIME_PATHS_H

#include "gauge.h"
#include "hidden.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct bm_thread;

#define BM_PATH_NONE 0u /* above the outermost frame */

/* A child of the path outward. It is filled before it is linked. */
struct bm_path_node {
    uint32_t what; /* its frame; or, marked, the site where it ends */
    uint32_t outer;
    _Atomic uint32_t next; /* child of the same path, 0: the last */
    /* Of its own children; of an end, some thread's number of its node. */
    _Atomic uint32_t first;
    /* That of them to look at first, 0: any; of an end, its frame. */
    _Atomic uint32_t likely;
};

/* Marks a site in `what`; a site's number has 22 bits, a frame's 24. */
#define BM_PATH_ENDS (UINT32_C(1) << 30)

/* Whether a path is that frame, or ends there at the site `end`. */
static inline bool bm_path_is(const struct bm_path_node *path, uint32_t frame,
                              uint32_t end)
{
    if (!end)
        return path->what == frame;
    return path->what == (end | BM_PATH_ENDS) &&
           atomic_load_explicit(&path->likely, memory_order_relaxed) == frame;
}

/*
 * Paths by number, in chunks. An element is where path 0 would lie if all
 * were as that chunk.
 */
#define BM_PATH_CHUNK 16384u
#define BM_PATH_CHUNKS (1u << (24 - 14))
extern _Atomic uintptr_t bm_path_chunks[BM_PATH_CHUNKS] BM_HIDDEN;

/* The path of a number that was given out. */
static inline struct bm_path_node *bm_path_at(uint32_t path)
{
    /* Pairs with the release of who maps a chunk. */
    uintptr_t chunk = atomic_load_explicit(
        &bm_path_chunks[path / BM_PATH_CHUNK], memory_order_acquire);

    return (struct bm_path_node *)(chunk + path * sizeof(struct bm_path_node));
}

/*
 * A child among those in its parent's list; 0: it is not there. What a
 * program does it mostly does again in the same order, so the search begins
 * behind the child that was found last.
 */
static inline uint32_t bm_path_listed(uint32_t outer, uint32_t frame,
                                      uint32_t end)
{
    struct bm_path_node *parent = bm_path_at(outer);
    /* Acquire here and below pairs with the release of who links a child. */
    uint32_t i = atomic_load_explicit(&parent->likely, memory_order_acquire);
    uint32_t start, next;

    if (!i)
        i = atomic_load_explicit(&parent->first, memory_order_acquire);
    if (!i)
        return 0;
    start = i;
    do {
        struct bm_path_node *path = bm_path_at(i);

        next = atomic_load_explicit(&path->next, memory_order_acquire);
        if (bm_path_is(path, frame, end)) {
            /*
             * Lines that threads share are left alone. Release, for a thread
             * to come: the path is whole where it begins to look.
             */
            if (!bm_is_threaded()) {
                atomic_store_explicit(&parent->likely, next,
                                      memory_order_release);
                /* By the time it is looked for, it has come. */
                __builtin_prefetch(bm_path_at(next));
            }
            return i;
        }
        i = next ? next
                 : atomic_load_explicit(&parent->first, memory_order_acquire);
    } while (i != start);
    return 0;
}

/*
 * Path 1 is that of BM_SITE_OTHER. max_paths counts every entry; with 0, where
 * sites alone are recorded, there is none, but stacks can be walked.
 */
void bm_paths_init(struct bm_thread *thread, uint32_t max_paths);

/* In a forked child: its profile gets the paths that there are. */
void bm_paths_inherit(struct bm_thread *thread);

/* frame below outer. BM_PATH_FULL if the table is. */
#define BM_PATH_FULL UINT32_MAX
uint32_t bm_path_below(struct bm_thread *thread, uint32_t outer,
                       uint32_t frame);

/* The end of a path at a site. Never BM_PATH_FULL. */
uint32_t bm_path_end(struct bm_thread *thread, uint32_t outer, uint32_t frame,
                     uint32_t site);

uint32_t bm_path_site(uint32_t path);

/*
 * Where the end of a path keeps the number of a thread's node (nodes.h), 0 at
 * first; NULL where keys are sites.
 */
_Atomic uint32_t *bm_path_number(uint32_t path);

/* What a path is made of; frame is 0 where it is its site's. */
struct bm_path {
    uint32_t outer, frame, site;
    bool other; /* stands for further paths of its site */
};
struct bm_path bm_path_get(uint32_t path);

#endif
