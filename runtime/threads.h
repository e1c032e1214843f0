/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the recorder keeps for each thread. A record is claimed at a thread's
 * first event and used by that thread alone until it is gone. There is no
 * hook at a thread's exit (destructors of thread-local storage may still
 * allocate): a record is taken over once the kernel no longer knows its
 * thread, which is asked only when a new thread needs one.
 */
#ifndef BENCHMEM_RUNTIME_THREADS_H
#define BENCHMEM_RUNTIME_THREADS_H

#include "attribute.h"
#include "batch.h"
#include "blocks.h"
#include "file.h"
#include "mode.h"
#include "purse.h"
#include "routes.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define BM_MAX_TEMPORARY 64 /* options.inc's limit */

/*
 * Threads with an entry of their own in the profile. Later ones share the
 * entry of the thread that had their record before, so that a program that
 * starts threads for ever has a profile of bounded size.
 */
#define BM_MAX_NAMED_THREADS 1000

/* A hook of `new`, `strdup` or the like, around the malloc inside. */
struct bm_outer {
    struct bm_use *use; /* NULL: there is none */
    struct bm_caller caller;
    uint32_t kind; /* enum bm_kind */
};

struct bm_node;
struct bm_loop;

/* Nodes of benchmarks by ledger and key: open addressing, never half full. */
struct bm_node_hash {
    struct bm_node **slots;
    uint32_t nr_slots; /* a power of two, or 0 */
    uint32_t nr_nodes;
    struct bm_node_chunk *chunk; /* that the next one is taken from */
    uint32_t nr_in_chunk;
};

/*
 * Nodes of the process, numbered from 1 as they are made. Their numbers are
 * found by key: in the path that the key is, if no other thread's is there,
 * else in the leaves.
 */
#define BM_NODE_LEAF_BITS 12
#define BM_NODE_LEAF ((size_t)1 << BM_NODE_LEAF_BITS)
#define BM_NODE_TOP ((size_t)1 << (24 - BM_NODE_LEAF_BITS))
#define BM_NODE_CHUNK_BITS 11
#define BM_NODE_CHUNK (1u << BM_NODE_CHUNK_BITS) /* numbers, not all used */
#define BM_NODE_CHUNKS (1u << (25 - BM_NODE_CHUNK_BITS))
struct bm_node_table {
    uint32_t last; /* number given out */
    struct bm_node_chunk *chunks[BM_NODE_CHUNKS];
    uint32_t *leaves[BM_NODE_TOP]; /* numbers by key */
};

/* Nodes that were used last, by the low bits of their keys. */
#define BM_NEAR_NODES 512u

/* Room for further nodes in a record of the profile. */
struct bm_node_block {
    uint64_t *next;
    uint32_t left, nr; /* nodes; of the whole record */
    uint32_t stride;   /* words of each */
    uint32_t benchmark;
};

/* The same for paths. */
struct bm_path_block {
    uint64_t *next;
    uint32_t left, nr; /* words */
    uint32_t index;    /* that the next path is taken to have */
};

/* A node that a hook's call led to: see stamps.h. */
struct bm_known {
    uint64_t path; /* as in a stamp that is set, or 0 */
    const struct bm_use *use;
    struct bm_node *node;
} __attribute__((aligned(32)));

#define BM_NR_KNOWN 256u

struct bm_thread {
    struct bm_guard guard;  /* the first: it is found by it, see guard.h */
    uintptr_t inside_frame; /* of the entry that holds the guard */
    uintptr_t inside_pc;    /* that entry's return address */
    bool by_site;           /* keys are sites */
    uint32_t recent_at;     /* next slot of recent */
    uint32_t index;         /* of its record */
    int32_t paused;         /* above 0: its blocks are in no window */
    struct bm_loop *loop;   /* of loops.c, or NULL */
    uint64_t *words;        /* of its record, list `thread` */
    struct bm_outer outer;
    uintptr_t recent[BM_MAX_TEMPORARY]; /* addresses of its last blocks */
    struct bm_short_leaves short_leaves;
    struct bm_node *near[BM_NEAR_NODES]; /* never NULL */
    struct bm_known known[BM_NR_KNOWN];
    struct bm_routes routes;
    struct bm_leaf_cache leaves;
    struct bm_attribution attribution;
    struct bm_purse purse; /* of the process's gauge */
    struct bm_batch batch;
    struct bm_part part;
    struct bm_node_block node_blocks[2]; /* of the process, of benchmarks */
    struct bm_path_block path_block;
    bool inherits; /* what its nodes count are blocks of a parent's */
    struct bm_node_hash window_nodes;
    _Atomic uint32_t tid; /* who has it; 0 while it changes hands */
    struct bm_thread *next;
    struct bm_node_table nodes; /* of the process */
};

/* A record for the calling thread. NULL if no memory can be had. */
struct bm_thread *bm_thread_claim(uint32_t pid);

/*
 * Begins thread's entry in the profile, or goes on with that of the thread
 * before it. False if no memory can be had.
 */
bool bm_thread_begin(struct bm_thread *thread);

/*
 * In a forked child: every record but `thread`, the caller's or NULL, belongs
 * to no one, and all are empty.
 */
void bm_threads_after_fork(struct bm_thread *thread);

/* Whether the thread that had this kernel id is no longer there. */
bool bm_thread_is_gone(uint32_t pid, uint32_t tid);

/* Every record, newest first; only grows. */
struct bm_thread *bm_threads_first(void);

#endif
