// A window left by an exception closes there.
// RUN: for o in -O0 -O2; do %benchmem-c++ $o %s -o a$o && BENCHMEM_OUTPUT=p$o.bmem ./a$o && %figures p$o.bmem | %filecheck || exit 1; done
#include <cstdlib>

void *volatile S;

__attribute__((noinline)) static void fail(int n)
{
    if (n)
        throw n;
}

void bench_throws(int n)
{
    S = new char[40];
    fail(n);
}

void bench_next()
{
    char *volatile block = new char[7];
    delete[] block;
}

int main()
{
    for (int i = 0; i < 3; i++) {
        try {
            bench_throws(1);
        } catch (int) {
            S = std::malloc(1000); // outside the window
        }
    }
    bench_next();
    return 0;
}
// __cxa_allocate_exception asks for 128 + sizeof(int) inside the window; the catch frees it outside.
// CHECK-DAG: bench left-by-exception.cpp::bench_throws[n=1] passes=3 peak=172 allocated=172 allocations=2 retained=172
// CHECK-DAG: bench left-by-exception.cpp::bench_next passes=1 peak=7 allocated=7 allocations=1 retained=0
