// A program that allocates nothing itself has its frames in the paths too, when all else is in an instrumented library.
// RUN: %benchmem-cc -O2 -fPIC -shared -DLIBRARY %s -o libmake.so && %benchmem-cc -O2 %s -o a ./libmake.so
// RUN: %benchmem-run -o a.bmem ./a && %shapes a.bmem | %filecheck
// RUN: %benchmem-cc -O2 -fPIC -shared -DMIDDLE %s -o libmiddle.so ./libmake.so && %benchmem-cc -O2 -Dmake=middle %s -o b ./libmiddle.so -Wl,-rpath-link,.
// RUN: %benchmem-run -o b.bmem ./b && %shapes b.bmem | %filecheck --check-prefix=MIDDLE
#include <stdlib.h>
void *volatile S;
#if defined LIBRARY
void *make(size_t n)
{
    S = malloc(n);
    return S;
}
#elif defined MIDDLE
void *make(size_t n);
void *middle(size_t n)
{
    void *made = make(n);
    S = made;
    return made;
}
#else
void *make(size_t n);
int main(void)
{
    S = make(30);
    // CHECK: 30 main:[[@LINE-1]] make:11
    // MIDDLE: 30 main:[[@LINE-2]] middle:18 make:11
    return 0;
}
#endif
