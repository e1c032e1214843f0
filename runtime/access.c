/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "access.h"

#include "access_cells.h"
#include "file.h"
#include "gauge.h"
#include "memory.h"
#include "sys.h"

#include "../profile/profile.h"
#include "../profile/records.h"

static _Atomic(struct bm_access_map *) the_map;
static _Atomic(struct bm_access_region *) regions;
static _Atomic uint64_t allocated; /* bytes: what the clock is made of */
static _Atomic bool has_ended;

/* The map, while blocks are followed; else NULL. */
static struct bm_access_map *map_in_use(void)
{
    if (atomic_load_explicit(&has_ended, memory_order_relaxed))
        return NULL;
    /* Acquire pairs with the exchange in bm_access_start. */
    return atomic_load_explicit(&the_map, memory_order_acquire);
}

/* ---- regions ---- */

/* Regions stay: code goes on marking them. */
static void give_up(void)
{
    atomic_store_explicit(&has_ended, true, memory_order_relaxed);
    bm_file_flag(BM_STATE_ACCESS_LOST);
}

static bool add_region(struct bm_access_map *map, uintptr_t address)
{
    _Atomic uint64_t *where =
        (_Atomic uint64_t *)&map->origins[bm_access_number(address)];
    struct bm_access_region *region = bm_map(sizeof(*region));
    uint64_t none = 0;

    if (!region)
        return false;
    /* Release: it is zero before it is found. */
    if (!atomic_compare_exchange_strong_explicit(
            where, &none, bm_access_origin(region, address),
            memory_order_release, memory_order_relaxed)) {
        bm_unmap(region, sizeof(*region));
        return true;
    }
    /* Release pairs with the acquire in bm_access_after_fork: `next`. */
    region->next = atomic_load_explicit(&regions, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&regions, &region->next,
                                                  region, memory_order_release,
                                                  memory_order_relaxed))
        ;
    return true;
}

/* Whether all of a block has cells. */
static bool cover(struct bm_access_map *map, uintptr_t begin, uint64_t size)
{
    uintptr_t last = begin + (size ? size - 1 : 0);

    if (last < begin)
        return false;
    for (uintptr_t at = begin & ~(BM_ACCESS_REGION - 1);;
         at += BM_ACCESS_REGION) {
        if (!bm_access_region(map, at) && !add_region(map, at)) {
            give_up();
            return false;
        }
        if (last - at < BM_ACCESS_REGION)
            return true;
    }
}

static _Atomic uint32_t *birth_of(const struct bm_access_map *map,
                                  uintptr_t address)
{
    struct bm_access_region *region = bm_access_region(map, address);

    return region ? &region->births[bm_access_cell_index(address)] : NULL;
}

static uint32_t take_birth(const struct bm_access_map *map, uintptr_t address)
{
    _Atomic uint32_t *birth = birth_of(map, address);
    uint32_t value = 0;

    if (birth) {
        value = atomic_load_explicit(birth, memory_order_relaxed);
        atomic_store_explicit(birth, 0, memory_order_relaxed);
    }
    return value;
}

static void set_birth(const struct bm_access_map *map, uintptr_t address,
                      uint32_t value)
{
    atomic_store_explicit(birth_of(map, address), value, memory_order_relaxed);
}

/* ---- the bytes of one block ---- */

struct seen {
    uint64_t written;
    uint64_t unread;   /* of those */
    uint64_t touched;  /* written or read */
    uintptr_t reached; /* behind the last byte touched, 0 if none was */
    uint32_t last;     /* clock at the last access */
    bool escaped;
};

static unsigned count_bits(uint32_t word)
{
    return (unsigned)__builtin_popcount(word);
}

