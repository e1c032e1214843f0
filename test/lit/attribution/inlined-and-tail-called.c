// Inlined copies are one site, at the line of the call as written, at every level.
// RUN: %each-build %s %s
#include <stdlib.h>

void *volatile S;

static void *mk(size_t n)
{
    // CHECK: totals allocations=2 frees=0 allocated=128 freed=0 peak=128 live=128 blocks=2
    // CHECK-NEXT: end status=0
    return malloc(n);
    // CHECK-NEXT: site inlined-and-tail-called.c:[[@LINE-1]] mk malloc allocations=2 frees=0 allocated=128 peak=128 at_peak=128 live=128
    // CHECK-NOT: site
}

__attribute__((noinline)) void *va(void) { return mk(100); }
__attribute__((noinline)) void *vb(void) { return mk(28); }

int main(void)
{
    S = va();
    S = vb();
    return 0;
}
