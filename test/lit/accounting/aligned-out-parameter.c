// posix_memalign gives its block through a parameter, and on an error neither reads nor writes it.
// RUN: %each-build %s %s
#include <stdlib.h>

void *volatile S;
volatile size_t bad = 3;

int main(void)
{
    // CHECK: totals allocations=2 frees=1 allocated=1128 freed=1000 peak=1128 live=128 blocks=1 failed=1
    // CHECK-NEXT: end status=0
    void *p = (void *)1;
    if (!posix_memalign(&p, bad, 100) || p != (void *)1)
        return 1;
    if (posix_memalign(&p, 64, 1000))
        // CHECK-NEXT: site aligned-out-parameter.c:[[@LINE-1]] main aligned allocations=1 frees=1 allocated=1000 peak=1000 at_peak=1000 live=0
        return 2;
    S = aligned_alloc(64, 128);
    // CHECK-NEXT: site aligned-out-parameter.c:[[@LINE-1]] main aligned allocations=1 frees=0 allocated=128 peak=128 at_peak=128 live=128
    free(p);
    // CHECK-NOT: site
    return 0;
}
