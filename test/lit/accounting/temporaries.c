// A block freed before its thread's next allocation is temporary; N moves the bound.
// RUN: %benchmem-cc -O2 %s -o a
// RUN: BENCHMEM_OUTPUT=p.bmem ./a && %figures --temporary p.bmem | %filecheck --check-prefix=ONE
// RUN: BENCHMEM_OUTPUT=q.bmem BENCHMEM_OPTIONS=temporary=2 ./a && %figures --temporary q.bmem | %filecheck --check-prefix=TWO
#include <stdlib.h>

void *volatile S;
void *volatile T;

int main(void)
{
    for (int i = 0; i < 10; i++) {
        S = malloc(16); // freed at once
        // ONE: site temporaries.c:[[@LINE-1]] main malloc allocations=10 {{.*}} temporary=10
        // TWO: site temporaries.c:[[@LINE-2]] main malloc allocations=10 {{.*}} temporary=10
        free(S);
    }
    for (int i = 0; i < 10; i++) {
        S = malloc(32); // freed after one more allocation
        // ONE: site temporaries.c:[[@LINE-1]] main malloc allocations=10 {{.*}} temporary=0
        // TWO: site temporaries.c:[[@LINE-2]] main malloc allocations=10 {{.*}} temporary=10
        T = malloc(8);
        // ONE: site temporaries.c:[[@LINE-1]] main malloc allocations=10 {{.*}} temporary=10
        // TWO: site temporaries.c:[[@LINE-2]] main malloc allocations=10 {{.*}} temporary=10
        free(S);
        free(T);
    }
    return 0;
}
