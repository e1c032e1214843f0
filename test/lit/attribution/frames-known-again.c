// The path of each block is the one by which it was asked for, in whatever
// order frames come, stay and go: the size of each says which one that is.
// RUN: for o in -O0 -O1 -O2 -O3 -Os "-O2 -fno-omit-frame-pointer" "-O2 -fstack-protector-strong" "-O1 -fPIC -fno-inline" "-O2 -fsanitize=undefined"; do \
// RUN:   %benchmem-cc $o %s -o a -pthread -lm && rm -f p.bmem && BENCHMEM_OUTPUT=p.bmem ./a >out && %check p.bmem && \
// RUN:   %report --by path --top 0 --format json p.bmem >p.json && %python %inputs/sizes_tell_paths.py p.json 200 || exit 1; \
// RUN: done
#include <alloca.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define AT ((code * 31 + __LINE__) % 9973)
#define GET free(block = malloc(16 + AT))
#define NOINLINE __attribute__((noinline))

static volatile unsigned after; // what follows a call is no jump
// Keeps blocks from being removed with what frees them.
static void *volatile block;

static unsigned draw(unsigned below) {
  static _Thread_local uint64_t state = 1;
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (state >> 33) % below;
}

static void go(unsigned code, int depth);

static NOINLINE void twice(unsigned code, int depth) {
  GET; GET;
  go(AT, depth - 1); after++;
  GET;
  go(AT, depth - 1); after++;
}

static void loop(unsigned code, int depth) {
  for (unsigned i = draw(3); i-- > 0;) {
    GET;
    if (draw(2)) go(AT, depth - 1);
    after++;
    char *p = malloc(16 + AT);
    block = p;
    block = p = realloc(p, 16 + AT);
    free(p);
  }
}

static NOINLINE void once(unsigned code, int depth) {
  go(AT, depth - 1); after++;
}

// Frames that are measured by the frame pointer, or rounded.
static NOINLINE void array(unsigned code, int depth) {
  volatile char *a = alloca(8 + draw(200));
  a[0] = 1;
  GET;
  go(AT, depth - 1); after++;
  GET;
}

static NOINLINE void aligned(unsigned code, int depth) {
  _Alignas(128) volatile char a[128];
  a[draw(100)] = 1;
  GET;
  go(AT, depth - 1); after++;
  GET;
}

static void (*volatile const pointers[])(unsigned, int) = {twice, loop, once, array};
static NOINLINE void pointer(unsigned code, int depth) {
  for (int i = 0; i < 2; i++) {
    GET;
    pointers[draw(4)](AT, depth - 1); after++;
  }
}

// Foreign code between.
static _Thread_local unsigned sorting;
static int compare(const void *a, const void *b) {
  unsigned code = sorting;
  GET;
  if (!draw(8)) go(AT, 1);
  after++;
  GET;
  return *(const int *)a - *(const int *)b;
}
static NOINLINE void sorts(unsigned code, int depth) {
  int a[] = {3, 1, 2};
  unsigned before = sorting;
  (void)depth;
  GET;
  sorting = AT; qsort(a, 3, sizeof(*a), compare);
  sorting = before;
  GET;
}

// Frames that are left all at once; the one that stays goes on.
static NOINLINE void dive(unsigned code, int depth, jmp_buf *out) {
  GET;
  if (depth > 0) { dive(AT, depth - 1, out); after++; }
  GET;
  longjmp(*out, 1);
}
static NOINLINE void jump(unsigned code, int depth) {
  volatile unsigned kept = code;
  jmp_buf out;
  if (setjmp(out) == 0) { dive(AT, 2, &out); after++; }
  code = kept;
  GET;
  go(AT, depth - 1); after++;
}

static _Thread_local volatile unsigned raised;
static void handler(int number) {
  unsigned code = raised;
  (void)number;
  GET;
  go(AT, 1); after++;
  GET;
}
static NOINLINE void signals(unsigned code, int depth) {
  (void)depth;
  GET;
  unsigned before = raised;
  raised = AT; raise(SIGUSR1); after++;
  raised = before;
  GET;
}

// A stack of its own, gone on with from anywhere, also on another thread.
static _Thread_local ucontext_t *caller;
static ucontext_t routine;
static char stack[1 << 18];
static NOINLINE void yields(unsigned code, int depth) {
  GET;
  if (depth > 0) { yields(AT, depth - 1); after++; }
  swapcontext(&routine, caller);
  GET;
}
static void coroutine(void) {
  unsigned code = 0;
  for (;;) {
    GET;
    yields(AT, draw(4)); after++;
    GET;
  }
}
static NOINLINE void resume(unsigned code, int depth) {
  ucontext_t here, *before = caller;
  (void)depth;
  GET;
  caller = &here;
  swapcontext(&here, &routine);
  caller = before;
  GET;
}

static void go(unsigned code, int depth) {
  if (depth <= 0) { GET; return; }
  switch (draw(10)) {
  case 0: twice(AT, depth); break;
  case 1: loop(AT, depth); break;
  case 2: once(AT, depth); break;
  case 3: array(AT, depth); break;
  case 4: aligned(AT, depth); break;
  case 5: pointer(AT, depth); break;
  case 6: sorts(AT, depth); break;
  case 7: jump(AT, depth); break;
  case 8: signals(AT, depth); break;
  default: GET; GET; break;
  }
  after++;
}

static void *thread(void *arg) {
  unsigned code = 0;
  for (int i = 0; i < 150; i++) {
    go(AT, 4); after++;
    if (i % 10 == 0) { resume(AT, 0); after++; }
  }
  return arg;
}

int main(void) {
  unsigned code = 0;
  pthread_t other;
  signal(SIGUSR1, handler);
  getcontext(&routine);
  routine.uc_stack.ss_sp = stack;
  routine.uc_stack.ss_size = sizeof(stack);
  makecontext(&routine, coroutine, 0);
  for (int i = 0; i < 300; i++) {
    go(AT, 5); after++;
    if (i % 10 == 0) { resume(AT, 0); after++; }
  }
  if (pthread_create(&other, NULL, thread, NULL)) return 1;
  pthread_join(other, NULL);
  for (int i = 0; i < 100; i++) { go(AT, 4); after++; }
  resume(AT, 0); after++;
  return 0;
}
