/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Nodes and marks: the counters of one ledger. A node counts what one thread
 * did at one key and is written by that thread alone; a mark is a site's own
 * high-water mark over all threads. Their words lie in the profile.
 *
 * Found through the thread's own tables, made when first met. Where there is
 * no room for a node any more, new keys of a thread share its node of
 * BM_KEY_OTHER, and a block is then kept under that key, so that its free is
 * counted where its allocation was.
 */
#ifndef BENCHMEM_RUNTIME_NODES_H
#define BENCHMEM_RUNTIME_NODES_H

#include "attribute.h"
#include "memory.h"
#include "purse.h"
#include "threads.h"

#include "../profile/profile.h"
#include "../profile/records.h"

#include <stdint.h>

/* Totals of the process or of one benchmark: list `ledger` in the profile. */
struct bm_ledger {
    uint64_t *words;
    uint32_t benchmark; /* index, 0 for the process */
};

/* A site's mark within one ledger. */
struct bm_mark {
    union {
        struct bm_gauge gauge; /* of the process */
        struct {               /* in a benchmark */
            uint64_t gauge[2];
            uint64_t *words; /* in the profile */
        } pass;
    };
    struct bm_mark *next;
    uint32_t benchmark;
    uint32_t site;
};

/* What each event needs and no more, for there may be millions. */
struct bm_node {
    uint64_t *words;
    struct bm_mark *mark;
    uint64_t tag; /* the key as in a block's entry */
    uint32_t key;
    uint32_t batch; /* of the thread's batches, the last that touched it */
    struct bm_purse *purse; /* the thread's of the mark, or bm_no_purse */
};

/* What only benchmarks, saves.h and access.h need. */
struct bm_node_aside {
    uint64_t *access;       /* of access.h; NULL until it is needed */
    struct bm_node *window; /* the same key's in the ledger last used */
    uint32_t benchmark;     /* of the node itself */
    /* Of saves.h: its parts by level, from 1; 0 at the first: not looked up */
    uint32_t parts[BM_NR_SAVED];
};

/* Nodes in one piece of memory, on a boundary of BM_CHUNK. */
#define BM_NODES_IN_CHUNK (BM_CHUNK / sizeof(struct bm_node) - 1)
struct bm_node_chunk {
    struct bm_node_aside *asides; /* of its nodes, if any is needed */
    struct bm_node nodes[BM_NODES_IN_CHUNK];
};

/* The number of blocks that at_peak is made of; it lies above the key. */
static inline void bm_node_set_peak_blocks(uint64_t *words, uint64_t blocks)
{
    uint64_t key = bm_word_get(&words[BM_NODE_key]) & BM_NODE_KEY_MASK;

    bm_word_set(&words[BM_NODE_key], blocks << BM_NODE_KEY_BITS | key);
}

/* What lies aside of a node; NULL if nothing was put there. */
static inline struct bm_node_aside *bm_node_aside_if(const struct bm_node *node)
{
    uintptr_t at = (uintptr_t)node;
    const struct bm_node_chunk *chunk =
        (const struct bm_node_chunk *)(at & ~(BM_CHUNK - 1));

    return chunk->asides ? &chunk->asides[node - chunk->nodes] : NULL;
}

/* The same, with room for it. NULL if there is no memory. */
struct bm_node_aside *bm_node_aside(struct bm_node *node);

/* The process's node of key, if it was met before; else NULL. */
struct bm_node *bm_node_find(const struct bm_thread *thread, uint32_t key);

/* The same for keys that were used last: NULL if it was not met before. */
BM_RARE struct bm_node *bm_node_near_slow(struct bm_thread *thread,
                                          uint32_t key);

static inline struct bm_node *bm_node_near(struct bm_thread *thread,
                                           uint32_t key)
{
    struct bm_node *node = thread->near[key % BM_NEAR_NODES];

    return __builtin_expect(node->key == key, 1)
               ? node
               : bm_node_near_slow(thread, key);
}

/* The same, but NULL is likely only to mean that another was used last. */
static inline struct bm_node *bm_node_nearest(struct bm_thread *thread,
                                              uint32_t key)
{
    struct bm_node *node = thread->near[key % BM_NEAR_NODES];

    return __builtin_expect(node->key == key, 1) ? node : NULL;
}

void bm_nodes_forget_near(struct bm_thread *thread);

/* The same, made if it is new. NULL if there is no room. */
struct bm_node *bm_node_get(struct bm_thread *thread, uint32_t key);

/* The same or, without room, that of BM_KEY_OTHER: node->key tells. */
struct bm_node *bm_node_for(struct bm_thread *thread, uint32_t key);

/* A benchmark's node beside one of the process. NULL if there is no room. */
struct bm_node *bm_node_in_window(struct bm_thread *thread,
                                  struct bm_node *node, uint32_t benchmark);

/*
 * The words of what became of the bytes of a node of the process, made if
 * there are none yet. NULL if there is no room.
 */
uint64_t *bm_node_access(struct bm_thread *thread, struct bm_node *node);

/* Writes the ledger's record. False if there is no room. */
bool bm_ledger_begin(struct bm_thread *thread, struct bm_ledger *ledger);

/* In a forked child: no mark is known any more. */
void bm_marks_after_fork(void);

#endif
