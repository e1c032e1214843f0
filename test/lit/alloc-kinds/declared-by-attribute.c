// A wrapper with allocation attributes is never counted beside the call inside it.
// RUN: %each-build --levels="-O0 -O2" %s %s
#include <stdlib.h>

void *volatile S;

void xfree(void *block);
__attribute__((malloc, alloc_size(1), returns_nonnull, noinline)) void *
xmalloc(size_t size);
__attribute__((alloc_size(1, 2), noinline)) void *xcalloc(size_t n, size_t size);
__attribute__((alloc_align(1), alloc_size(2), noinline)) void *xaligned(size_t alignment,
                                                                        size_t size);

int main(void)
{
    // CHECK: totals allocations=3 frees=1 allocated=264 freed=100 peak=264 live=164 blocks=2
    // CHECK-NEXT: end status=0
    S = xcalloc(2, 50);
    S = xaligned(64, 64);
    void *p = xmalloc(100);
    S = p;
    xfree(p);
    return 0;
}

void xfree(void *block)
{
    free(block);
}

void *xmalloc(size_t size)
{
    void *block = malloc(size);
    // CHECK-NEXT: site declared-by-attribute.c:[[@LINE-1]] xmalloc malloc allocations=1 frees=1 allocated=100 peak=100 at_peak=100 live=0
    if (!block)
        abort();
    return block;
}

void *xcalloc(size_t n, size_t size)
{
    return calloc(n, size);
    // CHECK-NEXT: site declared-by-attribute.c:[[@LINE-1]] xcalloc calloc allocations=1 frees=0 allocated=100 peak=100 at_peak=100 live=100
}

void *xaligned(size_t alignment, size_t size)
{
    return aligned_alloc(alignment, size);
    // CHECK-NEXT: site declared-by-attribute.c:[[@LINE-1]] xaligned aligned allocations=1 frees=0 allocated=64 peak=64 at_peak=64 live=64
    // CHECK-NOT: site
}