/* The bytes from begin to end of one cell, which are as new afterwards. */
static void take_cell(struct bm_access_cell *cell, uintptr_t begin,
                      uintptr_t end, struct seen *seen)
{
    uint32_t own = bm_access_bytes(begin, end);
    uint32_t marks =
        atomic_load_explicit(&cell->marks, memory_order_relaxed) & own;
    uint32_t written = marks & BM_ACCESS_WRITTEN;
    uint32_t read = marks >> 1 & BM_ACCESS_WRITTEN;
    uint32_t clock;

    if (!marks)
        return;
    if (own == UINT32_MAX)
        atomic_store_explicit(&cell->marks, 0, memory_order_relaxed);
    else
        atomic_fetch_and_explicit(&cell->marks, ~own, memory_order_relaxed);
    seen->written += count_bits(written);
    seen->unread += count_bits(written & ~read);
    seen->touched += count_bits(written | read);
    seen->reached = (begin & ~(BM_ACCESS_CELL - 1)) +
                    (31 - (unsigned)__builtin_clz(marks)) / 2 + 1;
    clock = atomic_load_explicit(&cell->clock, memory_order_relaxed);
    if (clock > seen->last)
        seen->last = clock;
}

static void take_escapes(struct bm_access_region *region, uintptr_t begin,
                         uintptr_t end, struct seen *seen)
{
    for (uintptr_t at = begin; at < end;
         at = bm_access_upto(at, BM_ACCESS_CELL, end)) {
        _Atomic uint8_t *escape = &region->escapes[bm_access_cell_index(at)];

        if (!atomic_load_explicit(escape, memory_order_relaxed))
            continue;
        seen->escaped = true;
        atomic_store_explicit(escape, 0, memory_order_relaxed);
    }
}

/* The same within one stretch of a region. */
static void take_stretch(struct bm_access_region *region, uintptr_t begin,
                         uintptr_t end, struct seen *seen)
{
    _Atomic uint8_t *stretch = bm_access_stretch_of(region, begin);
    uint8_t what = atomic_load_explicit(stretch, memory_order_relaxed);
    uintptr_t next;

    if (what & BM_ACCESS_MARKED)
        for (uintptr_t at = begin; at < end; at = next) {
            next = bm_access_upto(at, BM_ACCESS_CELL, end);
            take_cell(&region->cells[bm_access_cell_index(at)], at, next, seen);
        }
    if (what & BM_ACCESS_ESCAPED)
        take_escapes(region, begin, end, seen);
    if (what && end - begin == BM_ACCESS_STRETCH)
        atomic_store_explicit(stretch, 0, memory_order_relaxed);
}

static void take(const struct bm_access_map *map, uintptr_t begin,
                 uint64_t size, struct seen *seen)
{
    uintptr_t end = begin + size;
    uintptr_t next;

    for (uintptr_t at = begin; at < end; at = next) {
        struct bm_access_region *region = bm_access_region(map, at);

        next = bm_access_upto(at, BM_ACCESS_STRETCH, end);
        if (region)
            take_stretch(region, at, next, seen);
    }
}

/*
 * The clock of a block's first cell is never before the last access to the
 * block, whatever bytes it was to.
 */
static _Atomic uint32_t *first_clock(const struct bm_access_map *map,
                                     uintptr_t begin)
{
    return &bm_access_region(map, begin)
                ->cells[bm_access_cell_index(begin)]
                .clock;
}

static uint32_t last_access(const struct bm_access_map *map, uintptr_t begin)
{
    return atomic_load_explicit(first_clock(map, begin), memory_order_relaxed);
}

static void clear(const struct bm_access_map *map, uintptr_t begin,
                  uint64_t size)
{
    struct seen ignored = {0};

    take(map, begin, size, &ignored);
}

/* ---- counting ---- */

/*
 * Idle at its end: last accessed in the first half of its life, and before
 * as many bytes as it has were allocated, which it could have served.
 */
static bool is_idle(const struct seen *seen, uint32_t born, uint32_t now,
                    uint64_t size)
{
    uint32_t last = seen->last > born ? seen->last : born;
    uint64_t idle = now - last;

    return now != UINT32_MAX && 2 * idle > now - born &&
           idle << BM_ACCESS_CLOCK_BITS >= size;
}

typedef void add_to_word(uint64_t *word, uint64_t value);

static void add_own(uint64_t *word, uint64_t value)
{
    bm_word_add(word, value);
}

static void add_shared(uint64_t *word, uint64_t value)
{
    bm_word_add_shared(word, value);
}

