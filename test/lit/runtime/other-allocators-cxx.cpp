// new and delete of every form have the figures that they have with glibc, whatever allocator is preloaded or linked, first or last.
// REQUIRES: other-allocators
// RUN: %benchmem-c++ -std=c++17 -O2 %s -o a && BENCHMEM_OUTPUT=p.bmem ./a && %figures p.bmem >all && %filecheck --input-file=all && grep '^site' all >want
// RUN: for l in %other-allocators; do n=$(basename $l); LD_PRELOAD=$l BENCHMEM_OUTPUT=p$n.bmem ./a && %figures p$n.bmem >got && { has unknown_frees got && false || grep '^site' got | diff want -; } || { echo "preloaded $n"; exit 1; }; done
// RUN: for l in %other-allocators; do n=$(basename $l); %benchmem-c++ -std=c++17 -O2 %s -Wl,--no-as-needed $l -o b$n && %benchmem-c++ -std=c++17 -O2 $l %s -o c$n && for x in b c; do BENCHMEM_OUTPUT=$x$n.bmem ./$x$n && %figures $x$n.bmem >got && { has unknown_frees got && false || grep '^site' got | diff want -; } || { echo "linked $x $n"; exit 1; }; done; done
// RUN: BENCHMEM_OUTPUT=f.bmem ./a refuse && %figures f.bmem >got && has failed=1 got && grep '^site' got >refused && for l in $(printf '%%s\n' %other-allocators | grep -v mimalloc); do n=$(basename $l); LD_PRELOAD=$l BENCHMEM_OUTPUT=f$n.bmem ./a refuse && %figures f$n.bmem >got && has failed=1 got && grep '^site' got | diff refused - || { echo "refused $n"; exit 1; }; done
// RUN: for o in -static-libstdc++ -static '-Wl,-Bstatic -lstdc++ -Wl,-Bdynamic' -nostdlib++\ -lstdc++; do %benchmem-c++ -std=c++17 -O2 %s $o -o d && BENCHMEM_OUTPUT=d.bmem ./d && %figures d.bmem | grep '^site' | diff want - || { echo "with $o"; exit 1; }; rm d.bmem; done
// RUN: for l in %other-allocators; do n=$(basename $l); %clangxx -std=c++17 -O2 -g %s -o plain && LD_PRELOAD=%rtdir/libbenchmem_rt.so:$l BENCHMEM_OUTPUT=e$n.bmem ./plain && %figures e$n.bmem >got && has ' frees=12 allocated=[0-9]* freed=973 ' got && { ! has unknown_frees got; } || { echo "preloaded recorder, $n"; exit 1; }; done
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

void *volatile S;
struct alignas(64) Wide {
    char bytes[128];
};
Wide *volatile W;
Wide *volatile V;
static volatile std::size_t huge = ~(std::size_t)0 >> 1;

__attribute__((noinline)) static int refused()
{
    try {
        S = operator new(huge);
    } catch (const std::bad_alloc &) {
        return 0;
    }
    return 2;
}

int main(int argc, char **)
{
    // CHECK-NOT: unknown_frees
    // CHECK: end status=0
    S = operator new(48);
    // CHECK: site other-allocators-cxx.cpp:[[@LINE-1]] main new allocations=1 frees=1 allocated=48 {{.*}} live=0
    operator delete(S, (std::size_t)48);
    S = operator new[](100);
    // CHECK-NEXT: site other-allocators-cxx.cpp:[[@LINE-1]] main new[] allocations=1 frees=1 allocated=100 {{.*}} live=0
    operator delete[](S);
    S = new (std::nothrow) char[7];
    // CHECK-NEXT: site other-allocators-cxx.cpp:[[@LINE-1]] main new[] allocations=1 frees=1 allocated=7 {{.*}} live=0
    operator delete[](S, std::nothrow);
    W = new Wide;
    // CHECK-NEXT: site other-allocators-cxx.cpp:[[@LINE-1]] main new allocations=1 frees=1 allocated=128 {{.*}} live=0
    delete W;
    V = new Wide[3];
    // CHECK-NEXT: site other-allocators-cxx.cpp:[[@LINE-1]] main new[] allocations=1 frees=1 allocated=384 {{.*}} live=0
    delete[] V;
    S = operator new(0);
    // CHECK-NEXT: site other-allocators-cxx.cpp:[[@LINE-1]] main new allocations=1 frees=1 allocated=1 {{.*}} live=0
    operator delete(S);
    S = malloc(5);
    // CHECK-NEXT: site other-allocators-cxx.cpp:[[@LINE-1]] main malloc allocations=1 frees=1 allocated=5 {{.*}} live=0
    free(S);
    S = new int;
    // CHECK-NEXT: site other-allocators-cxx.cpp:[[@LINE-1]] main new allocations=1 frees=0 allocated=4 {{.*}} live=4
    std::vector<std::string> words(3, std::string(50, 'x'));
    return words.size() != 3 || (argc > 1 && refused());
}
