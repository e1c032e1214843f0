// Static and static-pie programs, and those without PIE, have the same figures.
// RUN: for f in -static -static-pie -no-pie -pie '-static -O0' '-Wl,-s' '-static -pthread'; do n=$(echo "$f" | tr -d ' ,'); %benchmem-cc -O2 $f %s -o a$n && BENCHMEM_OUTPUT=p$n.bmem ./a$n && %figures p$n.bmem | %filecheck || exit 1; done
// RUN: printf '#include <wchar.h>\nvoid *volatile S;\nint main(void) { S = wcsdup(L"abc"); return 0; }\n' >w.c && %benchmem-cc -O2 -static w.c -o w && BENCHMEM_OUTPUT=w.bmem ./w && %figures w.bmem | has 'site w.c:3 main string allocations=1 frees=0 allocated=16 '
#include <stdlib.h>

void *volatile S;

static void *mk(size_t n)
{
    return malloc(n);
    // CHECK: site static-programs.c:[[@LINE-1]] mk malloc allocations=2 frees=1 allocated=128 peak=128 at_peak={{.*}} live=100
}

__attribute__((noinline)) void *va(void) { return mk(100); }
__attribute__((noinline)) void *vb(void) { return mk(28); }

int main(void)
{
    S = va();
    S = vb();
    S = realloc(S, 50);
    free(S);
    // CHECK: site static-programs.c:[[@LINE-2]] main realloc allocations=1 frees=1 allocated=50 {{.*}} live=0
    return 0;
}
