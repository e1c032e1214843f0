// The figures are the same whatever allocator is preloaded or linked.
// REQUIRES: other-allocators
// RUN: %benchmem-cc -O2 %s -o a && for l in %other-allocators; do n=$(basename $l); LD_PRELOAD=$l BENCHMEM_OUTPUT=p$n.bmem ./a && %figures p$n.bmem >got$n && %filecheck --input-file=got$n || exit 1; done
// RUN: for l in %other-allocators; do n=$(basename $l); %benchmem-cc -O2 %s $l -o b$n && BENCHMEM_OUTPUT=q$n.bmem ./b$n && %figures q$n.bmem | %filecheck || exit 1; done
#include <stdlib.h>

void *volatile S;

int main(void)
{
    // CHECK: end status=0
    void *volatile first = malloc(48);
    // CHECK-NEXT: site other-allocators.c:[[@LINE-1]] main malloc allocations=1 frees=1 allocated=48 peak=48 {{.*}} live=0
    free(first);
    S = malloc(16);
    // CHECK-NEXT: site other-allocators.c:[[@LINE-1]] main malloc allocations=1 frees=0 allocated=16 peak=16 {{.*}} live=16
    S = calloc(10, 100);
    // CHECK-NEXT: site other-allocators.c:[[@LINE-1]] main calloc allocations=1 frees=1 allocated=1000 peak=1000 {{.*}} live=0
    S = realloc(S, 2000);
    // CHECK-NEXT: site other-allocators.c:[[@LINE-1]] main realloc allocations=1 frees=0 allocated=2000 peak=2000 {{.*}} live=2000
    // CHECK-NOT: site
    return 0;
}
