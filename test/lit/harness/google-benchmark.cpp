// REQUIRES: google-benchmark
// The loop over a State is the window, each set of Args a benchmark; the library's own JSON carries the figures.
// RUN: for o in -O0 -O2; do %benchmem-c++ -std=c++17 -Wall -Wextra -Werror $o %s -lbenchmark -o a && BENCHMEM_OUTPUT=p$o.bmem ./a --benchmark_min_time=0.0001 --benchmark_format=json >out.json && %figures p$o.bmem | grep '^bench ' | %filecheck && %python %S/inputs/check_google.py out.json || exit 1; done
// RUN: %clangxx -std=c++17 -O2 -I%include %s -lbenchmark -o plain && ./plain --benchmark_min_time=0.0001 --benchmark_format=json >plain.json && ! grep -q max_bytes_used plain.json
// RUN: BENCHMEM_OUTPUT=t.bmem BENCHMEM_OPTIONS=measure=time ./a --benchmark_min_time=0.0001 --benchmark_filter=BM_old >out && %report --format json t.bmem | %python -c "import json, sys; b = json.load(sys.stdin)['benchmarks']; assert [x['id'] for x in b] == ['google-benchmark.cpp::BM_old[arg0=3,arg1=7]', 'google-benchmark.cpp::BM_old[arg0=4,arg1=8]'] and all(p['time_ns'] > 0 for x in b for p in x['passes']), b"
#include <benchmark/benchmark.h>
#include <string>
#include <vector>
static void BM_vector(benchmark::State &state)
{
    std::string outside(1000, 'x'); // around the loop: not of the window
    benchmark::DoNotOptimize(outside.data());
    for (auto _ : state) {
        std::vector<char> v(state.range(0));
        benchmark::DoNotOptimize(v.data());
    }
}
BENCHMARK(BM_vector)->Arg(100)->Arg(5000);
static void BM_old(benchmark::State &state)
{
    while (state.KeepRunning()) {
        void *p = malloc(state.range(0) * state.range(1));
        benchmark::DoNotOptimize(p);
        free(p);
    }
}
BENCHMARK(BM_old)->Args({3, 7})->Args({4, 8})->ArgNames({"x", "y"});
static void BM_paused(benchmark::State &state)
{
    for (auto _ : state) {
        state.PauseTiming();
        void *p = malloc(64);
        benchmark::DoNotOptimize(p);
        state.ResumeTiming();
        void *q = malloc(16);
        benchmark::DoNotOptimize(q);
        free(q);
        free(p);
    }
}
BENCHMARK(BM_paused);
static void BM_nothing(benchmark::State &state)
{
    for (auto _ : state)
        benchmark::ClobberMemory();
}
BENCHMARK(BM_nothing);
template <class T> static void BM_type(benchmark::State &state)
{
    for (auto _ : state) {
        T *p = new T;
        benchmark::DoNotOptimize(p);
        delete p;
    }
}
BENCHMARK_TEMPLATE(BM_type, int);
BENCHMARK_TEMPLATE(BM_type, double);
static void BM_capture(benchmark::State &state, int k)
{
    for (auto _ : state) {
        char *p = new char[k];
        benchmark::DoNotOptimize(p);
        delete[] p;
    }
}
BENCHMARK_CAPTURE(BM_capture, ten, 10);
BENCHMARK_CAPTURE(BM_capture, twenty, 20);
struct Fix : benchmark::Fixture {
    void SetUp(benchmark::State &) override { p = new char[77]; }
    void TearDown(benchmark::State &) override { delete[] p; }
    char *p;
};
BENCHMARK_F(Fix, Name)(benchmark::State &state)
{
    for (auto _ : state) {
        char *q = new char[9];
        benchmark::DoNotOptimize(q);
        delete[] q;
    }
}
static void sort_words(benchmark::State &state)
{
    for (auto _ : state) {
        char *q = new char[11];
        benchmark::DoNotOptimize(q);
        delete[] q;
    }
}
BENCHMARK(sort_words);
#include <benchmem/google_benchmark.h>
BENCHMEM_GOOGLE_MAIN();
// CHECK:      bench google-benchmark.cpp::BM_vector[arg0=100] passes={{[0-9]+}} peak=100 allocated=100 allocations=1 retained=0
// CHECK-NEXT: bench google-benchmark.cpp::BM_vector[arg0=5000] passes={{[0-9]+}} peak=5000 allocated=5000 allocations=1 retained=0
// CHECK-NEXT: bench google-benchmark.cpp::BM_old[arg0=3,arg1=7] passes={{[0-9]+}} peak=21 allocated=21 allocations=1 retained=0
// CHECK-NEXT: bench google-benchmark.cpp::BM_old[arg0=4,arg1=8] passes={{[0-9]+}} peak=32 allocated=32 allocations=1 retained=0
// CHECK-NEXT: bench google-benchmark.cpp::BM_paused passes={{[0-9]+}} peak=16 allocated=16 allocations=1 retained=0
// CHECK-NEXT: bench google-benchmark.cpp::BM_nothing passes={{[0-9]+}} peak=0 allocated=0 allocations=0 retained=0
// CHECK-NEXT: bench google-benchmark.cpp::BM_type<int> passes={{[0-9]+}} peak=4 allocated=4 allocations=1 retained=0
// CHECK-NEXT: bench google-benchmark.cpp::BM_type<double> passes={{[0-9]+}} peak=8 allocated=8 allocations=1 retained=0
// CHECK-NEXT: bench google-benchmark.cpp::BM_capture[k=10] passes={{[0-9]+}} peak=10 allocated=10 allocations=1 retained=0
// CHECK-NEXT: bench google-benchmark.cpp::BM_capture[k=20] passes={{[0-9]+}} peak=20 allocated=20 allocations=1 retained=0
// CHECK-NEXT: bench google-benchmark.cpp::Fix_Name_Benchmark::BenchmarkCase passes={{[0-9]+}} peak=9 allocated=9 allocations=1 retained=0
// CHECK-NEXT: bench google-benchmark.cpp::sort_words passes={{[0-9]+}} peak=11 allocated=11 allocations=1 retained=0
