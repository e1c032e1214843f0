/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * greedy PAGE: allocates and touches memory until someone stops it, and
 * publishes each call in the page as killed.c does, for kill.py.
 */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define BLOCK 100000

struct page {
    uint64_t pid, threads, unused[6];
    _Atomic uint64_t turn;
    uint64_t both[2][8]; /* done, then what the call under way adds */
};

void *volatile S;

int main(int argc, char **argv)
{
    int fd = argc == 2 ? open(argv[1], O_RDWR | O_CLOEXEC) : -1;
    struct page *page =
        mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    if (page == MAP_FAILED)
        return 2;
    page->threads = 1;
    for (uint64_t n = 0;; n++) {
        uint64_t turn = atomic_load(&page->turn) + 1;
        uint64_t next[8] = {n, 0, n * BLOCK, 0, 1, 0, BLOCK, 0};

        memcpy(page->both[turn % 2], next, sizeof(next));
        atomic_store(&page->turn, turn);
        S = malloc(BLOCK);
        if (!S)
            return 3;
        memset(S, 1, BLOCK);
    }
}
