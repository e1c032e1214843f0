// A benchmark's scalar arguments are passed on by name, type and value, whatever
// lies between them; everything else is no parameter.
// RUN: %tables
// RUN: for o in -O0 -O2; do %clangxx $o %pass %s tables.o -o a && ./a | FileCheck %s || exit 1; done
#include <cstddef>
#include <cstdint>
#include <string>
enum color { RED, BLUE = -5 };
enum class shade : unsigned char { DARK = 250 };
struct small { int a; };
struct pair { long a, b; };
struct big { char c[100]; };
struct floats { float a, b, c; };
void bench_integers(signed char c, unsigned short s, int i, size_t z, uint64_t u, long long l) {}
void bench_others(bool b, float f, double d, long double ld, color e, shade h, char x) {}
void bench_strings(const char *s, char *t, const unsigned char *bytes, const char *const u, int last) {}
void bench_between(small a, int n, pair p, int m, big c, int k, floats f, int j) {}
big bench_returned(int n) { return big(); }
void bench_none(int *p, const std::string &s, int (&array)[3], big c) {}
void bench_unnamed(int, int second) {}
struct state { int x; void bench_method(int n) const; static void bench_static(int n) {} };
void state::bench_method(int n) const {}
void BM_google(state &s) {}
template <typename T> void bench_template(T n) {}
namespace ns { void bench_inside(int n) {} }
static void bench_local(int n) {}
int main() {
  char text[] = "two";
  int array[3] = {0};
  // CHECK: enter bench_integers {{.*}} c=-1 s=65535 i=-2 z=3 u=18446744073709551615 l=-9
  bench_integers(-1, 65535, -2, 3, UINT64_MAX, -9);
  // CHECK: enter bench_others {{.*}} b=true f=0.5 d=-2.25 ld=1e+10 e=-5 h=250 x=65
  bench_others(true, 0.5f, -2.25, 1e10L, BLUE, shade::DARK, 'A');
  // CHECK: enter bench_strings {{.*}} s="one" t="two" u="four" last=5
  bench_strings("one", text, nullptr, "four", 5);
  // CHECK: enter bench_between {{.*}} n=1 m=2 k=3 j=4
  bench_between({9}, 1, {8, 7}, 2, big(), 3, {1, 2, 3}, 4);
  // CHECK: enter bench_returned {{.*}} n=6
  bench_returned(6);
  // CHECK: enter bench_none {{[^ ]*$}}
  bench_none(array, "", array, big());
  // CHECK: enter bench_unnamed {{.*}} arg1=1 second=2
  bench_unnamed(1, 2);
  state s{1};
  // CHECK: enter state::bench_method {{.*}} n=3
  s.bench_method(3);
  // CHECK: enter state::bench_static {{.*}} n=4
  state::bench_static(4);
  // CHECK: enter BM_google {{[^ ]*$}}
  BM_google(s);
  // CHECK: enter bench_template<long> {{.*}} n=7
  bench_template(7L);
  // CHECK: enter ns::bench_inside {{.*}} n=8
  ns::bench_inside(8);
  // CHECK: enter bench_local {{.*}} n=9
  bench_local(9);
  // CHECK-NOT: enter
  return 0;
}
