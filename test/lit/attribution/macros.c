// Calls that come from a macro are at the line where the macro is used, each use a site of its own.
// RUN: %each-build --levels="-O0 -O2" %s %s
#include <stdlib.h>

void *volatile S;

#define MAKE(n) malloc(n)
#define MAKE_TWO(n) (S = MAKE(n), S = MAKE(2 * (n)))

int main(void)
{
    // CHECK: totals allocations=4 frees=0 allocated=130 freed=0 peak=130 live=130 blocks=4
    // CHECK-NEXT: end status=0
    S = MAKE(10);
    // CHECK-NEXT: site macros.c:[[@LINE-1]] main malloc allocations=1 frees=0 allocated=10 peak=10 at_peak=10 live=10
    S = MAKE(30);
    // CHECK-NEXT: site macros.c:[[@LINE-1]] main malloc allocations=1 frees=0 allocated=30 peak=30 at_peak=30 live=30
    MAKE_TWO(30);
    // The two calls of one macro share file, line and column: one site.
    // CHECK-NEXT: site macros.c:[[@LINE-2]] main malloc allocations=2 frees=0 allocated=90 peak=90 at_peak=90 live=90
    // CHECK-NOT: site
    return 0;
}
