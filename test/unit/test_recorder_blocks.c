/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The block table: every kind of address and size, close neighbours. */
#include "runtime/blocks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

union bm_state_page bm_state_page; /* of the recorder's entries */

static struct bm_leaf_cache cache;

static void *at(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

static void learn(uint64_t address, struct bm_block block)
{
    struct bm_block old;

    assert_int_equal(bm_block_learn(&cache, at(address), &block, &old),
                     BM_LEARNED);
}

static void forget(uint64_t address, struct bm_block expected)
{
    struct bm_block block;

    assert_true(bm_block_forget(&cache, at(address), &block));
    assert_int_equal(block.key, expected.key);
    assert_int_equal(block.birth, expected.birth);
    assert_true(block.size == expected.size);
    assert_false(bm_block_forget(&cache, at(address), &block));
}

static void every_address_and_size_is_kept(void **state)
{
    static const uint64_t addresses[] = {
        0x1000,         0x3fffe0,       0x400000,           0x555555559010,
        0x7fffffffffe0, 0x800000000000, 0xffff800000000010, 0x12345678,
    };
    static const uint64_t sizes[] = {
        0,
        1,
        BM_ENTRY_MAX_SIZE - 1,
        BM_ENTRY_MAX_SIZE,
        BM_ENTRY_MAX_SIZE + 1,
        (uint64_t)1 << 40,
        UINT64_MAX,
    };
    const size_t nr_sizes = sizeof(sizes) / sizeof(sizes[0]);

    (void)state;
    for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++)
        for (size_t j = 0; j < nr_sizes; j++) {
            struct bm_block block = {.key = (1u << 24) - 1, .size = sizes[j]};

            learn(addresses[i], block);
            forget(addresses[i], block);
        }
}

static void neighbours_are_told_apart(void **state)
{
    const uint64_t base = 0x7000000000;

    (void)state;
    bm_be_careful(BM_CAREFUL_PACKED);
    for (uint32_t i = 0; i < 64; i++)
        learn(base + i * 8, (struct bm_block){.key = i + 1, .size = i});
    for (uint32_t i = 0; i < 64; i += 2)
        forget(base + i * 8, (struct bm_block){.key = i + 1, .size = i});
    for (uint32_t i = 0; i < 64; i += 2)
        learn(base + i * 8, (struct bm_block){.key = i + 100, .size = 7});
    for (uint32_t i = 0; i < 64; i++)
        forget(base + i * 8,
               i % 2 ? (struct bm_block){.key = i + 1, .size = i}
                     : (struct bm_block){.key = i + 100, .size = 7});
}

static void a_block_in_place_of_another_gives_it_back(void **state)
{
    const uint64_t address = 0x7100000010;
    struct bm_block first = {.key = 3, .size = 10};
    struct bm_block second = {.key = 4, .size = 20}, old;

    (void)state;
    learn(address, first);
    assert_int_equal(bm_block_learn(&cache, at(address), &second, &old),
                     BM_LEARNED_OVER);
    assert_int_equal(old.key, 3);
    assert_true(old.size == 10);
    forget(address, second);
}

static void births_are_kept_once_there_are_any(void **state)
{
    const uint64_t address = 0x7200000040;

    (void)state;
    learn(address, (struct bm_block){.key = 5, .size = 1});
    bm_be_careful(BM_CAREFUL_BIRTHS);
    learn(address + 32, (struct bm_block){5, UINT32_MAX, 1});
    learn(address + 64, (struct bm_block){5, 7, (uint64_t)1 << 50});
    forget(address, (struct bm_block){5, 0, 1});
    forget(address + 32, (struct bm_block){5, UINT32_MAX, 1});
    learn(address + 32, (struct bm_block){6, 0, 2});
    forget(address + 32, (struct bm_block){6, 0, 2});
    forget(address + 64, (struct bm_block){5, 7, (uint64_t)1 << 50});
}

static void count(void *context, uintptr_t address,
                  const struct bm_block *block)
{
    uint64_t *sum = context;
    uintptr_t expected = block->size < 1000
                             ? 0x7300000000 + block->size * 0x100008
                             : 0xffff800000000000;

    assert_true(address == expected);
    sum[0]++;
    sum[1] += block->size;
}

static void every_block_is_visited_once(void **state)
{
    uint64_t sum[2] = {0, 0};

    (void)state;
    for (uint32_t i = 0; i < 1000; i++)
        learn(0x7300000000 + i * 0x100008, (struct bm_block){1, 0, i});
    learn(0xffff800000000000, (struct bm_block){1, 0, 1000000});
    bm_blocks_each(count, sum);
    assert_int_equal(sum[0], 1001);
    assert_int_equal(sum[1], 1000 * 999 / 2 + 1000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_address_and_size_is_kept),
        cmocka_unit_test(neighbours_are_told_apart),
        cmocka_unit_test(a_block_in_place_of_another_gives_it_back),
        cmocka_unit_test(births_are_kept_once_there_are_any),
        cmocka_unit_test(every_block_is_visited_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
