// A call that the optimizer copied (unrolled, peeled, jump-threaded) is one site.
// RUN: %each-build %s %s
#include <stdlib.h>

void *volatile S;
volatile int three = 3;

int main(void)
{
    // CHECK: totals allocations=11 frees=0 allocated=112 freed=0 peak=112 live=112 blocks=11
    // CHECK-NEXT: end status=0
    for (int i = 0; i < 8; i++)
        S = malloc(8);
    // CHECK-NEXT: site unrolled-and-vectorized.c:[[@LINE-1]] main malloc allocations=8 frees=0 allocated=64 peak=64 at_peak=64 live=64
    for (int i = 0; i < three; i++)
        S = malloc(16);
    // CHECK-NEXT: site unrolled-and-vectorized.c:[[@LINE-1]] main malloc allocations=3 frees=0 allocated=48 peak=48 at_peak=48 live=48
    // CHECK-NOT: site
    return 0;
}
