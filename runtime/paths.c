/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "paths.h"

#include "attribute.h"
#include "file.h"
#include "frames.h"
#include "memory.h"
#include "threads.h"

#include "../profile/profile.h"
#include "../profile/records.h"

#include <stdatomic.h>

/* In `end`: the site's further paths. A site's number has 22 bits. */
#define KEY_OTHER (UINT32_C(1) << 31)

/* The first chunk is there, others are mapped when needed. */
static struct bm_path_node first_chunk[BM_PATH_CHUNK];
_Atomic uintptr_t bm_path_chunks[BM_PATH_CHUNKS];
static _Atomic uint32_t nr_paths;
static uint32_t bound;

/*
 * A path's children are in its list, in the order in which they were met. Of
 * one that has many, those beyond the first are in a table, chained by hash.
 * What has few, which most have, lies in memory as it was met, and so as it
 * will be met again.
 */
#define MAX_LISTED 8u
#define MAX_HEADS (1u << 23)
static _Atomic(_Atomic uint32_t *) heads;
static uint32_t nr_heads = 1u << 12;

/* Whether there is room for a path of that number; made by the first. */
static bool has_chunk(uint32_t index)
{
    _Atomic uintptr_t *slot = &bm_path_chunks[index / BM_PATH_CHUNK];
    size_t size = sizeof(first_chunk);
    uintptr_t none = 0;

    if (atomic_load_explicit(slot, memory_order_relaxed))
        return true;
    void *chunk = bm_chunk_get(size);
    if (!chunk)
        return false;
    /*
     * Release: pairs with the acquire in bm_path_at. If another thread was
     * first, its chunk counts, and this one is left over.
     */
    atomic_compare_exchange_strong_explicit(
        slot, &none, (uintptr_t)chunk - index / BM_PATH_CHUNK * size,
        memory_order_release, memory_order_relaxed);
    return true;
}

/* The heads of the table; NULL if there is no memory for them. */
static _Atomic uint32_t *heads_of_table(void)
{
    _Atomic uint32_t *found =
        atomic_load_explicit(&heads, memory_order_acquire);
    size_t size = nr_heads * sizeof(*found);

    if (found)
        return found;
    _Atomic uint32_t *fresh = bm_map(size);
    if (!fresh)
        return NULL;
    /* Release: pairs with the acquire above. */
    if (atomic_compare_exchange_strong_explicit(
            &heads, &found, fresh, memory_order_acq_rel, memory_order_acquire))
        return fresh;
    bm_unmap(fresh, size);
    return found;
}

/* Finalizer of MurmurHash3 over what tells a path. */
static uint32_t hash(uint32_t outer, uint32_t frame, uint32_t end)
{
    uint64_t x =
        ((uint64_t)outer << 32 | frame) ^ end * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 33)) * UINT64_C(0xff51afd7ed558ccd);
    x = (x ^ (x >> 33)) * UINT64_C(0xc4ceb9fe1a85ec53);
    return (uint32_t)(x >> 32);
}

/* What is looked for, and where it belongs. */
struct place {
    uint32_t outer, frame, end;
    _Atomic uint32_t *link; /* holds 0 while it is free; NULL: no memory */
};

static bool is_at(const struct bm_path_node *path, const struct place *place)
{
    return bm_path_is(path, place->frame, place->end) &&
           path->outer == place->outer;
}

/* Searches from the link on; it is the last one then. */
static uint32_t follow(struct place *place, uint32_t *nr)
{
    uint32_t i;

    /* Acquire pairs with the release in add. */
    while ((i = atomic_load_explicit(place->link, memory_order_acquire)) != 0) {
        struct bm_path_node *path = bm_path_at(i);

        if (is_at(path, place))
            return i;
        place->link = &path->next;
        ++*nr;
    }
    return 0;
}

