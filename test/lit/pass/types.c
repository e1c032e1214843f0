// What an allocation is for: sizeof in the size, else the cast, else what the
// result is assigned to; sizes and counts as written.
// RUN: %tables
// RUN: for o in -O0 -O2; do %clang $o %pass %s tables.o -o a && ./a | FileCheck %s || exit 1; done
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
void *volatile S;
struct rec { int a; char data[]; };
typedef struct rec rec_t;
typedef struct { int x; } anon_t;
struct holder { struct rec *member; } H;
#define NEW(T) ((T *)malloc(sizeof(T)))
#define PAIR(a, b) a = malloc(sizeof *a); b = malloc(sizeof *b)
static struct rec *returned(size_t n) {
  return malloc(n);
}

int main(int argc, char **argv) {
  size_t n = argc + 2;
  // CHECK: types.c:[[@LINE+1]]:{{.*}} type=[struct rec] size=[n * sizeof(struct rec)] count=[n]
  S = malloc(n * sizeof(struct rec));
  // CHECK: types.c:[[@LINE+1]]:{{.*}} type=[struct rec] size=[sizeof *r + n * sizeof(int)] count=[-]
  rec_t *r = malloc(sizeof *r + n * sizeof(int)); S = r;
  // CHECK: types.c:[[@LINE+1]]:{{.*}} type=[struct rec *] size=[sizeof(struct rec *) * 4] count=[4]
  struct rec **list = malloc(sizeof(struct rec *) * 4); S = list;
  // CHECK: types.c:[[@LINE+1]]:{{.*}} type=[struct rec] size=[n] count=[-]
  S = (rec_t *)malloc(n);
  // CHECK: types.c:[[@LINE+1]]:{{.*}} type=[struct rec] size=[n] count=[-]
  H.member = malloc(n); S = H.member;
  // CHECK: returned {{.*}}types.c:16:{{.*}} type=[struct rec] size=[n] count=[-]
  S = returned(n);
  // CHECK: types.c:[[@LINE+1]]:{{.*}} type=[anon_t] size=[sizeof(anon_t)] count=[-]
  S = NEW(anon_t);
  // CHECK: types.c:[[@LINE+1]]:{{.*}} type=[long[3]] size=[sizeof(long[3])] count=[-]
  S = malloc(sizeof(long[3]));
  // CHECK: types.c:[[@LINE+2]]:{{.*}} type=[struct holder] size=[sizeof(struct holder)] count=[-]
  // CHECK: types.c:[[@LINE+1]]:{{.*}} type=[struct rec] size=[sizeof(struct rec)] count=[-]
  S = NEW(struct holder); S = NEW(struct rec);
  // CHECK: types.c:[[@LINE+3]]:{{.*}} type=[long] size=[sizeof *l] count=[-]
  // CHECK: types.c:[[@LINE+2]]:{{.*}} type=[short] size=[sizeof *s] count=[-]
  long *l; short *s;
  PAIR(l, s); S = l; S = s;
  // CHECK: types.c:[[@LINE+1]]:{{.*}} type=[int] size=[n * sizeof(int)] count=[n]
  S = calloc(n, sizeof(int));
  // CHECK: types.c:[[@LINE+1]]:{{.*}} type=[int] size=[sizeof(int) * n] count=[n]
  S = calloc(sizeof(int), n);
  // CHECK: types.c:[[@LINE+1]]:{{.*}} type=[double] size=[n * sizeof(double)] count=[n]
  S = realloc(S, n * sizeof(double));
  // CHECK: types.c:[[@LINE+1]]:{{.*}} type=[-] size=[n * 8] count=[n]
  S = reallocarray(S, n, 8);
  struct rec **tab;
  // CHECK: types.c:[[@LINE+1]]:{{.*}} type=[struct rec *] size=[n * sizeof *tab] count=[n]
  if (posix_memalign((void **)&tab, 64, n * sizeof *tab)) return 1;
  S = tab;
  // CHECK: types.c:[[@LINE+1]]:{{.*}} type=[char] size=[-] count=[-]
  S = strdup("abc");
  // CHECK: types.c:[[@LINE+1]]:{{.*}} type=[char] size=[n - 1] count=[-]
  S = strndup(argv[0], n - 1);
  // CHECK: types.c:[[@LINE+1]]:{{.*}} type=[wchar_t] size=[-] count=[-]
  S = wcsdup(L"x");
  // CHECK: types.c:[[@LINE+1]]:{{.*}} type=[float] size=[n * sizeof(float)] count=[n]
  float *f = argc ? malloc(n * sizeof(float)) : 0; S = f;
  // CHECK-NOT: hook
  return 0;
}
