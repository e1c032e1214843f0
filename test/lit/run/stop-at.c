// A run stops at the allocation that sets the peak, or at the Nth, as counted by hand; one that never comes there says so.
// RUN: ulimit -c 0; %benchmem-cc -O1 %s -o a && %benchmem-run --stop-at peak ./a 2>err; test $? = 2 && has 'no run of ./a in .benchmem' <err && test $(wc -l <err) = 1
// RUN: ulimit -c 0; ./a && %benchmem-run -o stopped.bmem --stop-at peak ./a 2>err </dev/null; test $? = 133 && has '^benchmem: stopped at allocation 11, with 2500 bytes live$' <err
// RUN: %figures stopped.bmem | has 'totals allocations=11 frees=5 .*peak=2500 live=2500'
// RUN: ulimit -c 0; for n in 1 100 10 1000 11 2500 12 700 16 1500; do if test -z "$at"; then at=$n; continue; fi; %benchmem-run -f -o n.bmem --stop-at allocation:$at ./a 2>err; test $? = 133 && has "stopped at allocation $at, with $n bytes live" <err || exit 1; at=; done
// RUN: %benchmem-run -f -o n.bmem --stop-at allocation:17 ./a 2>err && has './a ended without being stopped' <err
// RUN: %benchmem-run -f -o n.bmem --stop-at peak ./a less 2>err && has './a ended without being stopped' <err
// RUN: ulimit -c 0; %benchmem-run -f -o n.bmem --stop-at peak:$(echo .benchmem/a.*.bmem) ./a more and 2>err; test $? = 133 && has 'stopped at allocation 11, with 2600 bytes live: this run differs, no allocation led to 2500$' <err
// RUN: for w in peak: site: nowhere allocation: allocation:0 allocation:1x; do %benchmem-run --stop-at $w ./a 2>err; test $? = 2 && has 'it is peak, peak:BENCH, peak:PROFILE, site:FILE:LINE or allocation:N' <err || exit 1; done
// RUN: %benchmem-run --stop-at peak:none.bmem ./a 2>err; test $? = 2 && has 'cannot read none.bmem' <err
// RUN: %benchmem-run --stop-at peak:stopped.bmem ./a 2>err; test $? = 2 && has 'stopped.bmem tells of no peak' <err
// RUN: %benchmem-run --stop-at peak --repeats 3 ./a 2>err; test $? = 2 && has 'no option that measures' <err
// RUN: %if gdb %{ %python %inputs/in_gdb.py %benchmem-run --stop-at peak ./a >out; has 'SIGTRAP' <out && has 'top *()' <out %}
#include <stdlib.h>

static void *volatile sink;

__attribute__((noinline)) void *take(size_t size)
{
    void *block = malloc(size);

    sink = block;
    return block;
}

__attribute__((noinline)) void *top(size_t size)
{
    void *block = take(size);

    sink = NULL;
    return block;
}

int main(int argc, char **argv)
{
    static const size_t sizes[] = {0, 2000, 100, 2100};
    void *blocks[10];

    for (int i = 0; i < 10; i++)
        blocks[i] = take(100); /* 1 to 10: 1000 bytes */
    for (int i = 0; i < 5; i++)
        free(blocks[i]);             /* 500 bytes */
    free(top(sizes[argc]));          /* 11: 2500 bytes, the peak */
    for (int i = 0; i < 5; i++)
        blocks[i] = take(200); /* 12 to 16: 1500 bytes */
    for (int i = 0; i < 10; i++)
        free(blocks[i]);
    return !argv[0];
}
