// Type, number and size of calls that are written in a less usual way.
// RUN: %each-build --levels="-O0 -O2" --flags=-D_GNU_SOURCE --figures=--type %s %s
// RUN: %benchmem-cc -D_GNU_SOURCE -O2 %s -o a && BENCHMEM_OUTPUT=p.bmem ./a
// RUN: %report --format json p.bmem | \
// RUN:   grep -oE '"line": [0-9]+|"(size_expr|count)": (null|"[^"]*")' | \
// RUN:   paste -d' ' - - - | sort -n -k2 | %filecheck --check-prefix=SIZE
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};
struct text {
    size_t size;
    char data[];
};
#define NODE_SIZE sizeof(struct node)
#define MANY 100
#define NEW_ARRAY(T, n) ((T *)calloc((n), sizeof(T)))

void *volatile S;
volatile size_t n = 3;

int main(void)
{
    int table[4] = {0};
    S = malloc(sizeof(long) * n * 2);
    // CHECK: site {{.*}}:[[@LINE-1]] main malloc {{.*}} type=long
    // SIZE: "line": [[@LINE-2]] "size_expr": "sizeof(long) * n * 2" "count": "n * 2"
    S = malloc((n + 1) * sizeof(long));
    // CHECK-NEXT: site {{.*}}:[[@LINE-1]] main malloc {{.*}} type=long
    // SIZE-NEXT: "line": [[@LINE-2]] "size_expr": "(n + 1) * sizeof(long)" "count": "n + 1"
    S = malloc(sizeof(table) / sizeof(table[0]) * sizeof(struct node));
    // CHECK-NEXT: site {{.*}}:[[@LINE-1]] main malloc {{.*}} type=struct node
    // SIZE-NEXT: "line": [[@LINE-2]] {{.*}} "count": "sizeof(table) / sizeof(table[0])"
    S = malloc(sizeof(long) * n + 7);
    // CHECK-NEXT: site {{.*}}:[[@LINE-1]] main malloc {{.*}} type=long
    // SIZE-NEXT: "line": [[@LINE-2]] "size_expr": "sizeof(long) * n + 7" "count": null
    S = malloc(NODE_SIZE);
    // CHECK-NEXT: site {{.*}}:[[@LINE-1]] main malloc {{.*}} type=struct node
    // SIZE-NEXT: "line": [[@LINE-2]] "size_expr": "NODE_SIZE" "count": null
    S = malloc(MANY * sizeof(short));
    // CHECK-NEXT: site {{.*}}:[[@LINE-1]] main malloc {{.*}} type=short
    // SIZE-NEXT: "line": [[@LINE-2]] "size_expr": "MANY * sizeof(short)" "count": "MANY"
    S = NEW_ARRAY(struct node, n);
    // CHECK-NEXT: site {{.*}}:[[@LINE-1]] main calloc {{.*}} type=struct node
    // SIZE-NEXT: "line": [[@LINE-2]] "size_expr": "(n) * sizeof(struct node)" "count": "n"
    S = malloc(offsetof(struct text, data) + n);
    // CHECK-NEXT: site {{.*}}:[[@LINE-1]] main malloc {{.*}} type=struct text
    // SIZE-NEXT: "line": [[@LINE-2]] "size_expr": "offsetof(struct text, data) + n" "count": null
    struct node *p = (n++, malloc(32));
    // CHECK-NEXT: site {{.*}}:[[@LINE-1]] main malloc {{.*}} type=struct node
    // SIZE-NEXT: "line": [[@LINE-2]] "size_expr": "32" "count": null
    S = p;
    p = S = malloc(48);
    // CHECK-NEXT: site {{.*}}:[[@LINE-1]] main malloc {{.*}} type=struct node
    // SIZE-NEXT: "line": [[@LINE-2]] "size_expr": "48" "count": null
    char *line = NULL;
    int size = asprintf(&line, "%zu", n);
    // CHECK-NEXT: site {{.*}}:[[@LINE-1]] main stdio {{.*}} type=char
    // SIZE-NEXT: "line": [[@LINE-2]] "size_expr": null "count": null
    S = line;
    // CHECK-NOT: site
    return size < 0;
}
