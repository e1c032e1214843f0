// What is allocated in a pause is in the totals and in no window; a pool's pieces are in neither, but under its name.
// RUN: %benchmem-cc -O2 %s -o a && BENCHMEM_OUTPUT=p.bmem ./a && %figures --passes p.bmem | %filecheck
// RUN: %report --format json p.bmem | %python -c "import json, sys; assert json.load(sys.stdin)['pools'] == [{'name': 'nodes', 'takes': 3, 'gives': 1, 'resets': 1, 'taken_bytes': 60, 'given_bytes': 60, 'live_bytes': 0, 'peak_bytes': 50}]"
#include <benchmem/benchmem.h>

static struct benchmem_pool nodes = BENCHMEM_POOL("nodes");
void *volatile S;

void bench_paused(void)
{
    void *before = malloc(100);
    benchmem_keep(before);
    benchmem_pause();
    S = malloc(1000);
    benchmem_pause();
    before = realloc(before, 300); /* grown in a pause: no more of the window */
    benchmem_keep(before);
    benchmem_resume();
    free(S);
    benchmem_resume();
    S = malloc(7);
    free(before);
}

void bench_pool(void)
{
    benchmem_pool_take(&nodes, 10);
    benchmem_pool_take(&nodes, 20);
    benchmem_pool_give(&nodes, 10);
    benchmem_pool_take(&nodes, 30);
    benchmem_pool_reset(&nodes);
}

int main(void)
{
    benchmem_pause();
    bench_paused(); /* opens no window */
    benchmem_resume();
    bench_paused();
    bench_pool();
}
// CHECK: totals allocations=8 frees=6 allocated=2814 freed=2800 peak={{[0-9]+}} live=14 blocks=2
// CHECK: bench pauses-and-pools.c::bench_paused passes=1 peak=100 allocated=107 allocations=2 retained=7
// CHECK: bench pauses-and-pools.c::bench_pool passes=1 peak=0 allocated=0 allocations=0 retained=0
