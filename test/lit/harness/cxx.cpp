// The same in C++: fields are set by calls, and what a benchmark throws fails it alone.
// RUN: %benchmem-c++ -O2 %s -o a; BENCHMEM_OUTPUT=p.bmem ./a >out 2>err; test $? = 1; %filecheck --check-prefix=ERR <err; %figures --passes p.bmem | grep ^bench | %filecheck
#include <benchmem/benchmem.h>
#include <stdexcept>
#include <vector>

static void bench_vector(benchmem_case *c)
{
    std::vector<char> v(size_t(benchmem_int(c, "n")));
    benchmem_keep(v.data());
}
BENCHMEM(bench_vector).ints("n", {10, 20}).calls(2);

static void bench_throws(benchmem_case *c)
{
    if (c)
        throw std::runtime_error("no good");
}
BENCHMEM(bench_throws);

static void bench_measures(benchmem_case *)
{
}
BENCHMEM(bench_measures).check([](benchmem_case *) {
    benchmem_result used;
    return BENCHMEM_MEASURE([] { benchmem_keep(std::vector<int>(3).data()); },
                            used) &&
           used.allocated_bytes == 12 && used.retained_bytes == 0;
});
// CHECK: bench cxx.cpp::bench_vector[n=10] passes=3 peak=10 allocated=20 allocations=2 retained=0
// CHECK: bench cxx.cpp::bench_vector[n=20] passes=3 peak=20 allocated=40 allocations=2 retained=0
// CHECK: bench cxx.cpp::bench_measures passes=3 peak=0 allocated=0 allocations=0 retained=0
// ERR: a: cxx.cpp::bench_throws: it threw: no good
