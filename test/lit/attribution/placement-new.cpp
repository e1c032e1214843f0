// Placement new allocates nothing and is no site.
// RUN: %each-build --levels="-O0 -O2" %s %s
#include <new>

void *volatile S;
alignas(8) static char room[64];

int main()
{
    S = new (room) long(3);
    // CHECK: totals {{.*}}
    // CHECK-NEXT: end status=0
    // CHECK-NOT: placement-new.cpp
    return 0;
}
