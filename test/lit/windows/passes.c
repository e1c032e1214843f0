// Each entry is a pass of its own; the headline is the minimum, and at_peak is of the largest pass.
// RUN: %benchmem-cc -O2 %s -o a && BENCHMEM_OUTPUT=p.bmem ./a && %figures --passes p.bmem | %filecheck
#include <stdlib.h>

void *volatile S, *volatile T;
static int turn;

void bench_varies(void)
{
    turn++;
    S = malloc(100 * (turn == 2 ? 3 : 1));
    T = malloc(turn == 3 ? 50 : 10);
    free(S);
    if (turn != 1)
        free(T);
}

int main(void)
{
    for (int i = 0; i < 3; i++)
        bench_varies();
    return 0;
}
// CHECK: bench passes.c::bench_varies passes=3 peak=110 allocated=110 allocations=2 retained=0
// CHECK-NEXT: pass 1 peak=110 allocated=110 allocations=2 retained=10
// CHECK-NEXT: pass 2 peak=310 allocated=310 allocations=2 retained=0
// CHECK-NEXT: pass 3 peak=150 allocated=150 allocations=2 retained=0
// CHECK-NEXT: bench-site passes.c:11 bench_varies malloc allocations=3 frees=3 allocated=500 peak=300 at_peak=300 live=0
// CHECK-NEXT: bench-site passes.c:12 bench_varies malloc allocations=3 frees=2 allocated=70 peak=50 at_peak=10 live=10
