// A block at the bottom of a recursion 5,000 deep has a path of every frame, in every output.
// RUN: %benchmem-cc -O2 %s -o a && BENCHMEM_OUTPUT=p.bmem ./a && %figures p.bmem | %filecheck
// RUN: %report --by path --format json p.bmem | %python -c "import json,sys; p = json.load(sys.stdin)['paths']; assert len(p) == 1 and p[0]['live_bytes'] == 77; f = p[0]['frames']; assert [x['function'] for x in f] == ['main'] + ['down'] * 5001; assert [x['line'] for x in f] == [26] + [19] * 5000 + [15]"
// RUN: %flamegraph p.bmem -o p.svg && %flamegraph p.bmem --report tree --depth 0 | has 'a*down'
#include <stdlib.h>

void *volatile S;
volatile int after;

__attribute__((noinline)) int down(int n)
{
    if (n == 0) {
        // CHECK: totals allocations=1 frees=0 allocated=77 freed=0 peak=77 live=77 blocks=1
        // CHECK-NEXT: end status=0
        S = malloc(77);
        // CHECK-NEXT: site deep-recursion.c:[[@LINE-1]] down malloc allocations=1 frees=0 allocated=77 peak=77 at_peak=77 live=77
        return 0;
    }
    int below = down(n - 1);
    after++; // so that the call is no jump
    return below + 1;
}
int main(void)
{
    // the outermost frame is at the line of its call
    return down(5000) != 5000;
}
