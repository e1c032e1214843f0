// Loads, stores, atomics, structures and vectors count by the bytes that they touch.
// RUN: %benchmem-cc -O1 --benchmem-access %s -o a && BENCHMEM_OUTPUT=p.bmem ./a
// RUN: %figures --access p.bmem | %filecheck
// RUN: %benchmem-cc -O0 --benchmem-access %s -o a && BENCHMEM_OUTPUT=p.bmem ./a
// RUN: %figures --access p.bmem | %filecheck
#include <stdlib.h>
#include <string.h>

char *volatile S;

static void *held(void *block)
{
    S = block;
    return S;
}

struct padded {
    char c;
    double d;
    short s;
};

struct large {
    char bytes[100];
};

typedef int vector __attribute__((vector_size(16), aligned(1)));

__attribute__((noinline)) int take(struct large by_value)
{
    return held(&by_value) != NULL;
}

int main(void)
{
    // 1 + 8 + 2 of 24 bytes: the rest is padding.
    volatile struct padded *p = held(malloc(sizeof(*p)));
    // CHECK: access {{.*}}:[[@LINE-1]] blocks=1 bytes=24 unseen=0 untouched=13 never_written=13 never_read=1 idle=0 reached=18
    p->c = 1;
    p->d = 2;
    p->s = 3;
    int sum = (int)p->d + p->s;
    free((void *)p);

    volatile long *n = held(malloc(3 * sizeof(*n)));
    // CHECK-NEXT: access {{.*}}:[[@LINE-1]] blocks=1 bytes=24 unseen=0 untouched=8 never_written=8 never_read=0 idle=0 reached=16
    long zero = 0;
    __atomic_fetch_add(&n[0], 1, __ATOMIC_RELAXED);
    sum += __atomic_compare_exchange_n(&n[1], &zero, 1, 0, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED);
    free((void *)n);

    // 16 bytes at once from each of 32 addresses, most of them in two cells.
    char *v = held(malloc(128));
    // CHECK-NEXT: access {{.*}}:[[@LINE-1]] blocks=1 bytes=128 unseen=0 untouched=81 never_written=81 never_read=47 idle=0 reached=50
    for (int i = 3; i < 35; i++)
        *(volatile vector *)(v + i) = (vector){i};
    free(v);

    // Given by value: the call copies it.
    struct large *l = held(malloc(sizeof(*l)));
    // CHECK-NEXT: access {{.*}}:[[@LINE-1]] blocks=1 bytes=100 unseen=0 untouched=0 never_written=0 never_read=0 idle=0 reached=100
    memset(l, 1, sizeof(*l));
    sum += take(*(struct large *)held(l));
    free(l);

    // Variables and globals are no heap, whatever the address.
    static char global[100];
    char local[100];
    memset(held(global), 1, 100);
    memset(held(local), 1, 100);
    return sum == 12345;
    // CHECK-NOT: access
}
