// A table of exact figures; a benchmark that allocates nothing shows 0, 0 and 0, and every pass is in the profile.
// RUN: %benchmem-cc -O2 %s -o a && %benchmem-run --repeats 3 -o p.bmem ./a >out && has '^BENCHMARK  *PEAK  *ALLOCATED  *ALLOCATIONS  *PASSES$' <out
// RUN: has '^memory-table.c::bench_none  *0 B  *0 B  *0  *3$' <out && has '^memory-table.c::bench_fill\[n=10\]  *640 B  *640 B  *10  *3$' <out && has '^memory-table.c::bench_fill\[n=100\]  *6.3 KiB  *6.3 KiB  *100  *3$' <out
// RUN: %figures --passes p.bmem | %filecheck-part
// Exact figures for programs are all that there is on standard output; what the program prints goes elsewhere.
// RUN: %benchmem-run --repeats 2 --format csv ./a 2>err >out.csv && has -x 'memory-table.c::bench_fill\[n=100\],6400,6400,6400,6400,6400,6400,100,100,100,2' <out.csv && has -x 'set up' <err && test "$(has 'set up' <out.csv; echo $?)" = 1
// RUN: %benchmem-run --repeats 2 --format json ./a 2>err | %python -c 'import json,sys; d=json.load(sys.stdin); b={x["id"]:x for x in d["benchmarks"]}; assert [p["peak_bytes"] for p in b["memory-table.c::bench_fill[n=100]"]["passes"]] == [6400, 6400], d; assert "time_ns" not in b["memory-table.c::bench_none"]["passes"][0], d'
// RUN: %benchmem-run --repeats 2 --format md ./a 2>err | has '^| memory-table.c::bench.*none | 0 B | 0 B | 0 | 2 |$'
// RUN: %benchmem-run --columns leaked,peak --stat max,min --filter '*bench_f*100]' ./a | has '^BENCHMARK  *PEAK MIN  *PEAK MAX  *LEAKED MIN  *LEAKED MAX  *PASSES$'
#include <benchmem/benchmem.h>

static void *keep[100];

static void set_up(struct benchmem_case *c)
{
    (void)c;
    puts("set up");
}

static void bench_fill(struct benchmem_case *c)
{
    int64_t n = benchmem_int(c, "n");

    for (int64_t i = 0; i < n; i++)
        keep[i] = malloc(64);
    for (int64_t i = 0; i < n; i++)
        free(keep[i]);
}
BENCHMEM(bench_fill, .setup = set_up,
         .params = BENCHMEM_PARAMS(BENCHMEM_INTS("n", 10, 100)));

static void bench_none(struct benchmem_case *c)
{
    (void)c;
}
BENCHMEM(bench_none);

// CHECK: bench memory-table.c::bench_fill[n=10] passes=3 peak=640 allocated=640 allocations=10 retained=0
// CHECK-NEXT: pass 1 peak=640
// CHECK-NEXT: pass 2 peak=640
// CHECK-NEXT: pass 3 peak=640
// CHECK: bench memory-table.c::bench_none passes=3 peak=0 allocated=0 allocations=0 retained=0
