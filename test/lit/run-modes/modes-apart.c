// Memory is taken first and time in a further run without recording; nothing measured in one mode is shown as another.
// RUN: %benchmem-cc -O2 %s -o a && %benchmem-run --mode time,memory --repeats 3 ./a >out && has '^BENCHMARK  *TIME MIN  *TIME MEAN  *TIME MAX  *|  *PEAK  *ALLOCATED  *ALLOCATIONS$' <out && has '^modes-apart.c::bench_one .*s  *|  *1000 B  *1000 B  *1$' <out
// RUN: test "$(grep -o 'measured [a-z]*' out | uniq | tr '\n' ' ')" = 'measured memory measured time '
// RUN: %benchmem-run --mode time --repeats 3 ./a | test "$(has 'PEAK\|RSS'; echo $?)" = 1
// RUN: %benchmem-run --mode all --repeats 2 --format json ./a 2>err | %python %S/../inputs/apart.py
// Time has one warm-up, memory none; what is asked for wins.
// RUN: %benchmem-run --mode time --repeats 3 ./a | grep -c 'measured time' | has -x 4 && %benchmem-run --repeats 3 ./a | grep -c 'measured memory' | has -x 3 && %benchmem-run --warmup 2 --repeats 3 ./a | grep -c 'measured memory' | has -x 5
// As many passes as it takes: two that set no new minimum are enough.
// RUN: %benchmem-run ./a | grep -c 'measured memory' | has -x 3
#include <benchmem/benchmem.h>

static void say(struct benchmem_case *c)
{
    const char *options = getenv("BENCHMEM_OPTIONS");

    (void)c;
    printf("measured %s\n",
           options && strstr(options, "time")  ? "time"
           : options && strstr(options, "rss") ? "rss"
                                               : "memory");
    fflush(stdout);
}

static void bench_one(struct benchmem_case *c)
{
    void *volatile block = malloc(1000);

    (void)c;
    free(block);
}
BENCHMEM(bench_one, .setup = say);
