// Every combination of parameters is a benchmark; set-up, check and tear-down are outside its window; a failed check fails that one alone.
// RUN: %benchmem-cc -O2 %s -o a; BENCHMEM_OUTPUT=p.bmem ./a >out 2>err; test $? = 1
// RUN: %figures --passes p.bmem | grep '^bench ' | %filecheck
// RUN: %filecheck --check-prefix=OUT --strict-whitespace <out; %filecheck --check-prefix=ERR <err
// RUN: %report --format json p.bmem | %python -c "import json, sys; b = json.load(sys.stdin)['benchmarks']; assert b[0]['labels'] == {'fixed': 'x', 'seen': 2.5} and b[0]['group'] == 'g' and b[0]['suite'] == 's,t' and b[0]['calls'] == 3 and b[0]['max_allocations'] == 9, b[0]; assert [x.get('failures') for x in b] == [None, None, None, ['the check failed'], None], b"
#include <benchmem/benchmem.h>

static void prepare(struct benchmem_case *c)
{
    c->data = malloc(1000);
    benchmem_label_number(c, "seen", 2.5);
}

static void finish(struct benchmem_case *c)
{
    free(c->data);
}

static bool check(struct benchmem_case *c)
{
    benchmem_keep(malloc(77));
    return benchmem_int(c, "n") == 1 ||
           strcmp(benchmem_string(c, "kind"), "heap,2") != 0;
}

static void bench_grid(struct benchmem_case *c)
{
    void *p = malloc((size_t)benchmem_int(c, "n") * 10);
    benchmem_keep(p);
    free(p);
}
BENCHMEM(bench_grid,
         .params = BENCHMEM_PARAMS(BENCHMEM_INTS("n", 1, 2),
                                   BENCHMEM_STRINGS("kind", "tree", "heap,2")),
         .setup = prepare, .teardown = finish, .check = check, .calls = 3,
         .group = "g", .suite = "s,t", .max_allocations = 9,
         .labels = BENCHMEM_LABELS(BENCHMEM_TEXT("fixed", "x")));

static void bench_nothing(struct benchmem_case *c)
{
    benchmem_keep(c);
}
BENCHMEM(bench_nothing, .max_allocations = BENCHMEM_NOTHING, .repeats = 2);

// CHECK:      bench defines-benchmarks.c::bench_grid[n=1,kind=tree] passes=3 peak=10 allocated=30 allocations=3 retained=0
// CHECK-NEXT: bench defines-benchmarks.c::bench_grid[n=1,kind=heap\,2] passes=3 peak=10 allocated=30 allocations=3 retained=0
// CHECK-NEXT: bench defines-benchmarks.c::bench_grid[n=2,kind=tree] passes=3 peak=20 allocated=60 allocations=3 retained=0
// CHECK-NEXT: bench defines-benchmarks.c::bench_grid[n=2,kind=heap\,2] passes=1 peak=20 allocated=60 allocations=3 retained=0
// CHECK-NEXT: bench defines-benchmarks.c::bench_nothing passes=2 peak=0 allocated=0 allocations=0 retained=0

// OUT:     benchmark                                           passes          peak     allocated   allocations      retained
// OUT:{{^}}defines-benchmarks.c::bench_grid[n=1,kind=tree]          3          10 B          30 B             3           0 B{{$}}
// OUT:{{^}}defines-benchmarks.c::bench_grid[n=2,kind=heap\,2]       1  failed: the check failed{{$}}
// OUT:{{^}}defines-benchmarks.c::bench_nothing                      2           0 B           0 B             0           0 B{{$}}

// ERR: a: defines-benchmarks.c::bench_grid[n=2,kind=heap\,2]: the check failed
// ERR-NOT: {{.}}
