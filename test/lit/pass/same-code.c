// Code below which nothing can be allocated is the same to the byte as without
// the plugin, and so is what makes one such call, or ends in a jump. There is
// no section of debug information.
// RUN: for target in x86_64-linux-gnu aarch64-linux-gnu; do for o in -O1 -O2 -O3 -Os -Oz; do \
// RUN:   for x in "" -fPIC -fno-asynchronous-unwind-tables -fsanitize=undefined; do \
// RUN:     %clang --target=$target $o $x -c %s -o plain.o && \
// RUN:     %clang --target=$target $o $x %pass -c %s -o pass.o && \
// RUN:     llvm-objcopy -O binary -j .text plain.o plain.bin && \
// RUN:     llvm-objcopy -O binary -j .text pass.o pass.bin && \
// RUN:     cmp plain.bin pass.bin && \
// RUN:     llvm-readelf -SW pass.o | has benchmem_calls && \
// RUN:     ! llvm-readelf -SW pass.o | has debug_ || exit 1; \
// RUN:   done; \
// RUN: done; done
struct s { int x[9]; };
int g(int) __attribute__((pure));
int open(int);
extern int (*fp)(int);
int rec(int n) __attribute__((const));
int rec(int n) { return n < 2 ? n : rec(n - 1) + rec(n - 2); }
int f(int a, int b) {
  int s = 0;
  for (int i = 0; i < a; i++) {
    s += g(i) * b;
    if (s > 100)
      return fp(s);
    s += __builtin_memcmp(&s, &a, 3);
  }
  return open(s);
}
struct s h(struct s q) {
  struct s r = q;
  r.x[3] = open(r.x[2]);
  return r;
}
double m(double x) { return __builtin_sin(x) + (int)x / g(1); }
static int twice(int x) { return g(x) + g(x); }
int either(int c, int x) { return c ? twice(x) : twice(x); }
