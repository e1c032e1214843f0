// A window needs the stack, of which there are no paths where sites alone are recorded.
// RUN: %benchmem-cc -O2 %s -o a && BENCHMEM_OPTIONS=paths=sites BENCHMEM_OUTPUT=p.bmem ./a && %figures p.bmem | %filecheck-part
#include <stdlib.h>

void *volatile S;

__attribute__((noinline)) void bench_twice(int n)
{
    S = malloc((size_t)n);
    free(S);
}

int main(void)
{
    bench_twice(10);
    bench_twice(10);
    bench_twice(20);
    return 0;
}
// CHECK: bench sites-alone.c::bench_twice[n=10] passes=2 peak=10 allocated=10 allocations=1 retained=0
// CHECK: bench sites-alone.c::bench_twice[n=20] passes=1 peak=20 allocated=20 allocations=1 retained=0
