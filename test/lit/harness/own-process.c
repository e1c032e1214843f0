// A benchmark in a process of its own cannot take the others with it, and its figures are the same.
// RUN: %benchmem-cc -O2 %s -o a; BENCHMEM_OUTPUT=%%p.bmem ./a >out 2>err; test $? = 1; %filecheck <out; %filecheck --check-prefix=ERR <err
// RUN: test $(ls *.bmem | wc -l) = 4; for p in *.bmem; do %figures $p >/dev/null || exit 1; done
// RUN: BENCHMEM_OUTPUT=q.bmem ./a --in-process --filter apart && %figures --passes q.bmem | has '^bench own-process.c::bench_apart passes=3 peak=30 allocated=30 allocations=1 retained=30'
#include <benchmem/benchmem.h>

static void bench_apart(struct benchmem_case *c)
{
    benchmem_keep(malloc(30));
    benchmem_keep(c);
}
BENCHMEM(bench_apart, .isolate = true);

static void bench_crash(struct benchmem_case *c)
{
    benchmem_keep(c);
    abort();
}
BENCHMEM(bench_crash, .isolate = true);

static void bench_exits(struct benchmem_case *c)
{
    benchmem_keep(c);
    exit(0);
}
BENCHMEM(bench_exits, .isolate = true);

static void bench_last(struct benchmem_case *c)
{
    benchmem_keep(c);
}
BENCHMEM(bench_last);
// CHECK:      benchmark {{.*}}
// CHECK-NEXT: own-process.c::bench_apart       3          30 B          30 B             1          30 B
// CHECK-NEXT: own-process.c::bench_crash       0  failed: its process was killed by signal 6: Aborted
// CHECK-NEXT: own-process.c::bench_exits       0  failed: its process ended with status 0
// CHECK-NEXT: own-process.c::bench_last        3           0 B           0 B             0           0 B
// ERR: a: own-process.c::bench_crash: its process was killed by signal 6: Aborted
// ERR: a: own-process.c::bench_exits: its process ended with status 0
