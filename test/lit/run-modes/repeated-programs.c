// Without the header's main a repetition is a run: one profile with the passes of all, the process being the first of them.
// RUN: %benchmem-cc -O2 %s -o a && %benchmem-run --repeats 3 -o p.bmem ./a >out && has '^repeated-programs.c::bench_x\[n=7\]  *7 B  *7 B  *1  *6$' <out
// RUN: %check p.bmem && %report --format json p.bmem | %python -c 'import json,sys; d=json.load(sys.stdin); assert d["totals"]["allocations"] == 3 and [r["allocations"] for r in d["runs"]] == [3, 3, 3] and [len(b["passes"]) for b in d["benchmarks"]] == [6], d'
// RUN: %report p.bmem | has '^Runs, of which the first stands for the process$'
// A program without any benchmark is measured as a whole.
// RUN: %benchmem-cc -O2 -DNONE %s -o none && %benchmem-run --repeats 2 --mode memory,time ./none >out && has '^none .*s  *|  *12 B  *12 B  *1$' <out
// Output: -o wins over the variable, which means the same; both have one profile of all.
// RUN: BENCHMEM_OUTPUT=v.%%e.bmem %benchmem-run -q --repeats 2 ./a && %report --format json v.a.bmem | has '"runs"'
// RUN: BENCHMEM_OUTPUT=w.bmem %benchmem-run -q --repeats 2 -o o.bmem ./a && test -e o.bmem && test ! -e w.bmem
// RUN: mkdir d && (cd d && %benchmem-run -q --repeats 2 ../a && test $(ls .benchmem/*.bmem | wc -l) = 1)
// Warm-up runs leave nothing; a time budget makes at least two runs.
// RUN: rm -f ran && %benchmem-run -q --mode time --repeats 2 --warmup 3 ./a && test $(wc -l <ran) = 5
// RUN: rm -f ran && %benchmem-run -q --max-time 0.0001 ./a && test $(wc -l <ran) = 2
// Exactly one run where nothing else is asked, and nothing printed.
// RUN: rm -f ran && %benchmem-run ./a >out 2>&1 && test ! -s out && test $(wc -l <ran) = 1
#include <stdlib.h>

void *volatile S;

#ifndef NONE
__attribute__((noinline)) void bench_x(int n)
{
    S = malloc((size_t)n);
    free(S);
}
#endif

int main(void)
{
#ifndef NONE
    bench_x(7);
    bench_x(7);
#endif
    S = malloc(12);
    free(S);
    return system("echo >>ran") != 0;
}
