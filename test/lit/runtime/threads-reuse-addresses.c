// Threads that free and reuse each other's addresses lose and double nothing.
// RUN: %benchmem-cc -O2 -pthread %s -o a && BENCHMEM_OUTPUT=p.bmem timeout 300 ./a && %figures p.bmem >got && %filecheck --input-file=got
// RUN: not grep -q unknown_frees got
#include <pthread.h>
#include <stdlib.h>

static void *work(void *unused)
{
    for (int i = 0; i < 100000; i++) {
        void *volatile p = malloc(64);
        // CHECK: site threads-reuse-addresses.c:[[@LINE-1]] work malloc allocations=800000 frees=800000 allocated=51200000 peak={{64|128|192|256|320|384|448|512}} at_peak={{[0-9]+}} live=0
        free(p);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[8];

    for (int i = 0; i < 8; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    // CHECK-NEXT: site threads-reuse-addresses.c:[[@LINE-1]] main via {{.*}}
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
