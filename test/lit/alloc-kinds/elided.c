// A pair that the optimizer removed is not counted, and the report can say so.
// RUN: %each-build --levels="-O1 -O2 -O3 -Os" %s %s
// RUN: %benchmem-cc -O2 %s -o a && BENCHMEM_OUTPUT=a.bmem ./a
// RUN: %report --elided a.bmem | %filecheck-part --check-prefix=ELIDED
// RUN: %benchmem-cc -O0 %s -o b && BENCHMEM_OUTPUT=b.bmem ./b
// RUN: %figures b.bmem | %filecheck --check-prefix=KEPT
#include <stdlib.h>

int main(void)
{
    // CHECK: totals allocations=0 frees=0 allocated=0 freed=0 peak=0 live=0 blocks=0
    // CHECK-NEXT: end status=0
    // KEPT: totals allocations=1 frees=1 allocated=64 freed=64 peak=64 live=0 blocks=0
    void *p = malloc(64);
    // KEPT: site elided.c:[[@LINE-1]] main malloc allocations=1 frees=1 allocated=64 peak=64 at_peak=64 live=0
    // ELIDED: elided.c:[[@LINE-2]]
    free(p);
    // CHECK-NOT: site
    return 0;
}
