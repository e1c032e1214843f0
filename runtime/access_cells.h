/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The cells that code built with --benchmem-access marks (abi.h), and what
 * belongs to them, for each region of 64 MiB of heap. Regions are mapped by
 * access.c and marked by access_view.c of every module; they are never given
 * back. Only what is touched of one takes memory: 8 bytes for 16 of heap, and
 * 4 for 16 where blocks begin.
 *
 * All orders are relaxed but for the one that publishes a region: marks say
 * nothing about other memory.
 */
#ifndef BENCHMEM_RUNTIME_ACCESS_CELLS_H
#define BENCHMEM_RUNTIME_ACCESS_CELLS_H

#include "abi.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define BM_ACCESS_CELL ((uintptr_t)1 << BM_ACCESS_CELL_BITS)
#define BM_ACCESS_REGION ((uintptr_t)1 << BM_ACCESS_REGION_BITS)
#define BM_ACCESS_CELLS ((size_t)(BM_ACCESS_REGION / BM_ACCESS_CELL))

/* Stretches of a region without a mark or escape are told by one byte. */
#define BM_ACCESS_STRETCH_BITS 16
#define BM_ACCESS_STRETCH ((uintptr_t)1 << BM_ACCESS_STRETCH_BITS)
#define BM_ACCESS_STRETCHES ((size_t)(BM_ACCESS_REGION / BM_ACCESS_STRETCH))

enum bm_access_stretch {
    BM_ACCESS_MARKED = 1,
    BM_ACCESS_ESCAPED = 2,
};

/* The marks of one kind in all pairs. */
#define BM_ACCESS_WRITTEN UINT32_C(0x55555555)
#define BM_ACCESS_WAS_READ UINT32_C(0xaaaaaaaa)

struct bm_access_cell {
    _Atomic uint32_t marks;
    _Atomic uint32_t clock;
};

struct bm_access_region {
    struct bm_access_cell cells[BM_ACCESS_CELLS];
    /* Where a block begins, the clock at its birth plus 1; else 0. */
    _Atomic uint32_t births[BM_ACCESS_CELLS];
    _Atomic uint8_t escapes[BM_ACCESS_CELLS];
    _Atomic uint8_t stretches[BM_ACCESS_STRETCHES];
    struct bm_access_region *next; /* of all */
};

static inline size_t bm_access_number(uintptr_t address)
{
    return address >> BM_ACCESS_REGION_BITS & (BM_ACCESS_NR_REGIONS - 1);
}

/* Where the cell of address 0 would be, were it in this region. */
static inline uint64_t bm_access_origin(const struct bm_access_region *region,
                                        uintptr_t address)
{
    uintptr_t base = address & ~(BM_ACCESS_REGION - 1);

    return (uintptr_t)region->cells -
           (base >> BM_ACCESS_CELL_BITS) * sizeof(struct bm_access_cell);
}

/* The region of an address, NULL if there is none. */
static inline struct bm_access_region *
bm_access_region(const struct bm_access_map *map, uintptr_t address)
{
    const _Atomic uint64_t *where =
        (const _Atomic uint64_t *)&map->origins[bm_access_number(address)];
    /* Acquire pairs with the release that links a region. */
    uint64_t origin = atomic_load_explicit(where, memory_order_acquire);
    uintptr_t base = address & ~(BM_ACCESS_REGION - 1);

    if (!origin)
        return NULL;
    return (struct bm_access_region *)(origin +
                                       (base >> BM_ACCESS_CELL_BITS) *
                                           sizeof(struct bm_access_cell));
}

/* Of an address within its region. */
static inline size_t bm_access_cell_index(uintptr_t address)
{
    return address >> BM_ACCESS_CELL_BITS & (BM_ACCESS_CELLS - 1);
}

static inline _Atomic uint8_t *
bm_access_stretch_of(struct bm_access_region *region, uintptr_t address)
{
    return &region->stretches[address >> BM_ACCESS_STRETCH_BITS &
                              (BM_ACCESS_STRETCHES - 1)];
}

static inline void bm_access_note(struct bm_access_region *region,
                                  uintptr_t address, uint8_t what)
{
    _Atomic uint8_t *stretch = bm_access_stretch_of(region, address);

    if (!(atomic_load_explicit(stretch, memory_order_relaxed) & what))
        atomic_fetch_or_explicit(stretch, what, memory_order_relaxed);
}

/* The end of the cell or stretch that an address is in, or `end`. */
static inline uintptr_t bm_access_upto(uintptr_t address, uintptr_t unit,
                                       uintptr_t end)
{
    uintptr_t next = (address & ~(unit - 1)) + unit;

    return next < end ? next : end;
}

/* The marks of the bytes from begin to end, which lie in one cell. */
static inline uint32_t bm_access_bytes(uintptr_t begin, uintptr_t end)
{
    unsigned count = (unsigned)(end - begin);
    unsigned first = (unsigned)(begin & (BM_ACCESS_CELL - 1));

    return (uint32_t)((((uint64_t)1 << 2 * count) - 1) << 2 * first);
}

static inline uint32_t bm_access_clock(const struct bm_access_map *map)
{
    return atomic_load_explicit((const _Atomic uint32_t *)&map->clock,
                                memory_order_relaxed);
}

static inline void bm_access_mark(struct bm_access_region *region,
                                  uintptr_t address, uint32_t marks,
                                  uint32_t clock)
{
    struct bm_access_cell *cell = &region->cells[bm_access_cell_index(address)];

    if ((atomic_load_explicit(&cell->marks, memory_order_relaxed) & marks) !=
        marks) {
        bm_access_note(region, address, BM_ACCESS_MARKED);
        atomic_fetch_or_explicit(&cell->marks, marks, memory_order_relaxed);
    }
    if (atomic_load_explicit(&cell->clock, memory_order_relaxed) != clock)
        atomic_store_explicit(&cell->clock, clock, memory_order_relaxed);
}

#endif
