// realloc(NULL, n) allocates, and glibc's realloc(p, 0) frees.
// RUN: %each-build %s %s
#include <stdlib.h>

void *volatile S;
volatile size_t zero;

int main(void)
{
    // CHECK: totals allocations=2 frees=2 allocated=280 freed=280 peak=210 live=0 blocks=0
    // CHECK-NEXT: end status=0
    S = realloc(NULL, 70);
    // CHECK-NEXT: site realloc-of-nothing-and-to-nothing.c:[[@LINE-1]] main {{malloc|realloc}} allocations=1 frees=1 allocated=70 peak=70 at_peak=0 live=0
    S = realloc(S, 210);
    // CHECK-NEXT: site realloc-of-nothing-and-to-nothing.c:[[@LINE-1]] main realloc allocations=1 frees=1 allocated=210 peak=210 at_peak=210 live=0
    S = realloc(S, zero);
    // CHECK-NOT: site
    return S != NULL;
}
