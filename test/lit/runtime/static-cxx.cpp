// A static C++ program, whose operator new is linked in, has the same figures.
// RUN: for f in -static -static-pie '-static-libstdc++ -static-libgcc'; do n=$(echo "$f" | tr -d ' '); %benchmem-c++ -O2 $f %s -o a$n && BENCHMEM_OUTPUT=p$n.bmem ./a$n && %figures p$n.bmem | %filecheck || exit 1; done
void *volatile S;

int main()
{
    int *volatile numbers = new int[10];
    // CHECK: site static-cxx.cpp:[[@LINE-1]] main new[] allocations=1 frees=1 allocated=40 peak=40 {{.*}} live=0
    delete[] numbers;
    S = new long;
    // CHECK-NEXT: site static-cxx.cpp:[[@LINE-1]] main new allocations=1 frees=0 allocated=8 peak=8 {{.*}} live=8
    return 0;
}
