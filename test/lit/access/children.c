// A forked child judges the blocks that it makes, not those that it was born with; the parent judges its own.
// RUN: %benchmem-cc -O2 --benchmem-access %s -o a && BENCHMEM_OUTPUT=%%p.bmem ./a
// RUN: %bindir/benchmem-merge -o m.bmem [0-9]*.bmem && %figures --access m.bmem | %filecheck
// RUN: %report --worst untouched m.bmem | has '990 B'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

char *volatile S;

static volatile char *held(void *block)
{
    S = block;
    return S;
}

int main(void)
{
    volatile char *p = held(malloc(100));
    // CHECK: access {{.*}}:[[@LINE-1]] blocks=1 bytes=100 unseen=0 untouched=98 {{.*}}
    p[0] = 1;
    if (fork() == 0) {
        p[5] = 1;
        free((void *)p);
        p = held(malloc(1000));
        // CHECK-NEXT: access {{.*}}:[[@LINE-1]] blocks=1 bytes=1000 unseen=0 untouched=990 {{.*}}
        for (int i = 0; i < 10; i++)
            p[i] = 1;
        _exit(0);
    }
    wait(NULL);
    p[99] = 1;
    return 0;
    // CHECK-NOT: access
}
