// Limits: against a saved run, as a largest value of the worst pass, and as an exponent; exit 1 with benchmark, figure, limit and sites.
// RUN: %benchmem-cc -O2 %s -o a && %benchmem-cc -O2 -DGREW %s -o grew && %benchmem-run -q --repeats 2 --save base ./a && test -e .benchmem/base.json && %check .benchmem/base.bmem
// RUN: %benchmem-run -q --repeats 2 --compare base --fail-on peak:0 ./a
// RUN: %benchmem-run --repeats 2 --compare base --fail-on peak:10%% --profile bad ./grew >out 2>err; test $? = 1 && has 'limits.c::bench_list\[n=20\]: peak grew from 1.3 KiB to 2.5 KiB' <err && test "$(has 'bench_flat' <err; echo $?)" = 1
// Profiles are kept of those alone that are beyond the limit, and what looks at each is printed.
// RUN: test $(ls bad | wc -l) = 2 && has -F "benchmem-flamegraph 'bad/limits.c::bench_list[n=10].bmem'" <out && %figures 'bad/limits.c::bench_list[n=20].bmem' | has '^bench limits.c::bench_list\[n=20\] passes=2 peak=2560' && test "$(%figures 'bad/limits.c::bench_list[n=20].bmem' | grep -c '^bench ')" = 1
// RUN: has '^peak  *1.3 KiB  *2.5 KiB  *+100.0 %%  *limits.c::bench_list\[n=20\]$' <out
// RUN: %benchmem-run --repeats 2 --profile bad ./a 2>err; test $? = 2 && has 'holds profiles; -f' <err
// RUN: %benchmem-run -q --repeats 2 --profile all/ ./a && test $(ls all | wc -l) = 3
// --compare alone takes the run saved last, before this one is saved; a saved run is not replaced.
// RUN: %benchmem-run -q --repeats 2 --compare --fail-on peak:0 --save second ./grew; test $? = 1 && test "$(cat .benchmem/last)" = second && %benchmem-run -q --repeats 2 --compare --fail-on peak:0 ./grew
// RUN: %benchmem-run -q --save base ./a 2>err; test $? = 2 && has 'base.json: it exists' <err
// A base that is not there passes with a message, or is an error.
// RUN: %benchmem-run --repeats 2 --compare nowhere --fail-on peak:0 ./a >out 2>err && has 'no baseline nowhere: nothing is compared' <err && %benchmem-run -q --repeats 2 --compare nowhere --require-baseline ./a 2>err >out; test $? = 2 && has 'no baseline nowhere' <err && test ! -s out
// Largest values.
// RUN: %benchmem-run -q --repeats 2 --max peak:1KiB ./a 2>err; test $? = 1 && has 'limits.c::bench_list\[n=20\]: peak 1.3 KiB is above the ceiling of 1.0 KiB; most is at' <err && has 'limits.c:[0-9]* bench_list: 1.3 KiB, 100.0 %%' <err && test "$(has 'n=10\]' <err; echo $?)" = 1
// RUN: %benchmem-run -q --repeats 2 --max rss:1MiB ./a 2>err; test $? = 2 && has 'rss was not measured' <err
// Exponents.
// RUN: %benchmem-run -q --repeats 2 --fail-on growth:1.2 ./a 2>err; test $? = 2 && has '3 values' <err
// RUN: %benchmem-cc -O2 -DSQUARE %s -o square && %benchmem-run --repeats 2 --fail-on growth:1.2 ./square >out 2>err; test $? = 1 && has 'limits.c::bench_square: peak grows as n^2.00 ± 0.00, limit n^1.2' <err && has '^n^2.00 ± 0.00  *100 B  *1.6 KiB  *limits.c::bench_square$' <out && has '^n^2.00 ± 0.00 .* limits.c:[0-9]* bench_square$' <out
// RUN: %benchmem-run -q --repeats 2 --fail-on growth:2 ./square
// RUN: %benchmem-run --repeats 2 --format json ./square 2>err | %python -c 'import json,sys; g=json.load(sys.stdin)["growth"]; assert [(x["site"] is None, x["metric"], round(x["exponent"], 6), round(x["error"], 6), x["values"]) for x in g] == [(True, "peak", 2, 0, 3), (False, "peak", 2, 0, 3)], g'
// What does not go together.
// RUN: %benchmem-run --fail-on peak:0 ./a 2>err; test $? = 2 && has -- '--compare BASE' <err && %benchmem-run --max peak:1Q ./a 2>err; test $? = 2 && has -- '--max peak:1Q' <err
#include <benchmem/benchmem.h>

#ifdef SQUARE

static void bench_square(struct benchmem_case *c)
{
    size_t n = (size_t)benchmem_int(c, "n");
    void *volatile block = malloc(n * n);

    free(block);
}
BENCHMEM(bench_square, .params = BENCHMEM_PARAMS(BENCHMEM_POWERS("n", 10, 2, 3)));

#else

#ifdef GREW
#define SIZE 128
#else
#define SIZE 64
#endif

static void *keep[20];

static void bench_list(struct benchmem_case *c)
{
    int64_t n = benchmem_int(c, "n");

    for (int64_t i = 0; i < n; i++)
        keep[i] = malloc(SIZE);
    for (int64_t i = 0; i < n; i++)
        free(keep[i]);
}
BENCHMEM(bench_list, .params = BENCHMEM_PARAMS(BENCHMEM_INTS("n", 10, 20)));

static void bench_flat(struct benchmem_case *c)
{
    void *volatile block = malloc(100);

    (void)c;
    free(block);
}
BENCHMEM(bench_flat);

#endif
