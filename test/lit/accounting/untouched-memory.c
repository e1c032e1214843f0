// The figures are of requested heap, whether touched or not.
// RUN: %benchmem-cc -O2 %s -o a && BENCHMEM_OUTPUT=p.bmem ./a && %figures p.bmem | %filecheck
// RUN: %report p.bmem | %filecheck-part --check-prefix=WORDS
#include <stdlib.h>

void *volatile S;

int main(void)
{
    // CHECK: totals allocations=1 frees=0 allocated=1073741824 freed=0 peak=1073741824 live=1073741824 blocks=1
    S = malloc((size_t)1 << 30);
    // WORDS: 1.0{{0?}} GiB
    return S == NULL;
}
