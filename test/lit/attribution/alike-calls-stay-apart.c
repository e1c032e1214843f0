// Two calls alike in both arms of a branch are two sites; the optimizer must not merge them.
// RUN: %each-build --figures=--column %s %s
#include <stdlib.h>

void *volatile S;
volatile int turn;

__attribute__((noinline)) static void *pick(int left)
{
    if (left)
        return malloc(40);
    // CHECK: site alike-calls-stay-apart.c:[[@LINE-1]]:16 pick malloc allocations=2 frees=0 allocated=80 peak=80 at_peak=80 live=80
    return malloc(40);
    // CHECK-NEXT: site alike-calls-stay-apart.c:[[@LINE-1]]:12 pick malloc allocations=1 frees=0 allocated=40 peak=40 at_peak=40 live=40
}

int main(void)
{
    for (turn = 0; turn < 3; turn++)
        S = pick(turn % 2 == 0);
    // Two on one line are told apart by their columns.
    S = turn == 3 ? malloc(1) : malloc(2); S = malloc(3);
    // CHECK-NEXT: site alike-calls-stay-apart.c:[[@LINE-1]]:21 main malloc allocations=1 frees=0 allocated=1 {{.*}}
    // CHECK-NEXT: site alike-calls-stay-apart.c:[[@LINE-2]]:48 main malloc allocations=1 frees=0 allocated=3 {{.*}}
    // CHECK-NOT: site
    return 0;
}
