// A call that returns no block counts only as failed, and errno is libc's.
// RUN: %each-build --levels="-O0 -O2" %s %s
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>

void *volatile S, *volatile T;
volatile size_t huge = SIZE_MAX / 2 + 1;

int main(void)
{
    // CHECK: totals allocations=1 frees=0 allocated=100 freed=0 peak=100 live=100 blocks=1 failed=5
    // CHECK-NEXT: end status=0
    errno = 0;
    // Through a volatile, or the optimizer would take each for granted.
    S = malloc(huge);
    __asm__ volatile("" ::: "memory"); // clang takes errno as untouched by malloc
    if (S || errno != ENOMEM)
        return 1;
    S = calloc(1, huge);
    T = aligned_alloc(64, huge);
    if (S || T)
        return 2;
    S = memalign(64, huge);
    if (S)
        return 3;
    char *kept = malloc(100);
    // CHECK-NEXT: site failed-calls.c:[[@LINE-1]] main malloc allocations=1 frees=0 allocated=100 peak=100 at_peak=100 live=100
    if (!kept)
        return 4;
    kept[99] = 'x';
    S = kept;
    errno = 0;
    T = realloc(S, huge);
    __asm__ volatile("" ::: "memory");
    if (T || errno != ENOMEM || kept[99] != 'x')
        return 5;
    // CHECK-NOT: site
    return 0;
}
