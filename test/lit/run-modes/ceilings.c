// A ceiling that a benchmark declares reads the worst pass, wins over the command line, and names three sites.
// RUN: %benchmem-cc -O2 %s -o a && %benchmem-run -q --repeats 3 --max peak:100MiB ./a 2>err; test $? = 1
// RUN: has 'ceilings.c::bench_over: peak 2.9 KiB is above the ceiling of 2.0 KiB; most is at' <err && grep -A3 bench_over: err | has ' [^ ]*ceilings.c:19 bench_over: 1.5 KiB, 50.0 %%$' && test $(grep -c 'ceilings.c:[0-9]* bench_over: ' err) = 3
// RUN: has 'ceilings.c::bench_once: allocations 1 is above the ceiling of 0' <err && test "$(has ::bench_under <err; echo $?)" = 1
// A failed program wins over any limit, with one line that says so.
// RUN: %benchmem-run -q --max peak:1 -- ./a --no-such-option 2>err; test $? = 2 && has './a failed with status 2' <err
// RUN: %benchmem-cc -O2 -DFAILS %s -o fails && %benchmem-run --max peak:1 --save x ./fails >out 2>err; test $? = 1 && has './fails failed with status 1, which counts more than any limit' <err && has 'not saved as x' <err && test ! -e .benchmem/x.json && has bench_good <out
// RUN: %benchmem-cc -O2 -DDIES %s -o dies && %benchmem-run -q --repeats 2 ./dies 2>err; test $? = 134 && has 'killed by signal 6' <err
#include <benchmem/benchmem.h>

static int pass;

static void bench_over(struct benchmem_case *c)
{
    void *volatile a = malloc(500), *volatile b = malloc(400);
    void *volatile d = malloc(600);

    (void)c;
    void *volatile e = malloc(pass++ == 1 ? 1500 : 100);
    free(a);
    free(b);
    free(d);
    free(e);
#ifdef DIES
    abort();
#endif
}
BENCHMEM(bench_over, .max_peak = 2048);

static void bench_under(struct benchmem_case *c)
{
    void *volatile block = malloc(2048);

    (void)c;
    free(block);
}
BENCHMEM(bench_under, .max_peak = 2048);

static void bench_once(struct benchmem_case *c)
{
    bench_under(c);
}
BENCHMEM(bench_once, .max_allocations = BENCHMEM_NOTHING);

#ifdef FAILS
static bool is_wrong(struct benchmem_case *c)
{
    (void)c;
    return false;
}

static void bench_good(struct benchmem_case *c)
{
    bench_under(c);
}
BENCHMEM(bench_good, .check = is_wrong);
#endif
