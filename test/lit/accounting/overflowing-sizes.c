// A product that overflows is a failed call and never a size.
// RUN: %each-build --levels="-O0 -O2" %s %s
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>

void *volatile S;
volatile size_t n = SIZE_MAX / 2;

int main(void)
{
    // CHECK: totals allocations=1 frees=0 allocated=8 freed=0 peak=8 live=8 blocks=1 failed=2
    // CHECK-NEXT: end status=0
    S = calloc(n, 4);
    if (S)
        return 1;
    S = malloc(8);
    // CHECK-NEXT: site overflowing-sizes.c:[[@LINE-1]] main malloc allocations=1 frees=0 allocated=8 peak=8 at_peak=8 live=8
    if (reallocarray(S, n, 4))
        return 2;
    // CHECK-NOT: site
    return 0;
}
