// Casts, placement, lambdas and types that are local to a function.
// RUN: %each-build --levels="-O0 -O2" --figures=--type %s %s
#include <cstdlib>
#include <new>

struct item {
    long price;
};

void *volatile S;
volatile int n = 3;

template <class T> T *make(std::size_t count)
{
    return static_cast<T *>(std::malloc(count * sizeof(T)));
    // CHECK: site {{.*}}:[[@LINE-1]] make<double> malloc {{.*}} type=double
    // CHECK-NEXT: site {{.*}}:[[@LINE-2]] make<item> malloc {{.*}} type=item
}

int main()
{
    S = make<double>(n);
    S = make<item>(n);
    auto *cast = reinterpret_cast<item *>(std::malloc(40));
    // CHECK-NEXT: site {{.*}}:[[@LINE-1]] main malloc {{.*}} type=item
    S = cast;
    S = new (std::malloc(48)) item;
    // CHECK-NEXT: site {{.*}}:[[@LINE-1]] main malloc {{.*}} type=item
    S = new (std::nothrow) item[n];
    // CHECK-NEXT: site {{.*}}:[[@LINE-1]] main new[] {{.*}} type=item
    auto generic = [](auto x) {
        using T = decltype(x);
        return new T[n];
        // CHECK-NEXT: site {{.*}}:[[@LINE-1]] {{.*}} new[] {{.*}} type=double
    };
    S = generic(1.5);
    // CHECK-NOT: site
    return 0;
}
