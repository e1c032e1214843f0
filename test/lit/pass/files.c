// A file is called what it was called on the command line: absolute or not, without
// leading ./ and ../, prefix maps applied; the folder of the compilation is kept.
// RUN: %tables
// RUN: mkdir -p sub/deep other && cp %s sub/deep/x.c && root=$PWD
// RUN: check() { clang=$1; shift; %clang %pass "$@" tables.o -o a && ./a | FileCheck --check-prefix=$clang %s; }
// RUN: check GIVEN sub/deep/x.c
// RUN: check GIVEN ./sub/deep/x.c
// RUN: check GIVEN .//./sub/deep/x.c
// RUN: cd other && cp ../tables.o . && check GIVEN ../sub/deep/x.c && cd ..
// RUN: check WHOLE $root/sub/deep/x.c
// RUN: cd other && check WHOLE $root/sub/deep/x.c && cd ..
// RUN: check MAPPED $root/sub/deep/x.c -ffile-prefix-map=$root=/src
// RUN: check MAPPED $root/sub/deep/x.c -fdebug-prefix-map=$root/=/src/
// RUN: check SHORT $root/sub/deep/x.c -ffile-prefix-map=$root/sub/=
// RUN: check GIVEN -DSTDIN='"sub/deep/x.c"' -x c - -x none < sub/deep/x.c
#ifdef STDIN
#line 18 STDIN
#endif
#include <stdlib.h>
void *volatile S;
int main(void) {
  // GIVEN: hook malloc: main sub/deep/x.c:[[@LINE+4]]:7
  // WHOLE: hook malloc: main /{{.*}}/sub/deep/x.c:[[@LINE+3]]:7
  // MAPPED: hook malloc: main /src/sub/deep/x.c:[[@LINE+2]]:7
  // SHORT: hook malloc: main deep/x.c:[[@LINE+1]]:7
  S = malloc(1);
#line 7 "generated.y"
  // GIVEN: hook malloc: main generated.y:8:7
  S = malloc(2);
  return 0;
}
