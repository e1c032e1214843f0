// Benchmark functions are known by their name: the default pattern, what it leaves out, and the option.
// RUN: %benchmem-cc -O2 %s -o a && BENCHMEM_OUTPUT=a.bmem ./a && %figures a.bmem | %filecheck
// RUN: %benchmem-cc -O2 --benchmem-benchmark='measure_*' --benchmem-benchmark='!measure_not' %s -o b
// RUN: BENCHMEM_OUTPUT=b.bmem ./b && %figures b.bmem | %filecheck --check-prefix=GLOB
#include <stdlib.h>

void *volatile S;

#define BODY                                                                   \
    {                                                                          \
        S = malloc(8);                                                         \
        free(S);                                                               \
    }

void bench_one(void) BODY
void benchmark_two(void) BODY
void BM_three(void) BODY
static void bench_static(void) BODY
void bench_one_setup(void) BODY
void bench_one_teardown(void) BODY
void bench_one_init(void) BODY
void bench_one_free(void) BODY
void bench_main(void) BODY
void workbench_four(void) BODY
void measure_five(void) BODY
void measure_not(void) BODY

int main(void)
{
    bench_one_setup();
    bench_one_init();
    bench_one();
    benchmark_two();
    BM_three();
    bench_static();
    bench_one_teardown();
    bench_one_free();
    bench_main();
    workbench_four();
    measure_five();
    measure_not();
    return 0;
}
// CHECK-NOT: bench which-functions.c::{{.*(setup|teardown|init|free|main|four|five|not)}} {{.*}}
// CHECK-DAG: bench which-functions.c::BM_three passes=1 peak=8 {{.*}}
// CHECK-DAG: bench which-functions.c::bench_one passes=1 peak=8 {{.*}}
// CHECK-DAG: bench which-functions.c::bench_static passes=1 peak=8 {{.*}}
// CHECK-DAG: bench which-functions.c::benchmark_two passes=1 peak=8 {{.*}}
// CHECK-NOT: bench which-functions.c::{{.*(setup|teardown|init|free|main|four|five|not)}} {{.*}}
// GLOB-NOT: measure_not passes
// GLOB: bench which-functions.c::measure_five passes=1 peak=8 {{.*}}
// GLOB-NOT: measure_not passes
