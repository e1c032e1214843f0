// Forms of delete that the C++ library defines call a form that the program replaced as often as without benchmem, and each block is freed once.
// RUN: for d in NONE PLAIN ARRAY; do %clangxx -std=c++17 -O1 -D$d %s -o plain && ./plain >want && %benchmem-c++ -std=c++17 -O1 -D$d %s -o a && BENCHMEM_OUTPUT=$d.bmem ./a >got && diff want got && BENCHMEM_DISABLE=1 ./a | diff want - && %figures $d.bmem >figures && has 'allocations=[0-9]* frees=7 ' figures && { ! has unknown_frees figures; } || { echo $d; exit 1; }; done
#include <cstdio>
#include <cstdlib>
#include <new>

void *volatile S;
static int nr_plain, nr_array;

#ifdef PLAIN
void operator delete(void *block) noexcept
{
    nr_plain++;
    std::free(block);
}
#endif
#ifdef ARRAY
void operator delete[](void *block) noexcept
{
    nr_array++;
    std::free(block);
}
#endif

static void *fresh(void *block)
{
    S = block;
    return S;
}

int main()
{
    operator delete(fresh(operator new(1)));
    operator delete(fresh(operator new(2)), std::size_t{2});
    operator delete(fresh(operator new(3)), std::nothrow);
    operator delete[](fresh(operator new[](4)));
    operator delete[](fresh(operator new[](5)), std::size_t{5});
    operator delete[](fresh(operator new[](6)), std::nothrow);
    operator delete(nullptr);
    char line[64];
    int size = std::snprintf(line, sizeof(line), "%d %d\n", nr_plain, nr_array);
    std::fwrite(line, 1, (std::size_t)size, stdout);
    std::fflush(stdout);
    std::free(fresh(std::malloc(7)));
}