/* The number of a path, 0 if it is not there: place->link is where it goes. */
static uint32_t find(struct place *place)
{
    uint32_t nr = 0;

    place->link = &bm_path_at(place->outer)->first;
    uint32_t found = follow(place, &nr);
    if (found || nr < MAX_LISTED)
        return found;
    _Atomic uint32_t *table = heads_of_table();
    place->link = table ? &table[hash(place->outer, place->frame, place->end) &
                                 (nr_heads - 1)]
                        : NULL;
    return table ? follow(place, &nr) : 0;
}

/* An index of its own for a new path, 0 if there is no room. */
static uint32_t new_index(void)
{
    if (atomic_load_explicit(&nr_paths, memory_order_relaxed) >= BM_KEY_MAX)
        return 0;
    uint32_t index =
        atomic_fetch_add_explicit(&nr_paths, 1, memory_order_relaxed) + 1;
    return index <= BM_KEY_MAX && has_chunk(index) ? index : 0;
}

/* ---- their words in the profile ---- */

/* Room for so many words is taken at a time: twice as many each time. */
enum {
    FIRST_IN_BLOCK = 16,
    MAX_IN_BLOCK = 2048,
    BLOCK_HEAD = 64,   /* more than a record has beside its words */
    WORDS_OF_PATH = 3, /* at most */
};

static bool begin_block(struct bm_thread *thread, struct bm_path_block *block,
                        uint32_t index)
{
    msgpack_packer *packer = bm_record_begin(thread);
    size_t room = bm_file_room(thread);
    uint32_t nr = block->nr * 2;

    if (nr < FIRST_IN_BLOCK)
        nr = FIRST_IN_BLOCK;
    if (nr > MAX_IN_BLOCK)
        nr = MAX_IN_BLOCK;
    if (room >= BLOCK_HEAD + WORDS_OF_PATH * sizeof(uint64_t) &&
        nr > (room - BLOCK_HEAD) / sizeof(uint64_t))
        nr = (uint32_t)((room - BLOCK_HEAD) / sizeof(uint64_t));
    struct bm_record_paths record = {.first = index, .paths = {NULL, nr}};

    if (!packer || bm_pack_paths(packer, &record) != 0)
        return false;
    block->next = bm_file_append_zeros(thread, nr, sizeof(uint64_t));
    if (!block->next)
        return false;
    block->nr = block->left = nr;
    block->index = index;
    return true;
}

static void put_word(struct bm_path_block *block, enum bm_path_kind kind,
                     uint64_t value, uint64_t outer)
{
    bm_word_set(block->next++, bm_path_word(kind, value, outer));
    block->left--;
}

static bool publish(struct bm_thread *thread, uint32_t index,
                    const struct place *place)
{
    struct bm_path_block *block = &thread->path_block;
    uint32_t site = place->end & ~KEY_OTHER;

    if (block->left < WORDS_OF_PATH && !begin_block(thread, block, index))
        return false;
    if (block->index != index)
        put_word(block, BM_PATH_INDEX, index, 0);
    block->index = index + 1;
    if (!site) {
        put_word(block, BM_PATH_FRAME, place->frame, place->outer);
        return true;
    }
    if (!(place->end & KEY_OTHER) && place->frame <= BM_PATH_BOTH_MAX &&
        site <= BM_PATH_BOTH_MAX) {
        put_word(block, BM_PATH_BOTH, (uint64_t)place->frame << 16 | site,
                 place->outer);
        return true;
    }
    if (place->frame)
        put_word(block, BM_PATH_SITE_FRAME, place->frame, 0);
    put_word(block, place->end & KEY_OTHER ? BM_PATH_OTHERS : BM_PATH_SITE,
             site, place->outer);
    return true;
}

static struct place place_of(const struct bm_path_node *path)
{
    bool ends = path->what & BM_PATH_ENDS;

    return (struct place){
        .outer = path->outer,
        .frame = ends
                     ? atomic_load_explicit(&path->likely, memory_order_relaxed)
                     : path->what,
        .end = ends ? path->what & ~BM_PATH_ENDS : 0,
    };
}

