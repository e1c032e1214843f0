// Exit handlers that are registered before the first allocation, and that allocate, do no harm.
// RUN: %benchmem-cc -O2 %s -o a && BENCHMEM_OUTPUT=p.bmem timeout 300 ./a && %figures p.bmem >got && %filecheck --input-file=got
// RUN: %clang -O2 %s -o plain && %witness got ./plain
#include <stdlib.h>

void *volatile S;

static void handler(void)
{
    S = malloc(3);
    // CHECK: site many-exit-handlers.c:[[@LINE-1]] handler malloc allocations=100 frees=100 allocated=300 peak=3 at_peak={{[03]}} live=0
    free(S);
}

__attribute__((constructor(101))) static void early(void)
{
    for (int i = 0; i < 100; i++)
        if (atexit(handler))
            abort();
}

int main(void)
{
    return 0;
}
