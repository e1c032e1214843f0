// A call that the optimizer puts in the place of another keeps that one's column and type without columns in debug information, where its line has but one call.
// RUN: %benchmem-cc -O2 -gno-column-info %s -o a && BENCHMEM_OUTPUT=p.bmem ./a && %report --format json p.bmem -o p.json && %python -c "import json; print([(s['line'], s['column'], s['callee'], s['type']) for s in json.load(open('p.json'))['sites'] if s['kind'] != 'outside'])" | %filecheck
#include <stdlib.h>

struct node {
    long key;
};

void *volatile sink;

int main(void)
{
    struct node *node = realloc(NULL, 3 * sizeof(*node));

    sink = node;
    return !node;
}
// CHECK: [(13, 25, 'malloc', 'struct node')]
