// The folder of the compilation is kept beside a file's name, mapped as it is.
// RUN: cp %s x.c && %clang -O1 %pass -S x.c -o a.s
// RUN: grep -F "\"f\\000x.c\\000$PWD\\000" a.s
// RUN: %clang -O1 %pass -S x.c -ffile-prefix-map=$PWD=/mapped -o a.s
// RUN: grep -F '"f\000x.c\000/mapped\000' a.s && ! has "$PWD" a.s
void g(void);
void f(void) {
  g();
  g();
}
