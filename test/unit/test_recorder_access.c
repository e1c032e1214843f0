/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What became of the bytes of blocks, against brute force: one byte for each
 * byte of heap says what was done to it. Blocks lie anywhere, across stretches
 * and regions too, and move to other places and alignments.
 */
#include "recorder_core.h"
#include "recorder_model.h"

#include "runtime/access.h"
#include "runtime/access_cells.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define SITE 1u
#define NR_BLOCKS 24u
#define NR_EVENTS 20000u
/* Room for each block and for where it moves to; a region ends among them. */
#define SLOT ((size_t)192 * 1024)
#define HALF (SLOT / 2)
#define ARENA (0x7f0004000000 - 8 * SLOT - 1000 * 8)

struct block {
    uintptr_t address; /* 0: free */
    uint64_t size;
    uint64_t born, used; /* bytes allocated by then */
    bool escaped;
    unsigned half;
    unsigned char done[HALF]; /* bits of enum bm_access_what */
};

static struct {
    struct bm_thread *thread;
    struct bm_access_map *map;
    uint64_t random;
    uint64_t allocated;
    uint64_t words[BM_NR_WORDS_access];
    struct block blocks[NR_BLOCKS];
} test;

static uint64_t pick(uint64_t n)
{
    return model_random(&test.random, n);
}

static uint64_t units(uint64_t bytes)
{
    return bytes >> BM_ACCESS_CLOCK_BITS;
}

/* As the code of access_view.c does it. */
static void touch(struct block *block, uint64_t from, uint64_t size,
                  unsigned what)
{
    uintptr_t begin = block->address + from;
    uintptr_t end = begin + size, next;

    for (uintptr_t at = begin; at < end; at = next) {
        uint32_t marks = (what & BM_ACCESS_WRITE ? BM_ACCESS_WRITTEN : 0) |
                         (what & BM_ACCESS_READ ? BM_ACCESS_WAS_READ : 0);

        next = bm_access_upto(at, BM_ACCESS_CELL, end);
        bm_access_mark(bm_access_region(test.map, at), at,
                       marks & bm_access_bytes(at, next),
                       bm_access_clock(test.map));
    }
    for (uint64_t i = from; i < from + size; i++)
        block->done[i] |= (unsigned char)what;
    if (size)
        block->used = test.allocated;
}

static void judge(struct block *block)
{
    uint64_t *w = test.words;
    uint64_t idle = units(test.allocated) - units(block->used);

    w[BM_ACCESS_blocks]++;
    w[BM_ACCESS_bytes] += block->size;
    if (block->escaped) {
        w[BM_ACCESS_escaped] += block->size;
        return;
    }
    uint64_t reached = 0;
    for (uint64_t i = 0; i < block->size; i++) {
        unsigned char done = block->done[i];

        w[BM_ACCESS_untouched] += done == 0;
        w[BM_ACCESS_never_written] += !(done & BM_ACCESS_WRITE);
        w[BM_ACCESS_never_read] += done == BM_ACCESS_WRITE;
        if (done)
            reached = i + 1;
    }
    w[BM_ACCESS_reached] += reached;
    if (2 * idle > units(test.allocated) - units(block->born) &&
        idle << BM_ACCESS_CLOCK_BITS >= block->size)
        w[BM_ACCESS_idle] += block->size;
}

/* Somewhere in one half of the slot, on the boundary that allocators keep. */
static uintptr_t place(size_t i, unsigned half, uint64_t size)
{
    uintptr_t base = ARENA + i * SLOT + half * HALF;

    return base + pick((HALF - size) / 8 + 1) * 8;
}

static uint64_t any_size(void)
{
    return pick(4) ? pick(100) : pick(HALF);
}

static void allocate(size_t i)
{
    struct block *block = &test.blocks[i];

    memset(block, 0, sizeof(*block));
    block->size = any_size();
    block->address = place(i, block->half, block->size);
    core_alloc(test.thread, (void *)block->address, block->size, SITE, 0);
    test.allocated += block->size;
    block->born = block->used = test.allocated;
}

static void release(struct block *block)
{
    core_free(test.thread, (void *)block->address, 0);
    judge(block);
    block->address = 0;
}

