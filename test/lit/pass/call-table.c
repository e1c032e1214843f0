// Every other call has an entry by its return address, in the order of the code:
// direct, through a pointer, inlined, as a jump, to allocators that have no hook.
// RUN: %tables
// RUN: for o in "-O2" "-O2 -fPIC" "-O2 -ffunction-sections" "-O2 -static" "-O2 -static-pie -fPIE" "-O2 -fno-plt" \
// RUN:     "-O2 -S" "-O2 -fno-integrated-as" "-O2 -mretpoline" "-O2 -fbasic-block-sections=all"; do \
// RUN:   case "$o" in \
// RUN:   *-S) %clang $o %pass %s -o a.s && %clang a.s tables.o -o a ;; \
// RUN:   *) %clang $o %pass %s tables.o -o a ;; \
// RUN:   esac && ./a < /dev/null > out && FileCheck %s < out && ! grep "not in order" out || exit 1; \
// RUN: done
// RUN: strip a && ./a < /dev/null | FileCheck %s
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
void *volatile S;
int (*volatile pointer)(const char *) = puts;
void *(*volatile allocate)(size_t) = malloc;

__attribute__((noinline)) static int last(int n) { return n + pointer(""); }
static inline int inlined(int n) { return n + pointer("x"); }
__attribute__((noinline)) int jumps(int n) { return last(n + 1); }
void *must(size_t n) { __attribute__((musttail)) return malloc(n); }
/* The program's own function of that name allocates nothing. */
__attribute__((noinline)) static char *getcwd(const char *n) {
  return (char *)n + pointer(n);
}

int main(void) {
  char *text;
  size_t size = 0;
  struct { int x; } *typed = allocate(sizeof *typed);
  S = typed;
  if (asprintf(&text, "%d", 1) < 0) return 1;
  S = text;
  text = NULL;
  getdelim(&text, &size, ',', stdin);
  S = realpath("/", NULL);
  S = getcwd("y");
  S = must(9);
  int n = inlined(2);
  return jumps(n) < 0;
}
// CHECK-DAG: call: jumps {{.*}}call-table.c:21:53 calls last kind=call tail{{$}}
// CHECK-DAG: call: last {{.*}}call-table.c:19:63 calls - kind=call indirect{{$}}
// CHECK-DAG: call: inlined {{.*}}call-table.c:20:47 calls - kind=call indirect < main {{.*}}:40:11
// CHECK-DAG: call: must {{.*}}call-table.c:22:57 calls malloc kind=malloc {{.*}} tail
// CHECK-DAG: call: main {{.*}}call-table.c:31:30 calls - kind=call type=[struct (unnamed)] size=[sizeof *typed] count=[-] indirect
// CHECK-DAG: call: main {{.*}}call-table.c:33:7 calls asprintf kind=stdio
// CHECK-DAG: call: main {{.*}}call-table.c:36:3 calls getdelim kind=stdio
// CHECK-DAG: call: main {{.*}}call-table.c:37:7 calls realpath kind=string
// CHECK-DAG: call: main {{.*}}call-table.c:38:7 calls getcwd kind=call
