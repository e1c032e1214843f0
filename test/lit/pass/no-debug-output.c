// Where the user asked for no debug information none comes out, whatever is
// made, and sites have their lines all the same.
// RUN: %tables
// RUN: for o in -O0 -O2; do \
// RUN:   %clang $o %pass -c %s -o a.o && ! llvm-readelf -SW a.o | has '\.debug' && \
// RUN:   %clang a.o tables.o -o a && ./a | FileCheck %s && \
// RUN:   %clang $o %pass -S %s -o a.s && ! has -E '\.(loc|file.*1)' a.s && \
// RUN:   %clang -c a.s -o a.o && ! llvm-readelf -SW a.o | has '\.debug' && \
// RUN:   %clang $o %pass -emit-llvm -c %s -o a.bc && \
// RUN:   %clang -x ir a.bc -c -o a.o && ! llvm-readelf -SW a.o | has '\.debug' && \
// RUN:   %clang $o %pass -flto -c %s -o lto.o && llvm-dis lto.o -o - > lto.ll && \
// RUN:   ! has '!dbg' lto.ll && has 'benchmem.tables' lto.ll || exit 1; \
// RUN: done
// A user's own debug information stays, and valid.
// RUN: for o in -O0 -O1 -O2 -O3 -Os -Oz -Og; do for g in -g -gline-tables-only -gdwarf-4; do \
// RUN:   %clang $o $g -fplugin=%plugin -fpass-plugin=%plugin -mllvm -verify-machineinstrs -c %s -o a.o && \
// RUN:   llvm-dwarfdump --verify a.o > verified && \
// RUN:   llvm-dwarfdump --debug-line a.o | has no-debug-output.c || exit 1; \
// RUN: done; done
#include <stdlib.h>
void *volatile S;
static inline void *inlined(size_t n) { return malloc(n); }
int bench_one(int n) { S = inlined(n); return 0; }
int main(void) {
  // CHECK: enter bench_one {{.*}}no-debug-output.c:23:0 n=3
  // CHECK: hook malloc: inlined {{.*}}no-debug-output.c:22:48
  // CHECK: leave bench_one
  // CHECK: call: main {{.*}}no-debug-output.c:[[@LINE+1]]:10 calls bench_one
  return bench_one(3);
}
