// Blocks are libc's own: usable size and alignment stay, and plain code may free them.
// RUN: %split
// RUN: %plain-cc -c plain.c -o plain.o && %benchmem-cc -O2 main.c plain.o -o a
// RUN: BENCHMEM_OUTPUT=p.bmem ./a >with.txt && %figures p.bmem | %filecheck
// RUN: %clang -O2 main.c plain.o -o b && ./b >without.txt && cmp with.txt without.txt

//--- plain.c
#include <stdlib.h>
void drop(void *block) { free(block); }
//--- main.c
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void drop(void *block);
void *volatile S;

int main(void)
{
    for (size_t size = 0; size < 300; size += 7) {
        S = malloc(size);
        size_t room = malloc_usable_size(S);
        unsigned char word[2] = {(unsigned char)room, (uintptr_t)S % 16 == 0};
        memset(S, 1, room);
        if (write(1, word, 2) != 2)
            return 1;
        drop(S);
    }
    return 0;
}
// 43 blocks of 0, 7, ... 294 bytes, one at a time.
// CHECK: totals allocations=43 frees=43 allocated=6321 freed=6321 peak=294 live=0 blocks=0
// CHECK-NEXT: end status=0
// CHECK-NEXT: site main.c:{{[0-9]+}} main malloc allocations=43 frees=43 allocated=6321 peak=294 at_peak=294 live=0
