/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The same in C++, whose fields are set by calls. */
#include <benchmem/benchmem.h>

static void bench_sum(struct benchmem_case *c)
{
    volatile int64_t sum = 0;

    for (int64_t i = benchmem_int(c, "n"); i > 0; i--)
        sum = sum + i;
}
#line 1 "bench.c"
BENCHMEM(bench_sum).ints("n", {10, 1000});
