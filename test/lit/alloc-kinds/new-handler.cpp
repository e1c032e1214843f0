// Each time that operator new asks again counts as it does without the hook: a block that could not be had twice is two failures.
// RUN: %benchmem-c++ -O2 %s -o a && BENCHMEM_OUTPUT=p.bmem ./a && %figures p.bmem | %filecheck
#include <new>

static volatile std::size_t huge = ~(std::size_t)0 >> 1;
static volatile int asked;
void *volatile S;

static void handler()
{
    if (++asked == 2)
        throw std::bad_alloc();
}

int main()
{
    // CHECK: {{.*}}failed=2{{.*}}
    S = operator new(0);
    // CHECK: site new-handler.cpp:[[@LINE-1]] main new allocations=1 frees=1 allocated=1 {{.*}} live=0
    operator delete(S);
    std::set_new_handler(handler);
    try {
        S = operator new(huge);
    } catch (const std::bad_alloc &) {
        return asked != 2;
    }
    return 2;
}
