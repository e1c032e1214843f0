// What instruments each function or block comes into it behind the optimizer,
// perhaps before its stamp is emptied: paths through such calls are right too.
// RUN: for o in -O0 -O2; do \
// RUN:   for f in -finstrument-functions-after-inlining -fsanitize-coverage=trace-pc -pg; do \
// RUN:     %benchmem-cc $o $f %s -o a && rm -f p.bmem && BENCHMEM_OUTPUT=p.bmem ./a && %check p.bmem && \
// RUN:     %report --by path --top 0 --format json p.bmem >p.json && \
// RUN:     %python %inputs/sizes_by_caller.py p.json leaf one=17 two=18 || exit 1; \
// RUN:   done; \
// RUN: done
#include <stdlib.h>

#define NOINLINE __attribute__((noinline))
#define INLINE __attribute__((always_inline)) inline
#define BARE                                                                   \
  __attribute__((noinline, no_instrument_function, no_sanitize("coverage")))

static volatile unsigned after; // what follows a call is no jump
static volatile int way, is_inside;
static void *volatile block; // keeps pairs from being removed
#define GET(size) (block = malloc(size), free(block))

BARE static void asks(void) {
  GET(16 + way);
  GET(16 + way);
}

BARE static void called(void) {
  if (is_inside)
    return;
  is_inside = 1;
  asks(); after++;
  asks(); after++;
  is_inside = 0;
}

BARE void __cyg_profile_func_enter(void *function, void *site) {
  (void)function, (void)site;
  called(); after++;
}
BARE void __cyg_profile_func_exit(void *function, void *site) {
  (void)function, (void)site;
  called(); after++;
}
BARE void __sanitizer_cov_trace_pc(void) { called(); after++; }
BARE void mcount(void) { called(); after++; }

// Its second frame lies where the first one lay, with what is left of that.
NOINLINE static void leaf(int n) {
  for (int i = 0; i < n; i++)
    GET(16 + way);
}

INLINE static void one(int n) { leaf(n); after++; }
INLINE static void two(int n) { leaf(n); after++; }

int main(void) {
  for (volatile int i = 1; i < 4; i++) {
    way = 1;
    one(i);
    way = 2;
    two(i);
  }
  return 0;
}