static void judge(const struct bm_access_map *map, uintptr_t begin,
                  uint64_t size, uint32_t birth, uint64_t *words,
                  add_to_word *add)
{
    struct seen seen = {.last = last_access(map, begin)};

    take(map, begin, size, &seen);
    add(&words[BM_ACCESS_blocks], 1);
    add(&words[BM_ACCESS_bytes], size);
    if (seen.escaped) {
        add(&words[BM_ACCESS_escaped], size);
        return;
    }
    add(&words[BM_ACCESS_untouched], size - seen.touched);
    add(&words[BM_ACCESS_never_written], size - seen.written);
    add(&words[BM_ACCESS_never_read], seen.unread);
    if (seen.reached)
        add(&words[BM_ACCESS_reached], seen.reached - begin);
    if (is_idle(&seen, birth - 1, bm_access_clock(map), size))
        add(&words[BM_ACCESS_idle], size);
}

/* The clock stays at its largest value, where it tells nothing any more. */
static void advance(struct bm_access_map *map, uint64_t size)
{
    uint64_t sum = atomic_load_explicit(&allocated, memory_order_relaxed);

    if (bm_is_threaded())
        sum = atomic_fetch_add_explicit(&allocated, size, memory_order_relaxed);
    else
        atomic_store_explicit(&allocated, sum + size, memory_order_relaxed);
    sum = (sum + size) >> BM_ACCESS_CLOCK_BITS;
    atomic_store_explicit((_Atomic uint32_t *)&map->clock,
                          sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX,
                          memory_order_relaxed);
}

static uint32_t birth_now(const struct bm_access_map *map)
{
    uint32_t now = bm_access_clock(map);

    return now < UINT32_MAX ? now + 1 : now;
}

/* ---- events ---- */

struct bm_access_map *bm_access_start(void)
{
    struct bm_access_map *map = map_in_use();
    struct bm_access_map *none = NULL;

    if (map || atomic_load_explicit(&has_ended, memory_order_relaxed))
        return map;
    map = bm_map(sizeof(*map));
    if (!map) {
        bm_file_flag(BM_STATE_ACCESS_LOST);
        return NULL;
    }
    /* Release: the map is zero before it is found, here or in map_in_use. */
    if (!atomic_compare_exchange_strong_explicit(
            &the_map, &none, map, memory_order_acq_rel, memory_order_acquire)) {
        bm_unmap(map, sizeof(*map));
        return none;
    }
    bm_be_careful(BM_CAREFUL_ACCESS);
    return map;
}

void bm_access_born(struct bm_thread *thread, struct bm_node *node,
                    const void *memory, uint64_t size)
{
    struct bm_access_map *map = map_in_use();
    uintptr_t address = (uintptr_t)memory;

    if (!map)
        return;
    advance(map, size);
    /* Its node has words now, so that the process's end needs no room. */
    if (!bm_node_access(thread, node) || !cover(map, address, size))
        return;
    clear(map, address, size);
    atomic_store_explicit(first_clock(map, address), bm_access_clock(map),
                          memory_order_relaxed);
    set_birth(map, address, birth_now(map));
}

void bm_access_gone(struct bm_thread *thread, struct bm_node *node,
                    const void *memory, uint64_t size)
{
    struct bm_access_map *map = map_in_use();
    uintptr_t address = (uintptr_t)memory;
    uint32_t birth = map ? take_birth(map, address) : 0;
    uint64_t *words = birth ? bm_node_access(thread, node) : NULL;

    if (words)
        judge(map, address, size, birth, words, add_own);
    else if (map)
        clear(map, address, size);
}

/* The marks of 16 bytes from an address that need not be a cell's. */
static uint32_t marks_at(const struct bm_access_map *map, uintptr_t address)
{
    uint64_t marks = 0;

    for (unsigned i = 0; i < 2; i++) {
        uintptr_t at = address + i * (BM_ACCESS_CELL - 1);
        struct bm_access_region *region = bm_access_region(map, at);

        if (region && (i == 0 || address % BM_ACCESS_CELL))
            marks |= (uint64_t)atomic_load_explicit(
                         &region->cells[bm_access_cell_index(at)].marks,
                         memory_order_relaxed)
                     << 32 * i;
    }
    return (uint32_t)(marks >> 2 * (address % BM_ACCESS_CELL));
}

