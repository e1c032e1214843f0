// Allocators are known by name and signature where the compiler must not know them as builtins.
// RUN: for flag in -fno-builtin -fno-builtin-malloc '-fno-builtin -fno-builtin-free'; do %each-build --flags="$flag" --levels="-O0 -O2" %s %s || exit 1; done
#include <stdlib.h>

void *volatile S;

static void *mk(size_t n)
{
    // CHECK: totals allocations=3 frees=1 allocated=192 freed=64 peak=128 live=128 blocks=2
    // CHECK-NEXT: end status=0
    return malloc(n);
    // CHECK-NEXT: site without-builtins.c:[[@LINE-1]] mk malloc allocations=2 frees=0 allocated=128 peak=128 at_peak=128 live=128
}

__attribute__((noinline)) void *va(void) { return mk(100); }
__attribute__((noinline)) void *vb(void) { return mk(28); }

int main(void)
{
    void *gone = malloc(64); // with no builtins the pair stays
    free(gone);
    // CHECK-NEXT: site without-builtins.c:[[@LINE-2]] main malloc allocations=1 frees=1 allocated=64 peak=64 at_peak=0 live=0
    S = va();
    S = vb();
    // CHECK-NOT: site
    return 0;
}
