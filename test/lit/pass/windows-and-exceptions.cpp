// A window closes when its benchmark is left by an exception, through inlined
// callers as well, and in C that is compiled for exceptions.
// RUN: %tables
// RUN: for o in -O0 -O2 -O3; do %clangxx $o %pass %s tables.o -o a && ./a | FileCheck %s || exit 1; done
// RUN: cp %s c.c && %clang -fexceptions %pass -c -x c c.c -o c.o && %clangxx -DCALLER %pass -x c++ c.c -x none c.o tables.o -o a
// RUN: ./a | FileCheck --check-prefix=C %s
#ifdef __cplusplus
extern "C" void thrower(int n) { if (n) throw n; }
#ifndef CALLER
#include <string>
static int bench_inlinable(int n) { std::string s(n, 'x'); thrower(n); return s.size(); }
static void bench_nested(int n) { try { thrower(n); } catch (int) { thrower(0); } }
int main() {
  // CHECK: enter bench_inlinable {{.*}} n=0
  // CHECK-NEXT: leave bench_inlinable
  int r = bench_inlinable(0);
  // CHECK-NEXT: enter bench_inlinable {{.*}} n=5
  // CHECK-NEXT: leave bench_inlinable
  try { r += bench_inlinable(5); } catch (int) { }
  // CHECK-NEXT: enter bench_nested {{.*}} n=6
  // CHECK-NEXT: leave bench_nested
  bench_nested(6);
  // CHECK-NOT: {{enter|leave}}
  return r;
}
#else
extern "C" void bench_c(int n);
// C: enter bench_c {{.*}} n=3
// C-NEXT: leave bench_c
int main() { try { bench_c(3); } catch (int) { return 0; } return 1; }
#endif
#else
void thrower(int n);
void bench_c(int n) { thrower(n); }
#endif
