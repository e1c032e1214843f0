// Blocks that libc makes for its caller are counted at the caller's line.
// RUN: %each-build %s %s
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *volatile S;
const char *volatile digits = "0123456789";
const char *volatile letters = "abcdef";

int main(void)
{
    // glibc's asprintf asks for malloc(100), malloc(6), and frees the first.
    // CHECK: totals allocations=4 frees=3 allocated=121 freed=117 peak=110 live=4 blocks=1
    // CHECK-NEXT: end status=0
    S = strdup(digits);
    // CHECK-NEXT: site libc-allocates.c:[[@LINE-1]] main string allocations=1 frees=1 allocated=11 peak=11 at_peak=0 live=0
    free(S);
    S = strndup(letters, 3);
    // CHECK-NEXT: site libc-allocates.c:[[@LINE-1]] main string allocations=1 frees=0 allocated=4 peak=4 at_peak=4 live=4
    char *a;
    if (asprintf(&a, "%d", 12345) < 0)
        // CHECK-NEXT: site libc-allocates.c:[[@LINE-1]] main stdio allocations=2 frees=2 allocated=106 peak=106 at_peak=106 live=0
        return 1;
    S = a;
    free(a);
    // CHECK-NOT: site
    // CHECK-NOT: outside
    return 0;
}