void bm_paths_inherit(struct bm_thread *thread)
{
    uint32_t nr = atomic_load_explicit(&nr_paths, memory_order_relaxed);

    for (uint32_t i = 1; i <= nr; i++) {
        if (!atomic_load_explicit(&bm_path_chunks[i / BM_PATH_CHUNK],
                                  memory_order_relaxed))
            continue;
        struct place place = place_of(bm_path_at(i));

        /* One that another thread was about to make has nothing, or part. */
        if ((place.frame || place.end) && place.outer < i &&
            !publish(thread, i, &place))
            return;
    }
}

/*
 * Makes a path that find did not find. Two threads that meet the same one may
 * both make it; one of them is linked, the other is never seen again.
 */
static __attribute__((noinline)) uint32_t add(struct bm_thread *thread,
                                              struct place *place)
{
    uint32_t index = place->link ? new_index() : 0;
    uint32_t found, nr = 0;

    if (!index || !publish(thread, index, place))
        return 0;
    struct bm_path_node *path = bm_path_at(index);
    path->what = place->end ? place->end | BM_PATH_ENDS : place->frame;
    if (place->end)
        atomic_store_explicit(&path->likely, place->frame,
                              memory_order_relaxed);
    path->outer = place->outer;
    do {
        uint32_t none = 0;
        /* Release: the path is whole before it can be found. */
        if (atomic_compare_exchange_strong_explicit(place->link, &none, index,
                                                    memory_order_release,
                                                    memory_order_relaxed))
            return index;
        found = follow(place, &nr);
    } while (!found);
    return found;
}

/* 0 if the path is new and there is no more room for it. */
static inline uint32_t bounded_add(struct bm_thread *thread,
                                   struct place *place)
{
    uint32_t found = bm_path_listed(place->outer, place->frame, place->end);

    if (!found)
        found = find(place);
    if (found)
        return found;
    return atomic_load_explicit(&nr_paths, memory_order_relaxed) < bound
               ? add(thread, place)
               : 0;
}

uint32_t bm_path_below(struct bm_thread *thread, uint32_t outer, uint32_t frame)
{
    struct place place = {.outer = outer, .frame = frame};

    if (outer == BM_PATH_FULL)
        return BM_PATH_FULL;
    uint32_t path = bounded_add(thread, &place);
    return path ? path : BM_PATH_FULL;
}

static __attribute__((noinline)) uint32_t
end_among_others(struct bm_thread *thread, uint32_t frame, uint32_t site)
{
    struct place place = {.frame = frame, .end = site | KEY_OTHER};
    uint32_t path = find(&place);

    bm_file_flag(BM_STATE_PATHS_FULL);
    if (!path)
        path = add(thread, &place);
    return path ? path : BM_KEY_OTHER;
}

uint32_t bm_path_end(struct bm_thread *thread, uint32_t outer, uint32_t frame,
                     uint32_t site)
{
    struct place place = {.outer = outer, .frame = frame, .end = site};
    uint32_t path = outer == BM_PATH_FULL ? 0 : bounded_add(thread, &place);

    return path ? path : end_among_others(thread, frame, site);
}

uint32_t bm_path_site(uint32_t path)
{
    return place_of(bm_path_at(path)).end & ~KEY_OTHER;
}

_Atomic uint32_t *bm_path_number(uint32_t path)
{
    return bound ? &bm_path_at(path)->first : NULL;
}

struct bm_path bm_path_get(uint32_t path)
{
    const struct place node = place_of(bm_path_at(path));

    return (struct bm_path){
        .outer = node.outer,
        .frame = node.frame,
        .site = node.end & ~KEY_OTHER,
        .other = node.end & KEY_OTHER,
    };
}

void bm_paths_init(struct bm_thread *thread, uint32_t max_paths)
{
    struct place other = {.end = BM_SITE_OTHER};

    /* Release as in has_chunk. */
    atomic_store_explicit(&bm_path_chunks[0], (uintptr_t)first_chunk,
                          memory_order_release);
    if (!max_paths)
        return;
    bound = max_paths < 2 ? 2 : max_paths;
    while (nr_heads < bound / 2 && nr_heads < MAX_HEADS)
        nr_heads *= 2;
    if (!find(&other))
        add(thread, &other);
}
