// A program that replaces itself keeps what it had counted, and the new program has its own profile.
// RUN: %benchmem-cc -O2 %s -o a && mkdir d && BENCHMEM_OUTPUT=d/p.bmem ./a && ls d | wc -l | has -x 2
// RUN: for p in d/*; do %figures $p; done | LC_ALL=C sort | %filecheck
#include <stdlib.h>
#include <unistd.h>

void *volatile S;

int main(int argc, char **argv)
{
    if (argc > 1) {
        S = malloc(20);
        return 0;
    }
    S = malloc(10);
    execl(argv[0], argv[0], "again", (char *)NULL);
    return 1;
}
// CHECK: end exec
// CHECK-NEXT: end status=0
// CHECK-NEXT: site exec.c:12 main malloc allocations=1 frees=0 allocated=20 {{.*}}
// CHECK-NEXT: site exec.c:15 main malloc allocations=1 frees=0 allocated=10 {{.*}}
