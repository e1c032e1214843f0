/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "nodes.h"

#include "attribute.h"
#include "memory.h"
#include "options.h"
#include "paths.h"

#include "../profile/profile.h"
#include "../profile/records.h"

#include <stdatomic.h>

#define FIRST_HASH 512u

/* Knuth's multiplicative hashing: 2^64 / golden ratio. */
#define HASH_FACTOR UINT64_C(0x9e3779b97f4a7c15)

/* Marks by benchmark and site, chained. */
#define MARK_BITS 14
#define NR_MARK_CHAINS ((size_t)1 << MARK_BITS)
static _Atomic(struct bm_mark *) mark_chains[NR_MARK_CHAINS];

/* Takes the marks that find no room; read by no one. */
static uint64_t lost_words[BM_NR_WORDS_mark];
static struct bm_mark lost_mark = {
    .gauge.peak = &lost_words[BM_MARK_peak],
    .gauge.peak_ordinal = &lost_words[BM_MARK_peak_ordinal],
};

static const uint64_t zeros[BM_NR_WORDS_node];

static uint64_t *append_mark(struct bm_thread *thread, uint32_t benchmark,
                             uint32_t site)
{
    msgpack_packer *packer = bm_record_begin(thread);
    struct bm_record_mark record = {
        .benchmark = benchmark,
        .site = site,
        .mark = {zeros, BM_NR_WORDS_mark},
    };

    if (!packer || bm_pack_mark(packer, &record) != 0)
        return NULL;
    return bm_file_append(thread, BM_NR_WORDS_mark);
}

static struct bm_mark *find_mark(struct bm_mark *mark, uint32_t benchmark,
                                 uint32_t site)
{
    while (mark && (mark->benchmark != benchmark || mark->site != site))
        mark = mark->next;
    return mark;
}

/*
 * Two threads that meet a site at once may both write a record; the one that
 * is not linked stays zero, and readers take the largest.
 */
static struct bm_mark *mark_of(struct bm_thread *thread, uint32_t benchmark,
                               uint32_t site)
{
    uint64_t hash = ((uint64_t)benchmark << 32 | site) * HASH_FACTOR;
    _Atomic(struct bm_mark *) *chain = &mark_chains[hash >> (64 - MARK_BITS)];
    /* Acquire pairs with the release below. */
    struct bm_mark *first = atomic_load_explicit(chain, memory_order_acquire);
    struct bm_mark *mark = find_mark(first, benchmark, site);
    if (mark)
        return mark;

    mark = bm_arena_get_lines(sizeof(*mark));
    if (!mark)
        return &lost_mark;
    uint64_t *words = append_mark(thread, benchmark, site);
    if (!words)
        return &lost_mark;
    if (benchmark == 0)
        bm_gauge_init(&mark->gauge, &words[BM_MARK_peak],
                      &words[BM_MARK_peak_ordinal]);
    else
        mark->pass.words = words;
    mark->benchmark = benchmark;
    mark->site = site;
    mark->next = first;
    /* Release: a mark is filled before it is found. */
    while (!atomic_compare_exchange_weak_explicit(
        chain, &mark->next, mark, memory_order_release, memory_order_acquire)) {
        struct bm_mark *other = find_mark(mark->next, benchmark, site);
        if (other)
            return other;
    }
    return mark;
}

/* ---- their words in the profile ---- */

/*
 * Room for so many nodes is taken at a time: twice as many each time, and
 * what the file has left without growing.
 */
enum {
    MAX_IN_BLOCK = 256,
    FIRST_OF_PROCESS = 8,
    FIRST_OF_BENCHMARK = 1,
    BLOCK_HEAD = 128, /* more than a record has beside its words */
    LINE = 64,
};

