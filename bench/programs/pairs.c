/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Nothing but malloc and free: the price of one pair. Half of the blocks
 * die at once, half live for 256 further allocations.
 */
#include <stdlib.h>

static void *volatile sink;

int main(int argc, char **argv)
{
    unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 0) : 100000000;
    void *kept[256] = {0};

    for (unsigned long i = 0; i < n; i += 2) {
        sink = malloc(16 + i % 64);
        free(sink);
        free(kept[i / 2 % 256]);
        kept[i / 2 % 256] = malloc(16 + i % 128);
    }
    for (unsigned i = 0; i < 256; i++)
        free(kept[i]);
    return 0;
}
