// A jump to an allocator leaves no return address and still has its own line, in every kind of build.
// RUN: %each-build %s %s
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

void *volatile S;
void *(*volatile make)(size_t) = malloc;

__attribute__((noinline)) void *through_pointer(size_t n)
{
    return make(n);
    // CHECK-DAG: site jumps-to-allocators.c:[[@LINE-1]] through_pointer {{malloc|via}} allocations=1 frees=0 allocated=100 peak=100 {{.*}} live=100
}

__attribute__((noinline)) int through_libc(char **text)
{
    return asprintf(text, "%d", 12345);
    // CHECK-DAG: site jumps-to-allocators.c:[[@LINE-1]] through_libc stdio allocations=2 frees=1 allocated=106 {{.*}} live=6
}

int main(void)
{
    char *text;

    S = through_pointer(100);
    S = make(28);
    // CHECK-DAG: site jumps-to-allocators.c:[[@LINE-1]] main {{malloc|via}} allocations=1 frees=0 allocated=28 peak=28 {{.*}} live=28
    through_libc(&text);
    S = text;
    return 0;
}
