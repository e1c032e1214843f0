/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Two phases, a peak in each. The table of the first is 95 % of the program's
 * peak, but without it the second phase's peak takes over: saves=1 tells.
 */
#include <stdlib.h>

struct entry {
    char bytes[50];
};
struct row {
    char bytes[950];
};
struct result {
    char bytes[340];
};

static void *volatile used; /* so that no allocation is optimized away */

static void first_phase(size_t n)
{
    struct row *table = malloc(n * sizeof(*table));

    used = table;
    free(table);
}

static void second_phase(size_t n)
{
    struct result *results = malloc(n * sizeof(*results));

    used = results;
    free(results);
}

int main(void)
{
    size_t n = 1000;
    struct entry *index = malloc(n * sizeof(*index));

    used = index;
    first_phase(n);  /* (50 + 950) * n bytes: the peak */
    second_phase(n); /* (50 + 340) * n */
    free(index);
    return 0;
}
