/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Many allocations at three sites: how large their profile is. */
#include <stdlib.h>

static void *volatile sink;

int main(int argc, char **argv)
{
    unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 0) : 9999999;

    for (unsigned long i = 0; i < n; i += 3) {
        sink = malloc(24);
        free(sink);
        sink = calloc(3, 8);
        free(sink);
        sink = realloc(NULL, 100);
        free(sink);
    }
    return 0;
}
