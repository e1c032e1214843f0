/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A small peak, but much allocated: one buffer after another. The peak alone
 * would not show the cost; allocated and allocations do.
 */
#include <benchmem/benchmem.h>

static void bench_churn(struct benchmem_case *c)
{
    int64_t rounds = benchmem_int(c, "rounds");

    for (int64_t i = 0; i < rounds; i++) {
        char *buffer = malloc(1024);

        if (!buffer)
            abort();
        memset(buffer, (int)i, 1024);
        benchmem_keep(buffer);
        free(buffer);
    }
}

BENCHMEM(bench_churn,
         .params = BENCHMEM_PARAMS(BENCHMEM_INTS("rounds", 100, 1000)));
