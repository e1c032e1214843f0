// A process that ends inside a benchmark leaves an open pass with what it had.
// RUN: %benchmem-cc -O2 %s -o a && (BENCHMEM_OUTPUT=p.bmem ./a || test $? = 3) && %figures p.bmem | %filecheck
#include <stdlib.h>
#include <unistd.h>

void *volatile S;

void bench_exits(void)
{
    S = malloc(100);
    free(S);
    S = malloc(60);
    _exit(3);
}

int main(void)
{
    S = malloc(5);
    bench_exits();
    return 0;
}
// CHECK: totals allocations=3 frees=1 allocated=165 freed=100 peak=105 live=65 blocks=2
// CHECK: bench left-by-exit.c::bench_exits passes=1 peak=100 allocated=160 allocations=2 retained=60
