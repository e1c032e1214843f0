// BENCHMEM_DISABLE=1 turns recording off: no profile, same output.
// RUN: %benchmem-cc -O2 %s -o a && mkdir d && BENCHMEM_DISABLE=1 BENCHMEM_OUTPUT=d/p.bmem ./a >out && cd d && BENCHMEM_DISABLE=1 ../a && ls -A | wc -l | has -x 0
#include <stdlib.h>

void *volatile S;

int main(void)
{
    S = malloc(1);
    return 0;
}
