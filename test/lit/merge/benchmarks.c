// A benchmark has the passes of all processes, its peak that of the largest pass; nothing of it is a sum of peaks.
// RUN: %benchmem-cc -O2 %s -o a && for n in 1 2 3; do BENCHMEM_OUTPUT=p$n.bmem ./a $n || exit 1; done
// RUN: %bindir/benchmem-merge -o all.bmem p?.bmem && %figures --passes all.bmem | %filecheck-part
#include <stdlib.h>

void *volatile S;

__attribute__((noinline)) void bench_grow(int k, int by)
{
    for (int i = 0; i < k; i++) {
        S = malloc((size_t)by);
        free(S);
    }
}

int main(int argc, char **argv)
{
    int by = 100 * atoi(argv[argc - 1]);

    bench_grow(2, by);
    bench_grow(2, by);
    bench_grow(1, 7);
    return 0;
}
// CHECK: totals allocations=15 {{.*}}live=0
// CHECK: bench benchmarks.c::bench_grow[k=2,by=100] passes=2 peak=100 allocated=200 allocations=2 retained=0
// CHECK: bench benchmarks.c::bench_grow[k=1,by=7] passes=3 peak=7 allocated=7 allocations=1 retained=0
// CHECK: bench-site benchmarks.c:11 bench_grow malloc allocations=3 frees=3 allocated=21 peak=7 at_peak=7 live=0
// CHECK: bench benchmarks.c::bench_grow[k=2,by=300] passes=2 peak=300 allocated=600
