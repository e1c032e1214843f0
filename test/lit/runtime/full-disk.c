// On a disk that is full, or fills up, the program runs on unharmed, and a profile that there is holds.
// REQUIRES: mount
// RUN: %benchmem-cc -O2 %s -o a && mkdir full && unshare -m bash %inputs/full_disk.sh ./a 0 20 44 52 56 60 64
// RUN: for p in kept-*.bmem; do %figures $p | %filecheck || exit 1; done
#include <stdlib.h>
#include <unistd.h>

void *volatile S;

int main(void)
{
    for (int i = 0; i < 10000; i++) {
        S = malloc(100);
        free(S);
    }
    // CHECK: totals allocations=10000 frees=10000 allocated=1000000 freed=1000000 peak=100 live=0 blocks=0
    return write(1, "done\n", 5) == 5 ? 3 : 4;
}
