// A function that must not be optimized is instrumented all the same.
// RUN: %each-build --levels="-O2" %s %s
#include <stdlib.h>

void *volatile S;

__attribute__((optnone, noinline)) static void *kept(void)
{
    // CHECK: totals allocations=2 frees=1 allocated=50 freed=20 peak=30 live=30 blocks=1
    void *gone = malloc(20);
    // CHECK: site optnone.c:[[@LINE-1]] kept malloc allocations=1 frees=1 allocated=20 peak=20 at_peak=0 live=0
    free(gone);
    return malloc(30);
    // CHECK-NEXT: site optnone.c:[[@LINE-1]] kept malloc allocations=1 frees=0 allocated=30 peak=30 at_peak=30 live=30
}

int main(void)
{
    S = kept();
    return 0;
}
