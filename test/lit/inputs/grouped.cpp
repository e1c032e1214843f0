#include <cstdlib>
#include <vector>

struct item {
    long value[4];
};

void *volatile S;

__attribute__((noinline)) void grow(int n)
{
    for (int i = 0; i < n; i++)
        S = new item;
    S = std::malloc(100);
}

void bench_vector(int n)
{
    std::vector<long> numbers;
    for (int i = 0; i < n; i++)
        numbers.push_back(i);
    S = numbers.data();
}

int main()
{
    grow(3);
    bench_vector(100);
    return 0;
}
