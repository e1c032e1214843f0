// New-expressions, casts, templates and lambdas name their types; copies of a
// template are told apart.
// RUN: %tables
// RUN: for o in -O0 -O2; do %clangxx $o %pass -std=c++17 %s tables.o -o a && ./a | FileCheck %s || exit 1; done
#include <cstdlib>
#include <new>
#include <vector>
void *volatile S;
namespace ns {
struct node { int a; node *next; };
template <typename T> struct box {
  T *take(int n) { T *p = static_cast<T *>(malloc(n * sizeof(T))); S = p; return p; }
};
} // namespace ns
struct Member { int *in_class = new int(5); Member() { S = in_class; } };
struct alignas(64) wide { char c[64]; };
template <typename T> void *generic(T) { return new T; }
static short *global = new short[9];

int main() {
  // CHECK: hook _Znam: {{.*}}types.cpp:18:{{.*}} kind=new[] type=[short] size=[-] count=[9]
  S = global;
  int n = 3;
  // CHECK: main {{.*}}types.cpp:[[@LINE+1]]:{{.*}} kind=new type=[ns::node]
  S = new ns::node;
  // CHECK: main {{.*}}types.cpp:[[@LINE+1]]:{{.*}} kind=new[] type=[ns::node] size=[-] count=[n + 1]
  S = new ns::node[n + 1];
  // CHECK: hook _ZnwmRKSt9nothrow_t: {{.*}} kind=new type=[int]
  S = new (std::nothrow) int;
  // CHECK: hook _ZnamSt11align_val_t: {{.*}} kind=new[] type=[wide] size=[-] count=[2]
  S = new wide[2];
  // CHECK: main {{.*}}types.cpp:[[@LINE+1]]:{{.*}} kind=new type=[ns::node] size=[sizeof(ns::node)]
  S = static_cast<ns::node *>(::operator new(sizeof(ns::node)));
  // CHECK: ns::box<int>::take {{.*}}types.cpp:12:{{.*}} type=[int] size=[n * sizeof(T)] count=[n] linkage=_ZN2ns3boxIiE4takeEi
  ns::box<int>().take(n);
  // CHECK: ns::box<ns::node>::take {{.*}}types.cpp:12:{{.*}} type=[ns::node] size=[n * sizeof(T)] count=[n]
  ns::box<ns::node>().take(n);
  // CHECK: Member::Member {{.*}}types.cpp:15:{{.*}} type=[int]
  Member m;
  // CHECK: generic<double>{{.*}} type=[double]
  S = generic(1.0);
  // CHECK: generic<char>{{.*}} type=[char]
  S = generic('x');
  // CHECK: main::$_{{[0-9]}}::operator(){{.*}}types.cpp:[[@LINE+1]]:{{.*}} type=[float]
  auto lambda = [] { return new float; };
  S = lambda();
  // CHECK: types.cpp:[[@LINE+1]]:{{.*}} type=[unsigned int]
  auto any = [](auto x) { return new decltype(x); };
  S = any(1u);
  // Blocks of the library's containers have the type of their elements.
  // CHECK: std::__new_allocator<ns::node>::allocate {{.*}} type=[ns::node] size=[{{.*}}] count=[__n] {{.*}} system
  std::vector<ns::node> v(7);
  S = v.data();
  // CHECK-NOT: hook
  return 0;
}
