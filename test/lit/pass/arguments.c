// An argument that the plugin does not know, or cannot read, is an error that
// names it.
// RUN: ! %clang %pass -fplugin-arg-benchmem-speed=9 -c %s -o a.o 2> err; FileCheck --check-prefix=UNKNOWN %s < err; ! test -e a.o
// RUN: ! %clang %pass -fplugin-arg-benchmem-benchmark= -c %s -o a.o 2> err; FileCheck --check-prefix=EMPTY %s < err
// RUN: ! %clang %pass '-fplugin-arg-benchmem-benchmark=a[' -c %s -o a.o 2> err; FileCheck --check-prefix=GLOB %s < err
// UNKNOWN: error: benchmem: unknown plugin argument: speed=9
// EMPTY: error: benchmem: unknown plugin argument: benchmark=
// GLOB: error: benchmem: benchmark=a[: invalid glob pattern
int x;
