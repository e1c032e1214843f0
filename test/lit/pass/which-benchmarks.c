// Names and marks say which functions are benchmarks.
// RUN: %tables
// RUN: %clang %pass %s tables.o -o a && ./a | FileCheck --implicit-check-not=enter --check-prefix=DEFAULT %s
// RUN: %clang %pass -fplugin-arg-benchmem-benchmark='!*_two' %s tables.o -o a && ./a | FileCheck --implicit-check-not=enter --check-prefix=NOT %s
// RUN: %clang %pass -fplugin-arg-benchmem-benchmark='test_*' -fplugin-arg-benchmem-benchmark='bench_t[wx]o' %s tables.o -o a && ./a | FileCheck --implicit-check-not=enter --check-prefix=GLOB %s
// DEFAULT: enter bench_one
// DEFAULT: enter bench_two
// DEFAULT: enter benchmark_three
// DEFAULT: enter BM_four
// DEFAULT: enter marked
// NOT: enter bench_one
// NOT: enter benchmark_three
// NOT: enter BM_four
// NOT: enter marked
// GLOB: enter bench_two
// GLOB: enter test_five
// GLOB: enter marked
void bench_one(void) {}
void bench_two(void) {}
void benchmark_three(void) {}
void BM_four(void) {}
void test_five(void) {}
void bench_setup(void) {}
void bench_x_teardown(void) {}
void bench_x_init(void) {}
void bench_x_free(void) {}
void bench_main(void) {}
void my_bench_x(void) {}
__attribute__((annotate("benchmem.benchmark"))) void marked(void) {}
__attribute__((annotate("benchmem.ignore"))) void bench_ignored(void) {}
int main(void) {
  bench_one(), bench_two(), benchmark_three(), BM_four(), test_five();
  bench_setup(), bench_x_teardown(), bench_x_init(), bench_x_free();
  bench_main(), my_bench_x(), marked(), bench_ignored();
  return 0;
}
