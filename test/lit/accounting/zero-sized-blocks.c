// A block of no bytes is a block.
// RUN: %each-build --levels="-O0 -O2" %s %s
#include <stdlib.h>

void *volatile S;
volatile size_t zero;

int main(void)
{
    // CHECK: totals allocations=3 frees=2 allocated=0 freed=0 peak=0 live=0 blocks=1
    // CHECK-NEXT: end status=0
    S = malloc(zero);
    // CHECK-NEXT: site zero-sized-blocks.c:[[@LINE-1]] main malloc allocations=1 frees=1 allocated=0 peak=0 at_peak=0 live=0
    free(S);
    S = calloc(zero, 8);
    // CHECK-NEXT: site zero-sized-blocks.c:[[@LINE-1]] main calloc allocations=1 frees=1 allocated=0 peak=0 at_peak=0 live=0
    S = realloc(S, zero); // glibc frees a block of no bytes too
    free(NULL);
    S = malloc(zero);
    // CHECK-NEXT: site zero-sized-blocks.c:[[@LINE-1]] main malloc allocations=1 frees=0 allocated=0 peak=0 at_peak=0 live=0
    // CHECK-NOT: site
    return 0;
}