static uint32_t nodes_in_next_block(const struct bm_thread *thread,
                                    const struct bm_node_block *block,
                                    uint32_t stride)
{
    size_t room = bm_file_room(thread), size = stride * sizeof(uint64_t);
    uint32_t nr = block->nr * 2;

    if (nr == 0)
        nr = block->benchmark ? FIRST_OF_BENCHMARK : FIRST_OF_PROCESS;
    if (nr > MAX_IN_BLOCK)
        nr = MAX_IN_BLOCK;
    if (thread->part.last_resort)
        return 1;
    if (room > BLOCK_HEAD + size && nr > (room - BLOCK_HEAD) / size)
        nr = (uint32_t)((room - BLOCK_HEAD) / size);
    return nr;
}

static bool begin_block(struct bm_thread *thread, struct bm_node_block *block,
                        uint32_t stride)
{
    msgpack_packer *packer = bm_record_begin(thread);
    uint32_t nr = nodes_in_next_block(thread, block, stride);
    size_t nr_words = (size_t)nr * stride;
    struct bm_record_nodes record = {
        .benchmark = block->benchmark,
        .thread = thread->index,
        .paths = bm_key_path(BM_KEY_OTHER) != 0,
        .stride = stride,
        .nodes = {NULL, nr_words},
    };

    if (!packer || bm_pack_nodes(packer, &record) != 0)
        return false;
    block->next = bm_file_append_zeros(
        thread, nr_words, stride == BM_NR_WORDS_of_process ? LINE : 8);
    if (!block->next)
        return false;
    block->nr = block->left = nr;
    block->stride = stride;
    return true;
}

/* The words of a new node, which has its key already. */
static uint64_t *append_node(struct bm_thread *thread, uint32_t benchmark,
                             uint32_t key)
{
    struct bm_node_block *block = &thread->node_blocks[benchmark != 0];
    bool is_short = benchmark == 0 && !thread->inherits;
    uint32_t stride = is_short    ? BM_NR_WORDS_of_process
                      : benchmark ? BM_NODE_inherited_blocks
                                  : BM_NR_WORDS_node;

    if (block->benchmark != benchmark)
        *block = (struct bm_node_block){.benchmark = benchmark};
    if ((block->left == 0 || block->stride != stride) &&
        !begin_block(thread, block, stride))
        return NULL;
    uint64_t *words = block->next;
    block->next += stride;
    block->left--;
    bm_word_set(&words[BM_NODE_key], key);
    return words;
}

/* ---- nodes and where they lie ---- */

struct bm_node_aside *bm_node_aside(struct bm_node *node)
{
    struct bm_node_chunk *chunk = (void *)((uintptr_t)node & ~(BM_CHUNK - 1));

    if (!chunk->asides)
        chunk->asides = bm_map(BM_NODES_IN_CHUNK * sizeof(*chunk->asides));
    return bm_node_aside_if(node);
}

/* Fills in a node; its place may have been that of another one. */
static bool fill_node(struct bm_thread *thread, struct bm_node *node,
                      uint32_t benchmark, uint32_t key)
{
    struct bm_node_aside *aside = benchmark || bm_options.saves
                                      ? bm_node_aside(node)
                                      : bm_node_aside_if(node);

    if (aside)
        *aside = (struct bm_node_aside){.benchmark = benchmark};
    else if (benchmark || bm_options.saves)
        return false;
    *node = (struct bm_node){
        .words = append_node(thread, benchmark, key),
        .tag = (uint64_t)key << BM_ENTRY_KEY_SHIFT,
        .key = key,
        .purse = &bm_no_purse,
    };
    if (!node->words)
        return false;
    node->mark = mark_of(thread, benchmark, bm_key_site(key));
    return true;
}

static struct bm_node *node_at(const struct bm_node_table *table,
                               uint32_t number)
{
    return &table->chunks[number >> BM_NODE_CHUNK_BITS]
                ->nodes[number & (BM_NODE_CHUNK - 1)];
}

/* The number of a new node of the process, 0 if there is no room. */
static uint32_t new_number(struct bm_thread *thread, uint32_t key)
{
    struct bm_node_table *table = &thread->nodes;
    uint32_t number = table->last + 1;

    if (number % BM_NODE_CHUNK == BM_NODES_IN_CHUNK)
        number += BM_NODE_CHUNK - BM_NODES_IN_CHUNK;
    if (number >= BM_NODE_CHUNKS * BM_NODE_CHUNK)
        return 0;
    struct bm_node_chunk **chunk = &table->chunks[number >> BM_NODE_CHUNK_BITS];
    if (!*chunk)
        *chunk = bm_chunk_get(BM_CHUNK);
    if (!*chunk || !fill_node(thread, node_at(table, number), 0, key))
        return 0;
    return table->last = number;
}

