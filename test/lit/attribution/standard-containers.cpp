// Tables charge the innermost frame outside system headers; the JSON keeps the site itself.
// RUN: %benchmem-c++ -O2 -fno-inline %s -o a && BENCHMEM_OUTPUT=p.bmem ./a
// RUN: %figures p.bmem | %filecheck
// RUN: %report --top 5 p.bmem | %filecheck-part --check-prefix=TABLE
#include <vector>

volatile int n = 1000;

__attribute__((noinline)) std::vector<int> fill(int count)
{
    std::vector<int> numbers;
    numbers.reserve(count);
    // TABLE: standard-containers.cpp:[[@LINE-1]]
    // CHECK: site {{new_allocator.h|allocator.h}}:{{[0-9]+}} {{.*}}allocate new allocations=1 frees=1 allocated=4000 {{.*}}
    return numbers;
}

int main()
{
    return fill(n).capacity() != 1000;
}
