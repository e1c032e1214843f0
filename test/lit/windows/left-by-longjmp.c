// A window left by longjmp closes there, at the latest at the next entry.
// RUN: for o in -O0 -O2; do %benchmem-cc $o %s -o a$o && BENCHMEM_OUTPUT=p$o.bmem ./a$o && %figures p$o.bmem | %filecheck || exit 1; done
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf back;
void *volatile S;

void bench_jumps(int n)
{
    S = malloc(40);
    if (n)
        longjmp(back, 1);
}

void bench_next(void)
{
    S = malloc(7);
    free(S);
}

int main(void)
{
    for (volatile int i = 0; i < 3; i++)
        if (!setjmp(back))
            bench_jumps(1);
    bench_next();
    return 0;
}
// CHECK: totals allocations=4 frees=1 allocated=127 freed=7 peak=127 live=120 blocks=3
// CHECK-DAG: bench left-by-longjmp.c::bench_jumps[n=1] passes=3 peak=40 allocated=40 allocations=1 retained=40
// CHECK-DAG: bench left-by-longjmp.c::bench_next passes=1 peak=7 allocated=7 allocations=1 retained=0
