// Reports charge a wrapper's block to its line or to its caller's, with equal totals.
// RUN: %benchmem-cc -O2 --benchmem-wrapper=my_alloc %s -o a && BENCHMEM_OUTPUT=p.bmem ./a
// RUN: %figures p.bmem | %filecheck
#include <stdlib.h>

void *volatile S;

__attribute__((noinline)) void *my_alloc(size_t n)
{
    // CHECK: totals allocations=2 frees=0 allocated=30 freed=0 peak=30 live=30 blocks=2
    // CHECK-NEXT: end status=0
    void *block = malloc(n + 0);
    // CHECK-NEXT: site wrapper-option.c:[[@LINE-1]] my_alloc malloc allocations=2 frees=0 allocated=30 peak=30 at_peak=30 live=30
    if (!block)
        abort();
    return block;
}

int main(void)
{
    S = my_alloc(10);
    S = my_alloc(20);
    // CHECK-NOT: site
    return 0;
}
