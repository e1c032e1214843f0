// A program that runs out of memory and dies leaves what it had, marked incomplete; so does a profile that was cut.
// RUN: %benchmem-cc -O2 %s -o a && code=0; (ulimit -v 100000; BENCHMEM_OUTPUT=p.bmem bash -c ./a 2>/dev/null) || code=$?; test $code = 134
// RUN: %figures p.bmem >got && grep -qx 'end unknown incomplete' got || grep -qx 'end signal=6.*' got; grep -q 'failed=1$' got
// RUN: n=$(%report --format json p.bmem | %python -c "import json,sys; t = json.load(sys.stdin)['totals']; assert t['peak_bytes'] == t['allocated_bytes'] == t['live_bytes'] == 1000000 * t['allocations']; print(t['allocations'])"); test $n -ge 20 && test $n -le 100
// RUN: head -c 5000 p.bmem >damaged.bmem; %report damaged.bmem >out && grep -q '^totals' out && grep -q 'incomplete' out
#include <stdlib.h>

void *volatile S;

int main(void)
{
    for (;;) {
        S = malloc(1000000);
        if (!S)
            abort();
    }
}
