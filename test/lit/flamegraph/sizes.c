// The histogram of sizes is of single blocks, also where one call asks for all of them: none, one byte, the largest.
// RUN: %benchmem-cc -O2 %s -o a && %benchmem-run -o p.bmem ./a && %flamegraph p.bmem --report stats >t.txt && %filecheck-part --input-file=t.txt
// RUN: %flamegraph p.bmem --report stats --format csv | %filecheck-part --check-prefix=CSV
// RUN: BENCHMEM_OUTPUT=live.bmem ./a && %flamegraph live.bmem --report stats --format csv | grep ^size >live.csv && %flamegraph p.bmem --report stats --format csv | grep ^size | cmp - live.csv
#include <stdlib.h>

void *volatile S;

int main(void)
{
    static const size_t sizes[] = {0, 1, 16, 16, (size_t)1 << 30};
    for (int round = 0; round < 2; round++) {
        for (unsigned i = 0; i < 5; i++) {
            S = malloc(sizes[i]);
            free(S);
        }
    }
    S = realloc(NULL, 24);
    S = realloc(S, 4000);
    return 0;
}

// CHECK: all every allocation 12
// CHECK-NEXT: size 0 B 2 16.7
// CHECK-NEXT: 1 B 2 16.7
// CHECK-NEXT: 16 B to below 32 B 5 41.7
// CHECK-NEXT: 2.0 KiB to below 4.0 KiB 1 8.3
// CHECK-NEXT: 1.0 GiB to below 2.0 GiB 2 16.7
// CHECK-NEXT: most bytes
// CSV: size,0 B,2,16.7,,,
