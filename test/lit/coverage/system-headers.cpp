// What is inlined from a system header is told apart by the line of the user's that it was inlined into.
// RUN: %benchmem-c++ -O2 %s -o a && ./a && %report --coverage --format csv >out && %filecheck-part --input-file=out && ! grep new_allocator out
// RUN: rm -rf .benchmem && BENCHMEM_OPTIONS=paths=sites ./a && %report --coverage --format csv >sites && has 'used.*,yes,' <sites
#include <vector>

using Numbers = std::vector<int>;

__attribute__((noinline)) Numbers *used(int n)
{
    return new Numbers(n);
}

__attribute__((noinline)) Numbers *unused(int n)
{
    return new Numbers(n);
}

int main(int argc, char **)
{
    delete used(100);
    if (argc > 5)
        delete unused(7);
}

// CHECK-DAG: ,10,12,used,new,operator new,std::vector<int>,,yes,1
// CHECK-DAG: ,10,16,used,new,operator new,int,{{.*}},yes,1
// CHECK-DAG: ,15,12,unused,new,operator new,std::vector<int>,,no,0
// CHECK-DAG: ,15,16,unused,new,operator new,int,{{.*}},no,0
