// Inlined copies of a call are one site at every level, on the line of the call.
// RUN: %tables
// RUN: for o in -O0 -O1 -O2 -O3 -Os -Oz -Og "-O2 -fno-builtin" "-O2 -fno-builtin-malloc" "-O2 -g"; do \
// RUN:   %clang $o %pass %s tables.o -o a && ./a > out && FileCheck %s < out || exit 1; \
// RUN: done
// RUN: FileCheck --check-prefix=INLINED %s < out
#include <stdlib.h>
void *volatile S;
static void *mk(size_t n) {
  return malloc(n);
}
__attribute__((noinline)) void *va(void) { return mk(100); }
__attribute__((noinline)) void *vb(void) { return mk(28); }
int main(void) { S = va(); S = vb(); return 0; }
// CHECK: hook malloc: mk {{.*}}one-site-at-each-level.c:10:10 calls malloc kind=malloc
// CHECK: hook malloc: mk {{.*}}one-site-at-each-level.c:10:10 calls malloc kind=malloc
// CHECK-NOT: hook
// CHECK: call: main {{.*}}:14:22 calls va kind=call
// CHECK: call: main {{.*}}:14:32 calls vb kind=call
// INLINED: hook malloc: mk {{.*}}:10:10 {{.*}} < va {{.*}}:12:51
// INLINED: hook malloc: mk {{.*}}:10:10 {{.*}} < vb {{.*}}:13:51
