// Sites of one line have laws apart, told by their columns; a line with one site has none.
// RUN: %benchmem-cc -O2 %s -o a && %benchmem-run --repeats 1 ./a >out && has 'n^1.00 .* sites-on-one-line.c:10:[0-9]* bench_two$' <out
// RUN: test "$(grep -o 'sites-on-one-line.c:10:[0-9]* bench_two' out | sort -u | wc -l)" = 2
// RUN: has 'sites-on-one-line.c:12 bench_two$' <out
#include <stdlib.h>

void *volatile kept[3];
__attribute__((noinline)) void bench_two(int n)
{
    kept[0] = malloc(16 * n), kept[1] = malloc(8 * n);
    /* A line of its own. */
    kept[2] = malloc(4 * n);
    for (int i = 0; i < 3; i++)
        free(kept[i]);
}

int main(void)
{
    for (int n = 10; n <= 1000; n *= 10)
        bench_two(n);
}
