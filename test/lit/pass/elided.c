// A call that the optimizer removed is told as such, once, with its type; one that
// it replaced by another allocator's is not.
// RUN: %tables
// RUN: %clang -O2 %pass -ffunction-sections %s tables.o -Wl,--gc-sections -o a && ./a > out
// RUN: FileCheck %s < out && ! has "elided: replaced\|elided: dropped" out
// RUN: %clang -O0 %pass %s tables.o -o a && ./a | FileCheck --check-prefix=NONE %s
// NONE-NOT: elided:
#include <stdlib.h>
#include <string.h>
void *volatile S;
struct pair { int a, b; };
static void helper(void) {
  struct pair *p = malloc(sizeof *p);
  free(p);
}
__attribute__((noinline)) void replaced(size_t n) {
  // CHECK-DAG: hook calloc: replaced {{.*}}elided.c:[[@LINE+1]]:13 calls calloc kind=calloc type=[char] size=[n]
  char *p = malloc(n);
  memset(p, 0, n);
  S = p;
}
/* Its code is not in the program, nor what was in its code. */
void dropped(void) { free(malloc(77)); }
int main(void) {
  replaced(10);
  helper();
  helper();
  // CHECK-DAG: elided: main {{.*}}elided.c:[[@LINE+1]]:{{.*}} calls calloc
  free(calloc(3, 4));
  // CHECK-DAG: elided: helper {{.*}}elided.c:13:20 calls malloc kind=malloc type=[struct pair] size=[sizeof *p]
  // CHECK-NOT: elided: helper
  return 0;
}
