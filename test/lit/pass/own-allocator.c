// A program's own malloc is called through the hook, and inside it nothing is,
// so that it never comes to call itself. What is left under its name jumps to
// the recorder; one that nothing else can see stays as it is.
// RUN: for o in -O0 -O2; do \
// RUN:   %clang $o %pass -S -emit-llvm %s -o - | FileCheck %s && \
// RUN:   %clang $o -fvisibility=hidden %pass -S -emit-llvm %s -o - | FileCheck --check-prefix=HIDDEN %s || exit 1; \
// RUN: done
typedef __SIZE_TYPE__ size_t;
void *malloc(size_t);
void *calloc(size_t, size_t);
void *memset(void *, int, size_t);
static char pool[1 << 20];
static size_t used;
// CHECK-LABEL: define hidden {{.*}}@__benchmem_body_malloc(
// CHECK-NOT: __benchmem
__attribute__((noinline)) void *malloc(size_t n) {
  void *p = pool + used;
  used += n;
  return p;
}
// CHECK-LABEL: define hidden {{.*}}@__benchmem_body_calloc(
// CHECK-NOT: __benchmem
// CHECK: call {{.*}}@malloc(
__attribute__((noinline, no_builtin)) void *calloc(size_t n, size_t s) {
  return memset(malloc(n * s), 0, n * s);
}
// CHECK-LABEL: define {{.*}}@user(
// CHECK: @__benchmem_calloc(
// HIDDEN-NOT: {{call .*@__benchmem_|__benchmem_body_}}
void *user(void) { return calloc(2, 3); }
// CHECK: define {{.*}}@malloc(i64 %[[SIZE:[^)]*]]){{.*}}
// CHECK-NEXT: %[[MADE:.*]] = musttail call ptr @__benchmem_own_malloc(i64 %[[SIZE]])
// CHECK-NEXT: ret ptr %[[MADE]]
// CHECK: define {{.*}}@calloc(
// CHECK-NEXT: {{.*}}musttail call ptr @__benchmem_own_calloc(
