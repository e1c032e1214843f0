/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Benchmarks of others, with the main that the package brings. */
#include <benchmem/benchmem.h>

static void bench_sum(struct benchmem_case *c)
{
    volatile int64_t sum = 0;

    for (int64_t i = benchmem_int(c, "n"); i > 0; i--)
        sum = sum + i;
}
BENCHMEM(bench_sum, .params = BENCHMEM_PARAMS(BENCHMEM_INTS("n", 10, 1000)));
