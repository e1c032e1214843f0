// Of C++, what varies is named by the line outside of system headers, one for each, as in every table; of passes and of runs.
// RUN: %benchmem-c++ -O2 -DHEADER %s -o a && %benchmem-run --repeats 4 ./a >out && %filecheck-part <out
// RUN: %benchmem-c++ -O2 %s -o p && %benchmem-run --repeats 3 ./p >out && %filecheck-part --check-prefix=RUNS <out && test $(grep -c 'varying-lines.cpp:[0-9]* ' out) = 2 && not grep new_allocator out
#include <vector>
#ifdef HEADER
#include <benchmem/benchmem.h>

static int pass;

static void bench_lists(benchmem_case *)
{
    std::vector<int> steady(10);
    std::vector<int> varies(pass++ ? 20 : 30);
    std::vector<int> grows(pass > 1 ? 7 : 0);
    benchmem_keep(steady.data());
    benchmem_keep(varies.data());
    benchmem_keep(grows.data());
}
BENCHMEM(bench_lists);
// CHECK: Sites that were not the same in all repetitions
// CHECK: 1, 1 120 B, 80 B varying-lines.cpp:13 bench_lists
// CHECK-NEXT: 0, 1 0 B, 28 B varying-lines.cpp:14 bench_lists
// CHECK-NOT: varying-lines.cpp:12
#else
#include <cstdio>

void bench_file()
{
    size_t n = 1;

    for (char name[] = "x0"; FILE *file = fopen(name, "rx"); name[1]++, n++)
        fclose(file);
    fclose(fopen(n > 1 ? "x1" : "x0", "w"));
    std::vector<char> block(n);
    asm volatile("" : : "r"(block.data()) : "memory");
}

int main()
{
    bench_file();
}
// RUNS: 1, 1, 1 1 B, 2 B, 3 B 0 B, 0 B, 0 B varying-lines.cpp:[[@LINE-8]] bench_file
#endif
