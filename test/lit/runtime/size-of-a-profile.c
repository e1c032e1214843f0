// A profile grows with sites and paths, not with events: ten million allocations at three sites take no more room than a few.
// RUN: %benchmem-cc -O2 %s -o a && BENCHMEM_OUTPUT=p.bmem ./a 10000000 && BENCHMEM_OUTPUT=few.bmem ./a 1
// RUN: test $(stat -c %%s p.bmem) -le 65536 && test $(stat -c %%s p.bmem) = $(stat -c %%s few.bmem) && %figures p.bmem | %filecheck
#include <stdlib.h>

void *volatile S;

int main(int argc, char **argv)
{
    // CHECK: totals allocations=10000003 frees=10000002 allocated=100000044 freed=100000032 peak=32 live=12 blocks=1
    for (long i = atol(argv[argc - 1]); i > 0; i--) {
        S = malloc(10);
        // CHECK: site size-of-a-profile.c:[[@LINE-1]] main malloc allocations=10000000 frees=10000000 allocated=100000000 peak=10 at_peak=0 live=0
        free(S);
    }
    void *volatile first = malloc(12);
    // CHECK-NEXT: site size-of-a-profile.c:[[@LINE-1]] main malloc allocations=1 frees=1 allocated=12 peak=12 at_peak=12 live=0
    S = malloc(20);
    // CHECK-NEXT: site size-of-a-profile.c:[[@LINE-1]] main malloc allocations=1 frees=1 allocated=20 peak=20 at_peak=20 live=0
    free(first);
    free(S);
    S = calloc(3, 4);
    // CHECK-NEXT: site size-of-a-profile.c:[[@LINE-1]] main calloc allocations=1 frees=0 allocated=12 peak=12 at_peak=0 live=12
    return 0;
}
