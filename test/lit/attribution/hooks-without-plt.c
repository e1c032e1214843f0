// Calls of hooks that would go through a register, as several of one function
// do with -fno-plt, are each one frame of a path.
// RUN: for o in -O0 "-O1 -fPIC" "-O2 -fPIC" -O2; do \
// RUN:   %benchmem-cc $o -fno-plt %s -o a && rm -f p.bmem && BENCHMEM_OUTPUT=p.bmem ./a && %check p.bmem && \
// RUN:   %report --by path --top 0 --format json p.bmem >p.json && \
// RUN:   %python %inputs/sizes_tell_paths.py p.json 3 || exit 1; \
// RUN: done
#include <stdlib.h>

// What the lines of a path make of it: see sizes_tell_paths.py.
#define AT(code) (((code) * 31 + __LINE__) % 9973)

static volatile unsigned after; // what follows a call is no jump
static void *volatile block;

#define CALL 26 // the line of main's
__attribute__((noinline)) void asks(void) {
  block = malloc(16 + AT(CALL)); free(block);
  block = malloc(16 + AT(CALL)); free(block);
  block = malloc(16 + AT(CALL)); free(block);
  after++;
}

int main(void) {
  for (volatile int i = 0; i < 3; i++) {
    asks(); after++;
  }
  return 0;
}
