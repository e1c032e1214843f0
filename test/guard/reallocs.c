/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Nothing but realloc of one block, to and fro: reallocs NUMBER. */
#include <stdlib.h>

int main(int argc, char **argv)
{
    unsigned long nr = argc > 1 ? strtoul(argv[1], NULL, 0) : 0;
    void *volatile block = malloc(16);

    for (unsigned long i = 0; i < nr; i++)
        block = realloc(block, 16 + i % 256);
    free(block);
    return 0;
}
