// Every allocator of C is counted at its own line with the bytes asked for.
// RUN: %each-build --figures=--callee %s %s
#define _GNU_SOURCE
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

void *volatile S;
const char *volatile text = "0123456789";
const wchar_t *volatile wide = L"abc";
volatile size_t one = 1;

int main(void)
{
    void *p = NULL;

    // CHECK: totals allocations=15 frees=2 allocated=10175 freed=210 peak=9965 live=9965 blocks=13
    // CHECK-NEXT: end status=0
    S = malloc(10 * one);
    // CHECK-NEXT: site c-functions.c:[[@LINE-1]] main malloc allocations=1 frees=0 allocated=10 peak=10 at_peak=10 live=10 callee=malloc
    S = calloc(7, 20 * one);
    // CHECK-NEXT: site c-functions.c:[[@LINE-1]] main calloc allocations=1 frees=1 allocated=140 peak=140 at_peak=0 live=0 callee=calloc
    S = realloc(S, 300);
    // CHECK-NEXT: site c-functions.c:[[@LINE-1]] main realloc allocations=1 frees=0 allocated=300 peak=300 at_peak=300 live=300 callee=realloc
    S = malloc(70 * one);
    // CHECK-NEXT: site c-functions.c:[[@LINE-1]] main malloc allocations=1 frees=1 allocated=70 peak=70 at_peak=0 live=0 callee=malloc
    S = reallocarray(S, 20, 20);
    // CHECK-NEXT: site c-functions.c:[[@LINE-1]] main realloc allocations=1 frees=0 allocated=400 peak=400 at_peak=400 live=400 callee=reallocarray
    S = aligned_alloc(64, 128);
    // CHECK-NEXT: site c-functions.c:[[@LINE-1]] main aligned allocations=1 frees=0 allocated=128 peak=128 at_peak=128 live=128 callee=aligned_alloc
    S = memalign(32, 600);
    // CHECK-NEXT: site c-functions.c:[[@LINE-1]] main aligned allocations=1 frees=0 allocated=600 peak=600 at_peak=600 live=600 callee=memalign
    if (posix_memalign(&p, 64, 1000))
        return 1;
    // CHECK-NEXT: site c-functions.c:[[@LINE-2]] main aligned allocations=1 frees=0 allocated=1000 peak=1000 at_peak=1000 live=1000 callee=posix_memalign
    S = valloc(3000);
    // CHECK-NEXT: site c-functions.c:[[@LINE-1]] main aligned allocations=1 frees=0 allocated=3000 peak=3000 at_peak=3000 live=3000 callee=valloc
    S = pvalloc(4000);
    // CHECK-NEXT: site c-functions.c:[[@LINE-1]] main aligned allocations=1 frees=0 allocated=4000 peak=4000 at_peak=4000 live=4000 callee=pvalloc
    S = strdup(text);
    // CHECK-NEXT: site c-functions.c:[[@LINE-1]] main string allocations=1 frees=0 allocated=11 peak=11 at_peak=11 live=11 callee=strdup
    S = strndup(text, 3);
    // CHECK-NEXT: site c-functions.c:[[@LINE-1]] main string allocations=1 frees=0 allocated=4 peak=4 at_peak=4 live=4 callee=strndup
    S = strndup(text, 100);
    // CHECK-NEXT: site c-functions.c:[[@LINE-1]] main string allocations=1 frees=0 allocated=11 peak=11 at_peak=11 live=11 callee=strndup
    S = wcsdup(wide);
    // CHECK-NEXT: site c-functions.c:[[@LINE-1]] main string allocations=1 frees=0 allocated=16 peak=16 at_peak=16 live=16 callee=wcsdup
    S = realloc(NULL, 485 * one);
    // CHECK-NEXT: site c-functions.c:[[@LINE-1]] main {{malloc|realloc}} allocations=1 frees=0 allocated=485 peak=485 at_peak=485 live=485 callee={{malloc|realloc}}
    // CHECK-NOT: site
    return p == NULL;
}
