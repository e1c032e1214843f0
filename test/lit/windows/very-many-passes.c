// The first 1,000 passes are kept singly, the others as count, minimum, maximum and sum, and the profile says so.
// RUN: %benchmem-cc -O2 %s -o a && BENCHMEM_OUTPUT=p.bmem ./a && %figures --passes p.bmem >got && %filecheck --input-file=got
// RUN: grep -c '^pass ' got | has -x 1000
// RUN: %report p.bmem | %filecheck-part --check-prefix=SAYS
#include <stdlib.h>

void *volatile S;
static int turn;

void bench_repeats(void)
{
    turn++;
    S = malloc(turn == 1500 ? 5 : turn == 1400 ? 500 : 10);
    free(S);
}

int main(void)
{
    for (int i = 0; i < 2500; i++)
        bench_repeats();
    return 0;
}
// CHECK: bench very-many-passes.c::bench_repeats passes=2500 peak=5 allocated=5 allocations=1 retained=0
// CHECK-NEXT: pass 1 peak=10 allocated=10 allocations=1 retained=0
// CHECK: pass 1000 peak=10 allocated=10 allocations=1 retained=0
// CHECK-NEXT: bench-site very-many-passes.c:13 bench_repeats malloc allocations=2500 frees=2500 allocated=25485 peak=500 at_peak=500 live=0
// SAYS: {{2,?500}}
