// The profile that is kept is small, and says the same as the one that the recorder wrote.
// RUN: %benchmem-cc -O2 %s -o a && BENCHMEM_OUTPUT=raw.bmem ./a && %benchmem-run -o small.bmem ./a
// RUN: %figures raw.bmem >raw && %figures small.bmem >small && diff raw small && test $(stat -c %%s small.bmem) -lt $(($(stat -c %%s raw.bmem) / 4))
// RUN: %benchmem-run ./a && set -- .benchmem/*.bmem && test $# = 1 && %figures "$1" >named && diff raw named
#include <stdlib.h>

void *volatile S;

int main(void)
{
    for (int i = 0; i < 1000; i++) {
        S = malloc(100);
        free(S);
    }
    S = malloc(10);
    return 0;
}
