// Programs end as they do, also for commands that were started with SIGCHLD ignored.
// RUN: %benchmem-cc -O2 %s -o a
// RUN: for mode in memory time rss; do env --ignore-signal=CHLD %benchmem-run --mode $mode -f -o p.json ./a; test $? = 7 || exit 1; done
// RUN: env --ignore-signal=CHLD %benchmem-run -f -o p.bmem ./a; test $? = 7 && %figures p.bmem | has 'allocations=1'
// RUN: %benchmem-cc -O2 -DHARNESS %s -o b && env --ignore-signal=CHLD ./b >out && has bench_apart out
// RUN: env --ignore-signal=CHLD %sites %s -- >sites && has children-that-nobody-hears.c:20 sites
#include <stdlib.h>
#ifdef HARNESS
#include <benchmem/benchmem.h>

static void bench_apart(struct benchmem_case *c)
{
    benchmem_keep(malloc(30));
    benchmem_keep(c);
}
BENCHMEM(bench_apart, .isolate = true);
#else
int main(void)
{
    void *volatile block = malloc(30);

    free(block);
    return 7;
}
#endif
