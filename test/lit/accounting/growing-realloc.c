// A realloc is one allocation and one free, and a moving one never counts old and new together.
// RUN: %each-build %s %s
#include <stdlib.h>

void *volatile S;

int main(void)
{
    // CHECK: totals allocations=3 frees=2 allocated=4608 freed=4096 peak=3072 live=512 blocks=1
    // CHECK-NEXT: end status=0
    S = malloc(1024);
    // CHECK-NEXT: site growing-realloc.c:[[@LINE-1]] main malloc allocations=1 frees=1 allocated=1024 peak=1024 at_peak=0 live=0
    S = realloc(S, 3072);
    // CHECK-NEXT: site growing-realloc.c:[[@LINE-1]] main realloc allocations=1 frees=1 allocated=3072 peak=3072 at_peak=3072 live=0
    S = realloc(S, 512);
    // CHECK-NEXT: site growing-realloc.c:[[@LINE-1]] main realloc allocations=1 frees=0 allocated=512 peak=512 at_peak=0 live=512
    // CHECK-NOT: site
    return 0;
}