/* Whether the stretches at both ends of 16 bytes are without a mark. */
static bool is_blank(const struct bm_access_map *map, uintptr_t address)
{
    struct bm_access_region *region = bm_access_region(map, address);

    return !region ||
           !atomic_load_explicit(bm_access_stretch_of(region, address),
                                 memory_order_relaxed);
}

/* Gives `to` the marks of the first bytes of `from`, accessed never. */
static void carry(const struct bm_access_map *map, uintptr_t from, uintptr_t to,
                  uint64_t size)
{
    uintptr_t end = to + size;
    uintptr_t next;

    for (uintptr_t at = to; at < end; at = next) {
        uintptr_t old = from + (at - to);
        uint32_t marks;

        if (is_blank(map, old) && is_blank(map, old + BM_ACCESS_CELL - 1)) {
            next = at +
                   (bm_access_upto(old, BM_ACCESS_STRETCH, from + size) - old);
            continue;
        }
        next = bm_access_upto(at, BM_ACCESS_CELL, end);
        marks = marks_at(map, old) << 2 * (at % BM_ACCESS_CELL) &
                bm_access_bytes(at, next);
        if (marks)
            bm_access_mark(bm_access_region(map, at), at, marks, 0);
    }
}

static void escape(const struct bm_access_map *map, uintptr_t address)
{
    struct bm_access_region *region = bm_access_region(map, address);

    bm_access_note(region, address, BM_ACCESS_ESCAPED);
    atomic_store_explicit(&region->escapes[bm_access_cell_index(address)], 1,
                          memory_order_relaxed);
}

void bm_access_moved(struct bm_thread *thread, const void *old,
                     uint64_t old_size, struct bm_node *node,
                     const void *memory, uint64_t size)
{
    struct bm_access_map *map = map_in_use();
    uintptr_t from = (uintptr_t)old, to = (uintptr_t)memory;
    uint64_t kept = old_size < size ? old_size : size;
    struct seen seen = {0};
    uint32_t birth;

    if (!map)
        return;
    advance(map, size);
    birth = take_birth(map, from);
    if (birth)
        seen.last = last_access(map, from);
    if (!bm_node_access(thread, node) || !cover(map, to, size)) {
        clear(map, from, old_size);
        return;
    }
    if (from != to) {
        clear(map, to, size);
        carry(map, from, to, kept);
        take(map, from, old_size, &seen);
    } else {
        /* The first cell of what came may be the last of what was there. */
        take(map, to + kept, size - kept, &seen);
        take(map, from + kept, old_size - kept, &seen);
    }
    if (seen.escaped && size)
        escape(map, to);
    atomic_store_explicit(first_clock(map, to), seen.last,
                          memory_order_relaxed);
    set_birth(map, to, birth);
}

/* ---- the end ---- */

/* The words of a key, whichever thread has some. */
static uint64_t *words_of_key(uint32_t key)
{
    for (struct bm_thread *thread = bm_threads_first(); thread;
         thread = thread->next) {
        const struct bm_node *node = bm_node_find(thread, key);

        const struct bm_node_aside *aside =
            node ? bm_node_aside_if(node) : NULL;

        if (aside && aside->access)
            return aside->access;
    }
    return NULL;
}

static void judge_live(void *context, uintptr_t address,
                       const struct bm_block *block)
{
    const struct bm_access_map *map = context;
    uint32_t birth = take_birth(map, address);
    uint64_t *words = birth ? words_of_key(block->key) : NULL;

    if (words)
        judge(map, address, block->size, birth, words, add_shared);
}

void bm_access_end(void)
{
    struct bm_access_map *map = map_in_use();

    if (map &&
        !atomic_exchange_explicit(&has_ended, true, memory_order_relaxed))
        bm_blocks_each(judge_live, map);
}

void bm_access_after_fork(void)
{
    /* Pairs with the release in add_region. */
    struct bm_access_region *region =
        atomic_load_explicit(&regions, memory_order_acquire);

    /* What lived at the fork was the parent's to judge. */
    for (; region; region = region->next)
        bm_sys_madvise(region->births, sizeof(region->births), MADV_DONTNEED);
}
