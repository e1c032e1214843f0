// A block that grows, shrinks or moves keeps the marks of the bytes that stay, and its age.
// RUN: %benchmem-cc -O2 --benchmem-access %s -o a && BENCHMEM_OUTPUT=p.bmem ./a
// RUN: %figures --access p.bmem | %filecheck
#include <stdlib.h>

char *volatile S;

static char *held(void *block)
{
    S = block;
    return S;
}

__attribute__((noinline)) static void set(char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((volatile char *)p)[i] = 1;
}

int main(void)
{
    // Grown to where the old place does not reach: moved.
    char *p = held(malloc(100));
    // CHECK: access {{.*}}:[[@LINE-1]] blocks=0 bytes=0 {{.*}}
    char *wall = held(malloc(100));
    // CHECK-NEXT: access {{.*}}:[[@LINE-1]] blocks=1 bytes=100 unseen=0 untouched=100 {{.*}}
    set(p, 60);
    int sum = S[0];
    p = held(realloc(p, 100000));
    // CHECK-NEXT: access {{.*}}:[[@LINE-1]] blocks=1 bytes=100000 unseen=0 untouched=99930 never_written=99930 never_read=70 {{.*}}
    set(p + 90, 10);
    free(p);
    free(wall);

    // Shrunk in its place: what is cut off is not judged.
    p = held(malloc(1000));
    // CHECK-NEXT: access {{.*}}:[[@LINE-1]] blocks=0 bytes=0 {{.*}}
    set(p, 500);
    p = held(realloc(p, 600));
    // CHECK-NEXT: access {{.*}}:[[@LINE-1]] blocks=1 bytes=600 unseen=0 untouched=100 never_written=100 never_read=500 {{.*}}
    free(p);

    // The next block at that place has nothing of what was cut off.
    p = held(malloc(1000));
    // CHECK-NEXT: access {{.*}}:[[@LINE-1]] blocks=1 bytes=1000 unseen=0 untouched=1000 {{.*}}
    free(p);

    // Large ones are moved by the kernel. What realloc asks for also passes time.
    p = held(malloc(1 << 20));
    // CHECK-NEXT: access {{.*}}:[[@LINE-1]] blocks=0 bytes=0 {{.*}}
    set(p + (1 << 19), 1000);
    p = held(realloc(p, 1 << 23));
    // CHECK-NEXT: access {{.*}}:[[@LINE-1]] blocks=1 bytes=8388608 unseen=0 untouched=8387608 never_written=8387608 never_read=1000 idle=8388608 reached=525288
    free(p);

    // Its age: used at once, then idle while twice its size is allocated.
    p = held(malloc(64));
    // CHECK-NEXT: access {{.*}}:[[@LINE-1]] blocks=0 bytes=0 {{.*}}
    set(p, 64);
    free(held(malloc(6400)));
    // CHECK-NEXT: access {{.*}}
    p = held(realloc(p, 128));
    // CHECK-NEXT: access {{.*}}:[[@LINE-1]] blocks=1 bytes=128 unseen=0 untouched=64 never_written=64 never_read=64 idle=128 {{.*}}
    free(p);
    return sum == 12345;
    // CHECK-NOT: access
}
