// A frame that was left by a jump stays in the path and is marked, with the line of its jump where there was but one way.
// RUN: %benchmem-cc -O2 %s -o a && %benchmem-run -o a.bmem ./a && %shapes a.bmem | %filecheck
// RUN: %benchmem-cc -O2 -fno-plt %s -o b && %benchmem-run -o b.bmem ./b && %shapes b.bmem | %filecheck
// RUN: %benchmem-cc -O2 -fPIC -shared -Dmain=start %s -o libc.so && echo 'int start(void); int main(void) { return start(); }' >c.c
// RUN: %benchmem-cc -O0 c.c -o c ./libc.so && %benchmem-run -o c.bmem ./c && %shapes c.bmem | sed 's/ main:1 start:/ main:/' | %filecheck
// RUN: %benchmem-cc -O0 %s -o d && %benchmem-run -o d.bmem ./d && %shapes d.bmem >d.txt && ! grep -q 'jump' d.txt
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))
void *volatile S;
volatile int V;

NOINLINE void *leaf(int n)
{
    S = malloc(n);
    V++;
    return S;
}

NOINLINE void *middle(int n)
{
    V++;
    return leaf(n + 1);
}

NOINLINE void *outer(int n)
{
    V++;
    return middle(n + 1);
}

NOINLINE void *either(int n)
{
    V++;
    if (n > 100)
        return middle(n);
    return outer(n);
}

NOINLINE void *odd(int n);
NOINLINE void *even(int n)
{
    V++;
    return n == 0 ? leaf(8192) : odd(n - 1);
}

NOINLINE void *odd(int n)
{
    V++;
    return n == 0 ? leaf(4096) : even(n - 1);
}

NOINLINE void *to_hook(int n)
{
    V++;
    return malloc(n);
}

NOINLINE void *before_hook(int n)
{
    V++;
    return to_hook(n);
}

NOINLINE static int compare(const void *a, const void *b)
{
    S = malloc(64);
    return *(const int *)a - *(const int *)b;
}

NOINLINE void sorts(int *numbers)
{
    V++;
    qsort(numbers, 2, sizeof(*numbers), compare);
}

void *(*volatile pointer)(int) = middle;
NOINLINE void *through_pointer(int n)
{
    V++;
    return pointer(n);
}

int main(void)
{
    int numbers[] = {2, 1};

    // An endless number of ways leads through even and odd: the line is open.
    S = even(4);
    // CHECK: 8192 main:[[@LINE-1]] even:0(jump) leaf:15
    S = outer(3000);
    // CHECK-NEXT: 3002 main:[[@LINE-1]] outer:29(jump) middle:23(jump) leaf:15
    S = before_hook(2000);
    // CHECK-NEXT: 2000 main:[[@LINE-1]] before_hook:62(jump) to_hook:56
    S = either(1000);
    // CHECK-NEXT: 1001 main:[[@LINE-1]] either:0(jump) leaf:15
    S = through_pointer(500);
    // CHECK-NEXT: 501 main:[[@LINE-1]] through_pointer:81(jump) leaf:15
    sorts(numbers);
    // CHECK-NEXT: 64 main:[[@LINE-1]] sorts:74(jump) [libc.so.6] compare:67
    return 0;
}
