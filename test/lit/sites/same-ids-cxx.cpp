// The calls of C++ sources have the ids that the build gives them: templates, lambdas, initializers, constructors, the library's headers.
// REQUIRES: tooling
// RUN: cp %s x.cpp && for O in '-O0' '-O2' '-O2 -g -std=c++20' '-O3 -fno-exceptions'; do rm -rf .benchmem && %benchmem-c++ $O x.cpp -o a && ./a && %report --coverage --format json -o c.json -f && %report --elided --format json -o r.json -f && %sites --format json -f -o s.json x.cpp -- $O && %python %inputs/same_sites.py s.json c.json r.json || { echo "$O"; exit 1; }; done >out
// RUN: test $(wc -l <out) = 4 && head -1 out | has ', 0 built alone, 0 listed alone$' && %filecheck-part --input-file=s.json
// RUN: %sites x.cpp -- -O0 | has '^+[1-9][0-9]* more in system headers$' && %sites --system x.cpp -- -O0 >all && ! grep -q 'more in system' all && has '__new_allocator\|new_allocator' <all
#include <cstdlib>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <vector>

void *volatile Sink;

static int *Global = new int[4]; // CHECK-DAG: "function": "__cxx_global_var_init",
thread_local std::unique_ptr<long> PerThread(new long(3));

namespace {
template <typename T> struct Box {
  T *Held = new T(); // CHECK-DAG: "function": "(anonymous namespace)::Box<double>::Box",
  Box() = default;
  explicit Box(int N) : Held(new T[N]) {}
  virtual ~Box() { Sink = new char; }
  T *again() { return new (std::nothrow) T; }
};

struct alignas(64) Wide {
  char Bytes[64];
};

struct Base {
  explicit Base(size_t N) : Memory(std::malloc(N)) {}
  void *Memory;
};
struct Derived : virtual Base {
  Derived(size_t N = *new size_t(7)) : Base(N), More(new int) {}
  int *More;
};

template <typename T, int N> T *make() { return new T[N]; }
inline void *used() { return std::calloc(2, 2); }
inline void *unused() { return std::calloc(3, 3); }
} // namespace

extern "C" void *plain(size_t N) { return std::malloc(N); }

struct Own {
  void *operator new(size_t Size) { return std::malloc(Size); }
  void operator delete(void *P) { std::free(P); }
  int A;
};

int main() {
  Box<int> A;
  Box<double> B, C(3);
  Sink = A.again();
  Sink = new Wide;
  Sink = new Derived;
  Sink = new Derived(3);
  Sink = make<short, 5>();
  Sink = make<Wide, 2>();
  Sink = used();
  Sink = plain(4);
  Sink = new Own;
  auto Generic = [](auto Value) { return new decltype(Value)(Value); };
  Sink = Generic(1);
  Sink = Generic(2.0);
  Sink = [] { return new char[9]; }();
  Sink = ::operator new(10);
  std::vector<int> Numbers;
  Numbers.push_back(1);
  std::map<int, std::string> Names;
  Names[1] = std::string(100, 'x');
  auto Shared = std::make_shared<Wide>();
  Sink = &Numbers, Sink = &Names, Sink = Shared.get(), Sink = Global;
  Sink = PerThread.get();
  return 0;
}
