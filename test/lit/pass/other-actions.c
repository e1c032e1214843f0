// What makes no code is as if the plugin were not there.
// RUN: for action in -E -M -MM -fsyntax-only "-Xclang -ast-print -fsyntax-only" "-E -dM"; do \
// RUN:   %clang $action %s > plain.out 2> plain.err; plain=$?; \
// RUN:   %clang -fplugin=%plugin -fpass-plugin=%plugin $action %s > with.out 2> with.err; with=$?; \
// RUN:   cmp plain.out with.out && cmp plain.err with.err && test $plain = $with || exit 1; \
// RUN: done
// Errors are the compiler's own.
// RUN: ! %clang -DBROKEN -c %s -o a.o 2> plain.err
// RUN: ! %clang %pass -DBROKEN -c %s -o a.o 2> with.err && cmp plain.err with.err
#include <stdlib.h>
#ifdef BROKEN
struct unknown *p = malloc(sizeof *p);
#endif
void *f(void) { return malloc(1); }
