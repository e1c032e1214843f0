// What each site held at the peak is exact, though sites change after it, and it sums to the peak.
// RUN: %each-build --levels="-O0 -O2" %s %s
#include <stdlib.h>

static void *early, *steady, *late;
void *volatile S;

int main(void)
{
    // live: 100, 400, 1000 (a low peak), 400, 300, 900, 1500 (the peak), 900, 1300
    // CHECK: totals allocations=6 frees=3 allocated=2600 freed=1300 peak=1500 live=1300 blocks=3
    // CHECK-NEXT: end status=0
    early = malloc(100);
    // CHECK-NEXT: site who-held-the-peak.c:[[@LINE-1]] main malloc allocations=1 frees=1 allocated=100 peak=100 at_peak=0 live=0
    S = early;
    steady = malloc(300);
    // CHECK-NEXT: site who-held-the-peak.c:[[@LINE-1]] main malloc allocations=1 frees=0 allocated=300 peak=300 at_peak=300 live=300
    S = steady;
    late = malloc(600);
    // CHECK-NEXT: site who-held-the-peak.c:[[@LINE-1]] main malloc allocations=1 frees=1 allocated=600 peak=600 at_peak=0 live=0
    S = late;
    free(late);
    free(early);
    late = malloc(600);
    // CHECK-NEXT: site who-held-the-peak.c:[[@LINE-1]] main malloc allocations=1 frees=0 allocated=600 peak=600 at_peak=600 live=600
    S = late;
    for (int i = 0; i < 2; i++) {
        // The same site at the peak, and then again with less: 600, 0, 400.
        early = malloc(i ? 400 : 600);
        // CHECK-NEXT: site who-held-the-peak.c:[[@LINE-1]] main malloc allocations=2 frees=1 allocated=1000 peak=600 at_peak=600 live=400
        S = early;
        if (i == 0)
            free(early);
    }
    // CHECK-NOT: site
    return 0;
}