static struct bm_node *new_in_window(struct bm_thread *thread,
                                     uint32_t benchmark, uint32_t key)
{
    struct bm_node_hash *hash = &thread->window_nodes;

    if (!hash->chunk || hash->nr_in_chunk == BM_NODES_IN_CHUNK) {
        struct bm_node_chunk *chunk = bm_chunk_get(BM_CHUNK);
        if (!chunk)
            return NULL;
        hash->chunk = chunk;
        hash->nr_in_chunk = 0;
    }
    struct bm_node *node = &hash->chunk->nodes[hash->nr_in_chunk];
    if (!fill_node(thread, node, benchmark, key))
        return NULL;
    hash->nr_in_chunk++;
    return node;
}

/* ---- nodes by key ---- */

/* Whether that, which may be another thread's or process's, is the key's. */
static bool is_number_of(const struct bm_node_table *table, uint32_t number,
                         uint32_t key)
{
    return number && number <= table->last &&
           node_at(table, number)->key == key;
}

struct bm_node *bm_node_find(const struct bm_thread *thread, uint32_t key)
{
    const struct bm_node_table *table = &thread->nodes;
    _Atomic uint32_t *in_path = bm_path_number(key);
    uint32_t number =
        in_path ? atomic_load_explicit(in_path, memory_order_relaxed) : 0;

    if (is_number_of(table, number, key))
        return node_at(table, number);
    const uint32_t *leaf = table->leaves[key >> BM_NODE_LEAF_BITS];
    number = leaf ? leaf[key & (BM_NODE_LEAF - 1)] : 0;
    return number ? node_at(table, number) : NULL;
}

/* The leaf for a key, NULL if there is no memory. */
static uint32_t *leaf_for(struct bm_node_table *table, uint32_t key)
{
    uint32_t **leaf = &table->leaves[key >> BM_NODE_LEAF_BITS];

    if (!*leaf)
        *leaf = bm_map(BM_NODE_LEAF * sizeof(**leaf));
    return *leaf;
}

uint64_t *bm_node_access(struct bm_thread *thread, struct bm_node *node)
{
    struct bm_node_aside *aside = bm_node_aside(node);
    msgpack_packer *packer;
    struct bm_record_access record = {
        .site = bm_key_site(node->key),
        .path = bm_key_path(node->key),
        .thread = thread->index,
        .access = {zeros, BM_NR_WORDS_access},
    };

    if (!aside)
        return NULL;
    if (aside->access)
        return aside->access;
    packer = bm_record_begin(thread);
    if (packer && bm_pack_access(packer, &record) == 0)
        aside->access = bm_file_append(thread, BM_NR_WORDS_access);
    return aside->access;
}

/* In place of a node that was used last: no key is its. */
static struct bm_node no_node = {
    .key = BM_KEY_MAX + 1,
    .tag = (uint64_t)(BM_KEY_MAX + 1) << BM_ENTRY_KEY_SHIFT,
};

BM_RARE struct bm_node *bm_node_near_slow(struct bm_thread *thread,
                                          uint32_t key)
{
    struct bm_node *node = bm_node_find(thread, key);

    if (node)
        thread->near[key % BM_NEAR_NODES] = node;
    return node;
}

void bm_nodes_forget_near(struct bm_thread *thread)
{
    for (unsigned i = 0; i < BM_NEAR_NODES; i++)
        thread->near[i] = &no_node;
}

struct bm_node *bm_node_get(struct bm_thread *thread, uint32_t key)
{
    struct bm_node_table *table = &thread->nodes;
    struct bm_node *node = bm_node_find(thread, key);
    _Atomic uint32_t *in_path = bm_path_number(key);
    uint32_t none = 0, *leaf = NULL;

