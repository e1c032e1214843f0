// With sites only, what libraries allocate is charged to the same calls as with full paths, also where two calls reach malloc by the same stack but for one word.
// RUN: %benchmem-c++ -O2 %s -o a && for o in full sites; do BENCHMEM_OPTIONS=paths=$o BENCHMEM_OUTPUT=$o.bmem ./a && %figures $o.bmem | grep '^site' >$o; done; diff full sites && cat sites | %filecheck
#include <cstdlib>
#include <string>

static void *(*volatile allocate)(std::size_t) = std::malloc;

struct Words {
    std::string first, second;
};

// Both calls at the same depth, and each at many; how often either allocates is
// the library's choice.
__attribute__((noinline)) static void grow(Words &words, int depth)
{
    volatile char room[64] = {0};

    if (depth > 0)
        grow(words, depth - 1);
    words.first.append(24 + room[0], 'a');
    words.second.append(48 + room[0], 'b');
}

__attribute__((noinline)) static void through_a_pointer()
{
    // CHECK-DAG: site sites-of-library-calls.cpp:[[@LINE+1]] {{.*}} malloc allocations=20 frees=20 allocated=60 {{.*}}
    void *volatile one = allocate(3);
    // CHECK-DAG: site sites-of-library-calls.cpp:[[@LINE+1]] {{.*}} malloc allocations=20 frees=20 allocated=100 {{.*}}
    void *volatile other = allocate(5);

    std::free(one);
    std::free(other);
}

int main()
{
    for (int i = 0; i < 20; i++) {
        Words words;

        grow(words, i % 4 + 4);
        through_a_pointer();
    }
}
