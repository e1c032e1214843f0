// The end is after all destructors: what they free is not live, what is kept on purpose is.
// RUN: %benchmem-c++ -O2 %s -o a && BENCHMEM_OUTPUT=p.bmem ./a && %figures p.bmem | %filecheck
// RUN: %report p.bmem | %filecheck-part --check-prefix=WORDS
#include <string>

static std::string name(100, 'x');
int *volatile kept = new int;
// CHECK: site live-at-exit.cpp:[[@LINE-1]] {{.*}} new allocations=1 frees=0 allocated=4 peak=4 at_peak=4 live=4
// CHECK-NOT: allocated=101 {{.*}} live=101
// WORDS-NOT: {{[Ll]}}eak

int main()
{
    return name.size() != 100;
}
