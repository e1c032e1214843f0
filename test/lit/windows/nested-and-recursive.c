// A benchmark that is entered while a window is open is an ordinary call of the open one.
// RUN: for o in -O0 -O2; do %benchmem-cc $o %s -o a$o && BENCHMEM_OUTPUT=p$o.bmem ./a$o && %figures p$o.bmem | %filecheck || exit 1; done
#include <stdlib.h>

void *volatile S;

void bench_inner(void)
{
    S = malloc(10);
    free(S);
}

void bench_outer(void)
{
    void *volatile kept = malloc(100);
    bench_inner();
    free(kept);
}

int bench_recursive(int depth)
{
    void *volatile kept = malloc(1);
    int below = depth ? bench_recursive(depth - 1) : 0;
    free(kept);
    return below + 1;
}

int main(void)
{
    bench_outer();
    bench_inner();
    return bench_recursive(4) != 5;
}
// CHECK-DAG: bench nested-and-recursive.c::bench_outer passes=1 peak=110 allocated=110 allocations=2 retained=0
// CHECK-DAG: bench nested-and-recursive.c::bench_inner passes=1 peak=10 allocated=10 allocations=1 retained=0
// CHECK-DAG: bench nested-and-recursive.c::bench_recursive[depth=4] passes=1 peak=5 allocated=5 allocations=5 retained=0
// CHECK-NOT: depth=3
