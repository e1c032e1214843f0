// Scalar arguments are the benchmark's parameters, by name and value; each set is a benchmark of its own.
// RUN: for o in -O0 -O2; do %benchmem-cc $o %s -o a$o && BENCHMEM_OUTPUT=p$o.bmem ./a$o && %figures p$o.bmem | %filecheck || exit 1; done
// RUN: %report --format json p-O2.bmem | %filecheck-part --check-prefix=JSON
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

void *volatile S;
enum shape { LIST, TREE = 7 };
struct options {
    int depth;
};

void bench_sort(size_t n)
{
    S = malloc(n);
    free(S);
}

void bench_signed(int i, long long big, signed char c)
{
    S = malloc(8);
    free(S);
    (void)i, (void)big, (void)c;
}

void bench_mixed(const char *name, double ratio, float half, bool on, enum shape shape)
{
    S = malloc(16);
    free(S);
    (void)name, (void)ratio, (void)half, (void)on, (void)shape;
}

void bench_with_pointer(struct options *options, unsigned depth)
{
    S = malloc(options->depth + depth);
    free(S);
}

void bench_none(void)
{
    S = malloc(32);
    free(S);
}

int main(void)
{
    struct options options = {4};

    bench_sort(100);
    bench_sort(1000);
    bench_sort(100);
    bench_signed(-5, -9000000000000000000LL, -1);
    bench_mixed("two words", 0.1, 0.5f, true, TREE);
    bench_mixed(NULL, -2.5e300, 1.0f, false, LIST);
    bench_with_pointer(&options, 4294967295u - 4294967200u);
    bench_none();
    return 0;
}
// CHECK-DAG: bench parameters.c::bench_sort[n=100] passes=2 peak=100 allocated=100 allocations=1 retained=0
// CHECK-DAG: bench parameters.c::bench_sort[n=1000] passes=1 peak=1000 allocated=1000 allocations=1 retained=0
// CHECK-DAG: bench parameters.c::bench_signed[i=-5,big=-9000000000000000000,c=-1] passes=1 peak=8 allocated=8 allocations=1 retained=0
// CHECK-DAG: bench parameters.c::bench_mixed[name=two words,ratio=0.1,half=0.5,on=true,shape=7] passes=1 peak=16 allocated=16 allocations=1 retained=0
// CHECK-DAG: bench parameters.c::bench_mixed[name={{.*}},ratio=-2.5e+300,half=1,on=false,shape=0] passes=1 peak=16 allocated=16 allocations=1 retained=0
// CHECK-DAG: bench parameters.c::bench_with_pointer[depth=95] passes=1 peak=99 allocated=99 allocations=1 retained=0
// CHECK-DAG: bench parameters.c::bench_none passes=1 peak=32 allocated=32 allocations=1 retained=0
// JSON-DAG: "id": "parameters.c::bench_sort[n=100]"
// JSON-DAG: "big": -9000000000000000000
// JSON-DAG: "on": true
// JSON-DAG: "name": "two words"
