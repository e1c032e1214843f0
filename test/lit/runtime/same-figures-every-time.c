// The figures of a single-threaded program are the same in any folder, environment and layout.
// RUN: %benchmem-cc -O2 %s -o a && %python %inputs/run_many.py ./a 20
// RUN: for i in $(seq 20); do %figures r$i.bmem >r$i.txt && cmp r1.txt r$i.txt || exit 1; done
#include <stdlib.h>

void *volatile S;
static void *kept[100];

void bench_mix(int seed)
{
    unsigned state = (unsigned)seed;

    for (int i = 0; i < 5000; i++) {
        state = state * 1664525u + 1013904223u;
        unsigned slot = state >> 16 & 63;
        free(kept[slot]);
        kept[slot] = malloc(state >> 20);
        S = kept[slot];
    }
}

int main(void)
{
    bench_mix(1);
    bench_mix(2);
    return 0;
}
