// Where one process ran several benchmarks, their resident peaks are marked as shared; unknown names list what there is.
// RUN: %benchmem-cc -O2 %s -o a && %benchmem-run --mode rss --repeats 2 -o r.json ./a >out && has '^BENCHMARK .* PROCESS$' <out && has '^shared-process.c::bench_small  .*  shared$' <out
// RUN: %python -c 'import json; e=json.load(open("r.json"))["measurements"]; assert len(e) == 4 and all(m["shared_process"] and 0 < m["setup_peak_rss_bytes"] <= m["peak_rss_bytes"] for m in e), e'
// RUN: %benchmem-run --mode rss --workload bench_gone ./a 2>err; test $? = 2 && has 'no workload bench_gone; there are:' <err && has -x '  shared-process.c::bench_large' <err
// RUN: %benchmem-run --mode rss --suite night ./a 2>err; test $? = 2 && has 'no suite night; there is none' <err
// RUN: %benchmem-run --filter nothing ./a 2>err; test $? = 2 && has 'there are:' <err
// RUN: %benchmem-run --repeats 2 --filter small ./a >out && has bench_small <out && test "$(has bench_large <out; echo $?)" = 1
// Of a program with the header's main, that says it, before anything runs.
// RUN: %benchmem-cc -O2 -DHEADER %s -o h && %benchmem-run --mode rss --suite night ./h 2>err; test $? = 2 && has 'no suite night' <err && has -x '  standard' <err
// RUN: %benchmem-run --mode rss --workload x ./h 2>err >out; test $? = 2 && has 'no workload x' <err && has 'shared-process.c::bench_one' <err && test "$(has ran <out; echo $?)" = 1
#include <benchmem/benchmem.h>

#ifdef HEADER

static void bench_one(struct benchmem_case *c)
{
    (void)c;
    puts("ran");
}
BENCHMEM(bench_one, .suite = "standard");

#else

static void touch(size_t size)
{
    char *volatile block = malloc(size);

    memset(block, 1, size);
    free(block);
}

__attribute__((noinline)) void bench_large(void)
{
    touch((size_t)8 << 20);
}

__attribute__((noinline)) void bench_small(void)
{
    touch(4096);
}

int main(void)
{
    bench_large();
    bench_small();
    return 0;
}

#endif
