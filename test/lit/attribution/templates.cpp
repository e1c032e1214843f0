// Each instance of a template is a function of its own, named with its arguments and without parameters.
// RUN: %each-build --levels="-O0 -O2" %s %s
void *volatile S;

namespace shop {
template <typename T, int N> struct box {
    static T *make(int extra) { return new T[N + extra]; }
    // CHECK: site templates.cpp:[[@LINE-1]] shop::box<char, 3>::make new[] allocations=1 frees=0 allocated=4 {{.*}}
    // CHECK-NEXT: site templates.cpp:[[@LINE-2]] shop::box<int, 5>::make new[] allocations=1 frees=0 allocated=24 {{.*}}
};
} // namespace shop

int main()
{
    S = shop::box<char, 3>::make(1);
    S = shop::box<int, 5>::make(1);
    auto lambda = [](int n) { return new short[n]; };
    // CHECK-NEXT: site templates.cpp:[[@LINE-1]] main{{.*}} new[] allocations=1 frees=0 allocated=12 {{.*}}
    S = lambda(6);
    // CHECK-NOT: site
    return 0;
}
