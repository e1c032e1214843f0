// A benchmark that allocates nothing shows exactly 0.
// RUN: %benchmem-cc -O2 %s -o a && BENCHMEM_OUTPUT=p.bmem ./a && %figures p.bmem | %filecheck
int bench_nothing(int n)
{
    return n + 1;
}

int main(void)
{
    return bench_nothing(1) != 2;
}
// CHECK: totals allocations=0 frees=0 allocated=0 freed=0 peak=0 live=0 blocks=0
// CHECK: bench allocates-nothing.c::bench_nothing[n=1] passes=1 peak=0 allocated=0 allocations=0 retained=0
// CHECK-NOT: bench-site
