// Benchmarks in processes of their own are part of the run, a program built by any compiler is measured, and words that only ask pass through.
// RUN: %benchmem-cc -O2 %s -o a && %benchmem-run --repeats 2 -o p.bmem ./a >out && has '^harness-programs.c::bench_apart\[n=2\]  *2 B  *2 B  *1  *2$' <out && has '^harness-programs.c::bench_native  *4 B  *4 B  *1  *2$' <out && %check p.bmem
// They stand where they are declared, in each mode's table, whoever ran them.
// RUN: ./a --list >want && for m in memory time all; do %benchmem-run --mode $m --repeats 2 ./a >out && grep -o '^harness-programs.c::[^ ]*' out | uniq | diff want - || exit 1; done
// RUN: test "$(%benchmem-run ./a --list | wc -l)" = 5 && %benchmem-run ./a --help | has Usage
// RUN: %plain-cc -O2 -I%S/../../../include %s %rtdir/libbenchmem_main.a -o plain && %benchmem-run --mode all --repeats 2 --filter apart ./plain >out && has '^harness-programs.c::bench_apart\[n=3\] .* |  *3 B  *3 B  *1 ' <out
// Nothing measured is an error, not a table without rows.
// RUN: BENCHMEM_DISABLE=1 %benchmem-run --max peak:1 ./a 2>err >out; test $? = 2 && test ! -s out
// Where the harness stops before its first benchmark, its process is no row and held to no limit.
// RUN: %benchmem-run --filter nosuch --max peak:1 ./a 2>err >out; test $? = 2 && test ! -s out && has 'none of the' <err && not grep ceiling err
// Wrong values name the option and all that it takes.
// RUN: %benchmem-run --mode x ./a 2>err; test $? = 2 && has 'it is one of memory, time, rss, all$' <err
// RUN: %benchmem-run --slack=x ./a 2>err; test $? = 2 && has -- '--slack x: not a number' <err
// What cannot be written is an error, of the list too.
// RUN: %benchmem-run --filter thrice ./a 2>err >/dev/full; test $? = 2 && has 'cannot write standard output: No space left on device' err
// RUN: ./a --list 2>err >/dev/full; test $? = 2 && has 'a: cannot write standard output: No space left on device' err
// --help has the options of measuring under headings of their own.
// RUN: %benchmem-run --help >help && has '^ Measuring:$' help && has '^ Runs that are kept, and limits:$' help && has -- '--native\[=0|1\]  *Record' help
// --measure is the mode of a measured run; a column that no mode fills is wrong usage.
// RUN: %benchmem-run --measure=time --filter thrice ./a >out && has 'TIME MIN' out && not grep PEAK out
// RUN: %benchmem-run --measure=time --mode memory ./a 2>err; test $? = 2 && has -- '--measure goes with no --mode' err
// RUN: %benchmem-run --columns peak,rss ./a 2>err; test $? = 2 && has -- '--columns rss: it is not measured; --mode rss' err
// What a benchmark declares wins over the command line.
// RUN: %benchmem-run --repeats 2 --filter thrice ./a | has 'bench_thrice  *1 B  *1 B  *1  *3$'
#include <benchmem/benchmem.h>

static void take(size_t size)
{
    void *volatile block = malloc(size);

    free(block);
}

static void bench_apart(struct benchmem_case *c)
{
    take((size_t)benchmem_int(c, "n"));
}
BENCHMEM(bench_apart, .isolate = true,
         .params = BENCHMEM_PARAMS(BENCHMEM_RANGE("n", 1, 3, 1)));

static void bench_native(struct benchmem_case *c)
{
    char *volatile copy = strdup("abc");

    (void)c;
    free(copy);
}
BENCHMEM(bench_native, .native = true);

static void bench_thrice(struct benchmem_case *c)
{
    (void)c;
    take(1);
}
BENCHMEM(bench_thrice, .repeats = 3);
