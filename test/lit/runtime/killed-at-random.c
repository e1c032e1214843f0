// Killed at random moments, the profile opens, holds its identities, and has what the program last published.
// RUN: %benchmem-cc -O2 %s -o a && %python %inputs/kill_at_random.py ./a 40 >list && while read p n; do %figures $p >got && %python %inputs/kill_at_random.py check got $n || exit 1; done <list
// RUN: wc -l <list | has -x 40
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void *volatile S;

int main(int argc, char **argv)
{
    int fd = open(argv[argc - 1], O_RDWR);
    volatile uint64_t *published =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    void *kept[64] = {0};

    for (uint64_t i = 0;; i++) {
        free(kept[i % 64]);
        S = kept[i % 64] = malloc(i % 1000);
        *published = i + 1;
    }
}
