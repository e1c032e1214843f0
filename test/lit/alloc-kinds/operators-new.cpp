// Every form of operator new is counted at its own line, and every form of delete ends a block.
// RUN: %each-build --flags="-std=c++17 -fsized-deallocation" %s %s
#include <new>

struct alignas(64) wide {
    char bytes[64];
};
struct owner { // an array of it keeps its length before the first element
    char bytes[8];
    ~owner() { bytes[0] = 0; }
};

void *volatile S;
volatile std::size_t n = 4;

int main()
{
    // libstdc++ allocates blocks of its own before main: `outside`.
    // CHECK: totals allocations={{[0-9]+}} frees={{[0-9]+}} {{.*}}
    // CHECK-NEXT: end status=0
    int *single = new int(7);
    // CHECK-NEXT: site operators-new.cpp:[[@LINE-1]] main new allocations=1 frees=1 allocated=4 peak=4 at_peak=4 live=0
    S = single;
    char *array = new char[n * 25];
    // CHECK-NEXT: site operators-new.cpp:[[@LINE-1]] main new[] allocations=1 frees=1 allocated=100 peak=100 at_peak=100 live=0
    S = array;
    long *quiet = new (std::nothrow) long(8);
    // CHECK-NEXT: site operators-new.cpp:[[@LINE-1]] main new allocations=1 frees=1 allocated=8 peak=8 at_peak=8 live=0
    S = quiet;
    short *quiet_array = new (std::nothrow) short[n * 10];
    // CHECK-NEXT: site operators-new.cpp:[[@LINE-1]] main new[] allocations=1 frees=1 allocated=80 peak=80 at_peak=80 live=0
    S = quiet_array;
    wide *aligned = new wide;
    // CHECK-NEXT: site operators-new.cpp:[[@LINE-1]] main new allocations=1 frees=1 allocated=64 peak=64 at_peak=64 live=0
    S = aligned;
    wide *aligned_array = new wide[n];
    // CHECK-NEXT: site operators-new.cpp:[[@LINE-1]] main new[] allocations=1 frees=1 allocated=256 peak=256 at_peak=256 live=0
    S = aligned_array;
    wide *aligned_quiet = new (std::nothrow) wide;
    // CHECK-NEXT: site operators-new.cpp:[[@LINE-1]] main new allocations=1 frees=1 allocated=64 peak=64 at_peak=64 live=0
    S = aligned_quiet;
    wide *aligned_quiet_array = new (std::nothrow) wide[n];
    // CHECK-NEXT: site operators-new.cpp:[[@LINE-1]] main new[] allocations=1 frees=1 allocated=256 peak=256 at_peak=256 live=0
    S = aligned_quiet_array;
    owner *cookie = new owner[n];
    // CHECK-NEXT: site operators-new.cpp:[[@LINE-1]] main new[] allocations=1 frees=1 allocated=40 peak=40 at_peak=40 live=0
    S = cookie;
    S = operator new(n * 50);
    // CHECK-NEXT: site operators-new.cpp:[[@LINE-1]] main new allocations=1 frees=0 allocated=200 peak=200 at_peak=200 live=200
    S = operator new[](n * 75);
    // CHECK-NEXT: site operators-new.cpp:[[@LINE-1]] main new[] allocations=1 frees=0 allocated=300 peak=300 at_peak=300 live=300
    S = new char[0];
    // CHECK-NEXT: site operators-new.cpp:[[@LINE-1]] main new[] allocations=1 frees=0 allocated=1 peak=1 at_peak=1 live=1
    S = ::operator new(200, std::align_val_t(128));
    // CHECK-NEXT: site operators-new.cpp:[[@LINE-1]] main new allocations=1 frees=0 allocated=256 peak=256 at_peak=256 live=256
    // CHECK-NOT: site

    delete single;
    delete[] array;
    ::operator delete(quiet, std::nothrow);
    ::operator delete[](quiet_array);
    delete aligned;
    delete[] aligned_array;
    delete aligned_quiet;
    delete[] aligned_quiet_array;
    delete[] cookie;
    return 0;
}
