// Modules with debug information stay valid after every pass.
// RUN: %clangxx -O2 -g -Xclang -disable-llvm-passes -emit-llvm -c %s -o a.bc
// RUN: for o in O0 O1 O2 O3 Os Oz; do \
// RUN:   %opt -verify-each -passes="default<$o>" a.bc -o b.bc && \
// RUN:   llc -filetype=obj b.bc -o b.o && llvm-dwarfdump --verify b.o > verified && \
// RUN:   %opt -verify-each -passes="thinlto-pre-link<$o>,benchmem-instrument" a.bc -o b.bc && \
// RUN:   %opt -verify-each -passes="lto-pre-link<$o>" a.bc -o b.bc || exit 1; \
// RUN: done
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>
struct thrower { int *p = new int; thrower(int n) { if (n) throw n; } };
template <typename T> T *make(int n) { return new T(n); }
#line 0
void *line_zero() { return malloc(1); }
__attribute__((nodebug)) void *no_debug() { return malloc(2); }
int bench_all(int n) {
  std::vector<std::string> v(n, "a string that is longer than fifteen");
  auto p = std::make_unique<thrower>(n);
  try {
    make<thrower>(n);
  } catch (int) {
    v.push_back("x");
  }
  return v.size() + (line_zero() == no_debug());
}
