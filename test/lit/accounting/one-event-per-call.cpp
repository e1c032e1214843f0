// An allocator that is made of others is one event.
// RUN: %each-build --levels="-O0 -O2" %s %s
#include <cstdlib>
#include <cstring>

void *volatile S;
const char *volatile text = "nine char";

int main()
{
    void *block = nullptr;
    S = std::calloc(10, 100);
    // CHECK: site one-event-per-call.cpp:[[@LINE-1]] main calloc allocations=1 frees=0 allocated=1000 peak=1000 at_peak=1000 live=1000
    S = strdup(text);
    // CHECK-NEXT: site one-event-per-call.cpp:[[@LINE-1]] main string allocations=1 frees=0 allocated=10 peak=10 at_peak=10 live=10
    S = new char[50];
    // CHECK-NEXT: site one-event-per-call.cpp:[[@LINE-1]] main new[] allocations=1 frees=0 allocated=50 peak=50 at_peak=50 live=50
    if (posix_memalign(&block, 64, 300))
        // CHECK-NEXT: site one-event-per-call.cpp:[[@LINE-1]] main aligned allocations=1 frees=0 allocated=300 peak=300 at_peak=300 live=300
        return 1;
    S = block;
    // CHECK-NOT: site
    return 0;
}
