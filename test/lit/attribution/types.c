// A site knows the type that the source allocates: from sizeof, from a cast, from the variable.
// RUN: %each-build --levels="-O0 -O2" --figures=--type %s %s
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};
typedef struct node node_t;
struct table {
    double *cells;
};

void *volatile S;
volatile size_t n = 3;

int main(void)
{
    S = malloc(sizeof(struct node));
    // CHECK: site types.c:[[@LINE-1]] main malloc {{.*}} type=struct node
    struct node *one = malloc(n * sizeof(*one));
    // CHECK-NEXT: site types.c:[[@LINE-1]] main malloc {{.*}} type=struct node
    S = one;
    S = (int *)calloc(n, 4);
    // CHECK-NEXT: site types.c:[[@LINE-1]] main calloc {{.*}} type=int
    struct table table;
    table.cells = malloc(80);
    // CHECK-NEXT: site types.c:[[@LINE-1]] main malloc {{.*}} type=double
    S = table.cells;
    node_t *two = calloc(1, sizeof(node_t));
    // CHECK-NEXT: site types.c:[[@LINE-1]] main calloc {{.*}} type={{struct node|node_t}}
    S = two;
    S = malloc(12);
    // CHECK-NEXT: site types.c:[[@LINE-1]] main malloc {{.*}} type=None
    // CHECK-NOT: site
    return 0;
}