static void move(size_t i)
{
    struct block *block = &test.blocks[i];
    void *old = (void *)block->address;
    uint64_t size = any_size();
    struct bm_block known;

    REQUIRE(core_take(test.thread, old, &known));
    if (pick(2) ||
        block->address + size > ARENA + i * SLOT + (block->half + 1) * HALF) {
        block->half = !block->half;
        block->address = place(i, block->half, size);
    }
    bm_record_moved(test.thread, &known, old, (void *)block->address, size,
                    bm_node_get(test.thread, SITE), 0);
    test.allocated += size;
    if (size < block->size)
        memset(block->done + size, 0, block->size - size);
    block->size = size;
    block->escaped &= size > 0; /* nothing is left that others could use */
}

static void escape(struct block *block)
{
    uintptr_t at = block->address + pick(block->size);
    struct bm_access_region *region = bm_access_region(test.map, at);

    bm_access_note(region, at, BM_ACCESS_ESCAPED);
    atomic_store_explicit(&region->escapes[bm_access_cell_index(at)], 1,
                          memory_order_relaxed);
    block->escaped = true;
}

static void act(size_t i)
{
    struct block *block = &test.blocks[i];
    uint64_t from;

    if (!block->address) {
        allocate(i);
        return;
    }
    switch (pick(8)) {
    case 0:
        release(block);
        return;
    case 1:
        move(i);
        return;
    case 2:
        if (block->size && pick(10) == 0)
            escape(block);
        return;
    default:
        from = pick(block->size + 1);
        touch(block, from, pick(block->size - from + 1), 1 + (unsigned)pick(3));
    }
}

static void check(void)
{
    const uint64_t *words = 
        bm_node_aside_if(bm_node_get(test.thread, SITE))->access;

    for (unsigned i = 0; i < BM_NR_WORDS_access; i++)
        if (words[i] != test.words[i]) {
            fprintf(stderr, "word %u: %llu, not %llu\n", i,
                    (unsigned long long)words[i],
                    (unsigned long long)test.words[i]);
            REQUIRE(!"the words are those of the model");
        }
}

static void random_events(const void *parameter)
{
    test.random = *(const uint64_t *)parameter;
    test.thread = core_start(false);
    test.map = bm_access_start();
    REQUIRE(test.map && bm_access_start() == test.map);
    for (unsigned i = 0; i < NR_EVENTS; i++)
        act(pick(NR_BLOCKS));
    check();
    /* The end: what is live counts once, what is freed then no more. */
    for (unsigned i = 0; i < NR_BLOCKS; i++)
        if (test.blocks[i].address)
            judge(&test.blocks[i]);
    bm_access_end();
    bm_access_end();
    check();
    for (unsigned i = 0; i < NR_BLOCKS; i++)
        if (test.blocks[i].address)
            core_free(test.thread, (void *)test.blocks[i].address, 0);
    check();
}

static void bytes_are_those_of_the_model(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++)
        assert_true(core_run(random_events, &seed));
}

/* Blocks from before the start, and from before a fork, are not judged. */
static void born_elsewhere(const void *parameter)
{
    static struct block block;
    const uint64_t *words;

    (void)parameter;
    test.thread = core_start(false);
    core_alloc(test.thread, core_address(0, 64), 64, SITE, 0);
    test.map = bm_access_start();
    core_alloc(test.thread, core_address(1, 64), 64, SITE, 0);
    core_alloc(test.thread, core_address(2, 64), 64, SITE, 0);
    words = 
        bm_node_aside_if(bm_node_get(test.thread, SITE))->access;
    REQUIRE(words);
    core_free(test.thread, core_address(0, 64), 0);
    REQUIRE(words[BM_ACCESS_blocks] == 0);
    core_free(test.thread, core_address(1, 64), 0);
    REQUIRE(words[BM_ACCESS_blocks] == 1);
    block.address = (uintptr_t)core_address(2, 64);
    touch(&block, 0, 64, BM_ACCESS_WRITE);
    bm_access_after_fork();
    core_free(test.thread, core_address(2, 64), 0);
    REQUIRE(words[BM_ACCESS_blocks] == 1);
    /* Its marks went with it. */
    core_alloc(test.thread, core_address(2, 64), 64, SITE, 0);
    core_free(test.thread, core_address(2, 64), 0);
    REQUIRE(words[BM_ACCESS_blocks] == 2);
    REQUIRE(words[BM_ACCESS_untouched] == 128);
}

static void only_what_was_born_here_is_judged(void **state)
{
    (void)state;
    assert_true(core_run(born_elsewhere, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_those_of_the_model),
        cmocka_unit_test(only_what_was_born_here_is_judged),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
