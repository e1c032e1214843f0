// A program's own operator new is a wrapper: its malloc is the one allocation.
// RUN: %each-build --levels="-O0 -O2" %s %s
#include <cstdlib>
#include <new>

void *volatile S;

void *operator new(std::size_t size)
{
    void *block = std::malloc(size + 8);
    if (!block)
        std::abort();
    return block;
}
void operator delete(void *block) noexcept { std::free(block); }
void operator delete(void *block, std::size_t) noexcept { std::free(block); }

int main()
{
    long *one = new long(1);
    S = one;
    delete one;
    long *kept = new long(2);
    S = kept;
    // Whether the optimizer inlined it decides which of the two names the site.
    // CHECK: totals {{.*}}
    // CHECK-NEXT: end status=0
    // CHECK-NEXT: site replaced-operators.cpp:{{.*}} allocated={{16|32}} {{.*}}
    // CHECK-NOT: via
    return 0;
}
