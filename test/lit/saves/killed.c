// Killed at any moment, a line's figure is off by no more than the call under way, or it is not there.
// RUN: %benchmem-cc -O2 %s -o a && %python %inputs/killed_saves.py ./a %bindir/benchmem-report %check
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum { BLOCKS = 100, SIZE = 1000 };

static void *table[BLOCKS], *rest[BLOCKS];

/* 95 blocks here and 5 there at most, then none here and 39 there. */
static void round_of_both(void)
{
    for (int i = 0; i < 95; i++)
        table[i] = malloc(SIZE);
    for (int i = 0; i < 5; i++)
        rest[i] = malloc(SIZE);
    for (int i = 0; i < 95; i++)
        free(table[i]);
    for (int i = 5; i < 39; i++)
        rest[i] = malloc(SIZE);
    for (int i = 0; i < 39; i++)
        free(rest[i]);
}

int main(void)
{
    round_of_both();
    if (write(1, "x", 1) != 1)
        return 1;
    for (;;)
        round_of_both();
}
