/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The recorder's memory: chunks lie on their boundary, are empty and nobody
 * else's, the many that lie in huge pages as well.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runtime/memory.h"

#define NR_CHUNKS 600u /* some 75 MiB in all */

static void chunks_are_apart(void **state)
{
    uint64_t *chunks[NR_CHUNKS];
    size_t sizes[NR_CHUNKS];

    (void)state;
    for (uint64_t i = 0; i < NR_CHUNKS; i++) {
        sizes[i] = (1 + i % 3) * BM_CHUNK;
        chunks[i] = bm_chunk_get(sizes[i]);
        assert_non_null(chunks[i]);
        assert_int_equal((uintptr_t)chunks[i] % BM_CHUNK, 0);
        for (size_t at = 0; at < sizes[i] / 8; at += 512)
            assert_int_equal(chunks[i][at], 0);
        chunks[i][0] = chunks[i][sizes[i] / 8 - 1] = i + 1;
    }
    for (uint64_t i = 0; i < NR_CHUNKS; i++) {
        assert_int_equal(chunks[i][0], i + 1);
        assert_int_equal(chunks[i][sizes[i] / 8 - 1], i + 1);
    }
}

static void arenas_are_apart(void **state)
{
    static char *memory[20000];

    (void)state;
    for (size_t i = 0; i < 20000; i++) {
        memory[i] = bm_arena_get(1 + i % 100);
        assert_non_null(memory[i]);
        assert_int_equal((uintptr_t)memory[i] % 16, 0);
        for (size_t at = 0; at <= i % 100; at++)
            assert_int_equal(memory[i][at], 0);
        memory[i][0] = memory[i][i % 100] = (char)i;
    }
    for (size_t i = 0; i < 20000; i++) {
        assert_int_equal(memory[i][0], (char)i);
        assert_int_equal(memory[i][i % 100], (char)i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arenas_are_apart), /* small chunks, then large */
        cmocka_unit_test(chunks_are_apart),
        cmocka_unit_test(arenas_are_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
