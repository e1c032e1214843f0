// Of calloc(1 << 20) the program uses 4 KiB, and of others as much as is written here.
// RUN: %benchmem-cc -O2 --benchmem-access %s -o a && BENCHMEM_OUTPUT=p.bmem ./a
// RUN: %figures --access p.bmem | %filecheck
// RUN: %benchmem-cc -O0 --benchmem-access %s -o a && BENCHMEM_OUTPUT=p0.bmem ./a
// RUN: %figures --access p0.bmem | %filecheck
#include <stdlib.h>

// An address that the optimizer cannot follow.
char *volatile S;

static char *held(void *block)
{
    S = block;
    return S;
}

__attribute__((noinline)) static void write_to(char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        p[i] = (char)i;
}

__attribute__((noinline)) static int read_from(const char *p, size_t n)
{
    int sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += p[i];
    return sum;
}

int main(void)
{
    char *p = held(calloc(1 << 20, 1));
    // CHECK: access {{.*}}.c:[[@LINE-1]] blocks=1 bytes=1048576 unseen=0 untouched=1044480 never_written=1044480 never_read=0 idle=0 reached=4096
    write_to(p, 4096);
    int sum = read_from(p, 4096);
    free(p);

    p = held(malloc(1000));
    // CHECK-NEXT: access {{.*}}.c:[[@LINE-1]] blocks=1 bytes=1000 unseen=0 untouched=0 never_written=0 never_read=1000 idle=0 reached=1000
    write_to(p, 1000);
    free(p);

    // The middle alone.
    p = held(malloc(1000));
    // CHECK-NEXT: access {{.*}}.c:[[@LINE-1]] blocks=1 bytes=1000 unseen=0 untouched=990 never_written=990 never_read=3 idle=0 reached=511
    write_to(p + 501, 10);
    sum += read_from(p + 504, 7);
    free(p);

    // Zeros of calloc are read, and were not written by the program.
    p = held(calloc(100, 1));
    // CHECK-NEXT: access {{.*}}.c:[[@LINE-1]] blocks=1 bytes=100 unseen=0 untouched=40 never_written=100 never_read=0 idle=0 reached=60
    sum += read_from(p, 60);
    free(p);

    // Live at exit counts as well; 128 bytes are allocated after its last use.
    for (int i = 0; i < 3; i++)
        write_to(held(malloc(10)), 5);
    // CHECK-NEXT: access {{.*}}.c:[[@LINE-1]] blocks=3 bytes=30 unseen=0 untouched=15 never_written=15 never_read=15 idle=30 reached=15

    // One that is used again has nothing of the block before.
    write_to(p = held(malloc(64)), 64);
    // CHECK-NEXT: access {{.*}}.c:[[@LINE-1]] blocks=1 bytes=64 unseen=0 untouched=0 never_written=0 never_read=64 {{.*}}
    free(p);
    free(held(malloc(64)));
    // CHECK-NEXT: access {{.*}}.c:[[@LINE-1]] blocks=1 bytes=64 unseen=0 untouched=64 never_written=64 never_read=0 {{.*}}
    return sum == 12345;
    // CHECK-NOT: access
}
