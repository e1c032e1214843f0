// A benchmark function keeps its window though its only caller would have inlined it, and at -flto too.
// RUN: for l in -g0 -flto -flto=thin; do %benchmem-cc -O3 $l -fuse-ld=lld %s -o a$l && BENCHMEM_OUTPUT=p$l.bmem ./a$l && %figures p$l.bmem | %filecheck || exit 1; done
// REQUIRES: lld
#include <stdlib.h>

void *volatile S;

__attribute__((always_inline)) static inline void bench_forced(int n)
{
    S = malloc(n);
    free(S);
}

static void bench_small(int n)
{
    S = malloc(n);
    free(S);
}

int main(void)
{
    bench_small(9);
    S = malloc(1000);
    bench_forced(11);
    bench_forced(12);
    return 0;
}
// CHECK: totals allocations=4 frees=3 allocated=1032 freed=32 peak=1012 live=1000 blocks=1
// CHECK-DAG: bench inlined-benchmark.c::bench_small[n=9] passes=1 peak=9 allocated=9 allocations=1 retained=0
// CHECK-DAG: bench inlined-benchmark.c::bench_forced[n=11] passes=1 peak=11 allocated=11 allocations=1 retained=0
// CHECK-DAG: bench inlined-benchmark.c::bench_forced[n=12] passes=1 peak=12 allocated=12 allocations=1 retained=0
