// A function that returns what it allocates is marked, by attribute, by name or
// because every way out of it returns a fresh block; its callers know the type.
// RUN: %tables
// RUN: %clang -O0 %pass -fplugin-arg-benchmem-wrapper=named %s tables.o -o a && ./a > out
// RUN: FileCheck %s < out
// RUN: FileCheck --check-prefix=TYPES %s < out
// RUN: %clang -O2 %pass -fplugin-arg-benchmem-wrapper=named %s tables.o -o a && ./a | FileCheck --check-prefix=INLINED %s
#include <stdlib.h>
#include <string.h>
void *volatile S;
struct thing { int a[3]; };

static void *direct(size_t n) { return malloc(n); }
static void *checked(size_t n) {
  void *p = malloc(n);
  if (!p)
    abort();
  return p;
}
static void *outer(size_t n) { return n ? checked(n) : NULL; }
static char *copy(const char *s) {
  char *p = malloc(strlen(s) + 1);
  return p ? strcpy(p, s) : NULL;
}
static void *regrow(void *p, size_t n) {
  p = realloc(p, n);
  if (!p)
    abort();
  return p;
}
static void *aligned(size_t n) {
  void *p;
  return posix_memalign(&p, 64, n) ? NULL : p;
}
__attribute__((malloc)) static void *attributed(size_t n) {
  char *p = malloc(n + 8);
  return p + 8;
}
static char *named(size_t n) {
  char *p = malloc(n + 8);
  return p + 8;
}
/* None of these three: something else may be returned. */
static void *cached(size_t n) {
  static void *cache;
  return cache ? cache : (cache = malloc(n));
}
static void *sometimes(void *p, size_t n) {
  if (n > 5)
    p = realloc(p, n);
  return p;
}
static int not_pointer(void) { S = malloc(1); return 1; }

int main(void) {
  // CHECK: hook malloc: direct {{.*}} wrapper{{$}}
  struct thing *t = direct(sizeof *t); S = t;
  // CHECK: hook malloc: checked {{.*}} wrapper{{$}}
  S = checked(sizeof(struct thing));
  // CHECK: hook malloc: checked {{.*}} wrapper{{$}}
  t = outer(2 * sizeof *t); S = t;
  // CHECK: hook malloc: copy {{.*}} wrapper{{$}}
  S = copy("abc");
  // CHECK: hook realloc: regrow {{.*}} wrapper{{$}}
  S = regrow(S, 100);
  // CHECK: hook posix_memalign: aligned {{.*}} wrapper{{$}}
  S = aligned(10);
  // CHECK: hook malloc: attributed {{.*}} wrapper{{$}}
  S = attributed(10);
  // CHECK: hook malloc: named {{.*}} wrapper{{$}}
  S = named(10);
  // CHECK: hook malloc: cached {{.*}}[n] count=[-]{{$}}
  S = cached(10);
  // CHECK: hook realloc: sometimes {{.*}}[n] count=[-]{{$}}
  S = sometimes(NULL, 10);
  // CHECK: hook malloc: not_pointer {{.*}}[1] count=[-]{{$}}
  return not_pointer() - 1;
}
// TYPES-DAG: call: outer {{.*}} calls checked {{.*}} wrapper{{$}}
// TYPES-DAG: call: main {{.*}} calls direct kind=call type=[struct thing] size=[sizeof *t]
// TYPES-DAG: call: main {{.*}} calls checked kind=call type=[struct thing]
// TYPES-DAG: call: main {{.*}} calls outer kind=call type=[struct thing] size=[2 * sizeof *t] count=[2]
// INLINED: hook malloc: direct {{.*}} wrapper < main
