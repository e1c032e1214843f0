// A wrapper's block has the type that its caller makes of it, whatever is charged.
// RUN: echo 'typedef unsigned long size; void *malloc(size); void *far_alloc(size n) { void *p = malloc(n); if (!p) __builtin_trap(); return p; }' >far.c
// RUN: for level in -O0 -O2; do %benchmem-cc $level %s far.c -o a && rm -f p.bmem && BENCHMEM_OUTPUT=p.bmem ./a && %report --by type --format csv p.bmem | cut -d, -f1,2,4 | sort >types.csv && %report --by type --charge=caller --format csv p.bmem | cut -d, -f1,2,4 | sort | cmp - types.csv && %filecheck --input-file=types.csv || exit 1; done
// RUN: %report --charge=caller --format csv p.bmem | cut -d, -f3,8 | sort -n | %filecheck --check-prefix=SITES
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

void *volatile S;

static void *near_alloc(size_t n)
{
    void *p = malloc(n);
    if (!p)
        abort();
    return p;
}

void *far_alloc(size_t n);

static struct node *new_node(void)
{
    return near_alloc(16);
}

int main(void)
{
    double *number = near_alloc(8);
    // SITES: [[@LINE-1]],double
    S = number;
    number = near_alloc(3 * sizeof(double));
    // SITES-NEXT: [[@LINE-1]],double
    S = number;
    S = (long *)far_alloc(80);
    // SITES-NEXT: [[@LINE-1]],long
    S = far_alloc(2 * sizeof(short));
    // SITES-NEXT: [[@LINE-1]],short
    S = new_node();
    S = near_alloc(100);
    return 0;
}

// CHECK: ,1,100
// CHECK-NEXT: double,2,32
// CHECK-NEXT: long,1,80
// CHECK-NEXT: short,1,4
// CHECK-NEXT: struct node,1,16
// CHECK-NEXT: type,allocations,allocated_bytes
