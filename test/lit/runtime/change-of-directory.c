// A relative output lies where the program started, whatever folder it goes to.
// RUN: %benchmem-cc -O2 %s -o a && mkdir other && BENCHMEM_OUTPUT=named.bmem ./a && ./a
// RUN: %figures named.bmem | %filecheck && %figures .benchmem/a.*.bmem | %filecheck
// RUN: ls other | wc -l | has -x 0
#include <stdlib.h>
#include <unistd.h>

void *volatile S;

int main(void)
{
    // CHECK: totals allocations=1 frees=0 allocated=1 {{.*}}
    if (chdir("other"))
        return 1;
    S = malloc(1);
    return 0;
}
