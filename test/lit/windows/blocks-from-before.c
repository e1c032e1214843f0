// A window counts only blocks made inside it: older ones can be freed or grown there without going negative.
// RUN: for o in -O0 -O2; do %benchmem-cc $o %s -o a$o && BENCHMEM_OUTPUT=p$o.bmem ./a$o && %figures p$o.bmem | %filecheck || exit 1; done
#include <stdlib.h>

void *volatile before, *volatile grown, *volatile S, *volatile T;

void bench_mixed(void)
{
    free(before);
    S = malloc(50);
    free(S);
    grown = realloc(grown, 300); // new here, with its new size
    T = malloc(20);              // stays
}

int main(void)
{
    // CHECK: totals allocations=5 frees=4 allocated=1570 freed=1550 peak=1200 live=20 blocks=1
    before = malloc(1000);
    grown = malloc(200);
    bench_mixed();
    free(grown);
    return 0;
    // CHECK: bench blocks-from-before.c::bench_mixed passes=1 peak=320 allocated=370 allocations=3 retained=320
    // CHECK-NEXT: bench-site blocks-from-before.c:10 bench_mixed malloc allocations=1 frees=1 allocated=50 peak=50 at_peak=0 live=0
    // CHECK-NEXT: bench-site blocks-from-before.c:12 bench_mixed realloc allocations=1 frees=0 allocated=300 peak=300 at_peak=300 live=300
    // CHECK-NEXT: bench-site blocks-from-before.c:13 bench_mixed malloc allocations=1 frees=0 allocated=20 peak=20 at_peak=20 live=20
    // CHECK-NOT: bench
}
