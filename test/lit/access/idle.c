// A block is idle if it was last used in the first half of its life, and before as many bytes as it has were allocated.
// RUN: %benchmem-cc -O2 --benchmem-access %s -o a && BENCHMEM_OUTPUT=p.bmem ./a
// RUN: %figures --access p.bmem | %filecheck
#include <stdlib.h>
#include <string.h>

char *volatile S;

static char *held(void *block)
{
    S = block;
    return S;
}

static void pass_time(size_t bytes)
{
    free(held(malloc(bytes)));
    // CHECK: access {{.*}}:[[@LINE-1]] {{.*}} idle=0 {{.*}}
}

int main(void)
{
    // Used at once and then not for the rest of a long life.
    char *p = held(malloc(6400));
    // CHECK-NEXT: access {{.*}}:[[@LINE-1]] {{.*}} idle=6400 {{.*}}
    memset(p, 1, 6400);
    pass_time(64000);
    free(p);

    // Used in the middle, read only: 60 % of its life is behind it.
    p = held(malloc(6400));
    // CHECK-NEXT: access {{.*}}:[[@LINE-1]] {{.*}} idle=0 {{.*}}
    pass_time(38400);
    int sum = *(volatile char *)p;
    pass_time(25600);
    free(p);

    // The same the other way round.
    p = held(malloc(6400));
    // CHECK-NEXT: access {{.*}}:[[@LINE-1]] {{.*}} idle=6400 {{.*}}
    pass_time(25600);
    sum += *(volatile char *)p;
    pass_time(38400);
    free(p);

    // Less was allocated after its use than it has itself.
    p = held(malloc(64000));
    // CHECK-NEXT: access {{.*}}:[[@LINE-1]] {{.*}} idle=0 {{.*}}
    memset(p, 1, 64000);
    pass_time(6400);
    free(p);

    // Never used at all.
    p = held(malloc(640));
    // CHECK-NEXT: access {{.*}}:[[@LINE-1]] {{.*}} idle=640 reached=0
    pass_time(640);
    free(p);
    return sum == 12345;
    // CHECK-NOT: access
}