    if (node)
        return node;
    bool is_free =
        in_path && !atomic_load_explicit(in_path, memory_order_relaxed);
    if (!is_free && !(leaf = leaf_for(table, key)))
        return NULL;
    uint32_t number = new_number(thread, key);
    if (!number)
        return NULL;
    /* Once another thread's number is there, it stays. */
    if (!is_free || !atomic_compare_exchange_strong_explicit(
                        in_path, &none, number, memory_order_relaxed,
                        memory_order_relaxed)) {
        if (!leaf && !(leaf = leaf_for(table, key))) {
            table->last--; /* what was written of it stays 0 */
            return NULL;
        }
        leaf[key & (BM_NODE_LEAF - 1)] = number;
    }
    return node_at(table, number);
}

struct bm_node *bm_node_for(struct bm_thread *thread, uint32_t key)
{
    struct bm_node *node = bm_node_get(thread, key);

    if (!node) {
        thread->part.last_resort = true;
        node = bm_node_get(thread, BM_KEY_OTHER);
        thread->part.last_resort = false;
    }
    if (node)
        thread->near[node->key % BM_NEAR_NODES] = node;
    return node;
}

static uint32_t window_hash(uint32_t benchmark, uint32_t key)
{
    return (uint32_t)(((uint64_t)benchmark << 32 | key) * HASH_FACTOR >> 32);
}

static uint32_t benchmark_of(const struct bm_node *node)
{
    return bm_node_aside_if(node)->benchmark;
}

/* The slot of a node, or the empty one where it belongs. */
static struct bm_node **window_slot(struct bm_node_hash *hash,
                                    uint32_t benchmark, uint32_t key)
{
    uint32_t mask = hash->nr_slots - 1;
    uint32_t i = window_hash(benchmark, key) & mask;

    while (hash->slots[i] && (hash->slots[i]->key != key ||
                              benchmark_of(hash->slots[i]) != benchmark))
        i = (i + 1) & mask;
    return &hash->slots[i];
}

static bool grow_hash(struct bm_node_hash *hash)
{
    struct bm_node_hash next = *hash;

    next.nr_slots = hash->nr_slots ? hash->nr_slots * 2 : FIRST_HASH;
    next.slots = bm_map(next.nr_slots * sizeof(*next.slots));
    if (!next.slots)
        return false;
    for (uint32_t i = 0; i < hash->nr_slots; i++) {
        struct bm_node *node = hash->slots[i];

        if (node)
            *window_slot(&next, benchmark_of(node), node->key) = node;
    }
    if (hash->slots)
        bm_unmap(hash->slots, hash->nr_slots * sizeof(*hash->slots));
    *hash = next;
    return true;
}

struct bm_node *bm_node_in_window(struct bm_thread *thread,
                                  struct bm_node *node, uint32_t benchmark)
{
    struct bm_node_hash *hash = &thread->window_nodes;

    if (hash->nr_nodes * 2 >= hash->nr_slots && !grow_hash(hash))
        return NULL;
    struct bm_node **slot = window_slot(hash, benchmark, node->key);
    if (!*slot) {
        *slot = new_in_window(thread, benchmark, node->key);
        hash->nr_nodes += *slot != NULL;
    }
    struct bm_node_aside *aside = *slot ? bm_node_aside(node) : NULL;
    if (aside)
        aside->window = *slot;
    return *slot;
}

bool bm_ledger_begin(struct bm_thread *thread, struct bm_ledger *ledger)
{
    msgpack_packer *packer = bm_record_begin(thread);
    struct bm_record_ledger record = {
        .benchmark = ledger->benchmark,
        .ledger = {zeros, BM_NR_WORDS_ledger},
    };

    if (!packer || bm_pack_ledger(packer, &record) != 0)
        return false;
    ledger->words = bm_file_append(thread, BM_NR_WORDS_ledger);
    return ledger->words != NULL;
}

void bm_marks_after_fork(void)
{
    for (size_t i = 0; i < NR_MARK_CHAINS; i++)
        atomic_store_explicit(&mark_chains[i], NULL, memory_order_relaxed);
}
