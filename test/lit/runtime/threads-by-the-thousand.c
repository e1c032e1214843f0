// 2,000 threads that hold blocks at once are counted to the byte, in a profile of a few KiB for each.
// RUN: %benchmem-cc -O1 -fno-builtin -pthread %s -o a && BENCHMEM_OUTPUT=p.bmem ./a && %figures p.bmem | %filecheck-part
// RUN: test $(wc -c <p.bmem) -lt 16000000
// CHECK: site {{.*}}work malloc allocations=8000 frees=8000 allocated=800000 peak=800000 at_peak=800000 live=0
// CHECK: site {{.*}}work malloc allocations=100000 frees=100000 allocated=7450000 {{.*}}live=0
#include <pthread.h>
#include <stdlib.h>

#define NR_THREADS 2000

static pthread_barrier_t together;

static void *work(void *unused)
{
    void *blocks[4];

    for (int i = 0; i < 4; i++)
        blocks[i] = malloc(100);
    pthread_barrier_wait(&together);
    for (int i = 0; i < 4; i++)
        free(blocks[i]);
    for (size_t i = 0; i < 50; i++)
        free(malloc(50 + i));
    pthread_barrier_wait(&together);
    return unused;
}

int main(void)
{
    static pthread_t threads[NR_THREADS];
    pthread_attr_t small;

    if (pthread_attr_init(&small) ||
        pthread_attr_setstacksize(&small, 65536) ||
        pthread_barrier_init(&together, NULL, NR_THREADS))
        return 1;
    for (int i = 0; i < NR_THREADS; i++)
        if (pthread_create(&threads[i], &small, work, NULL))
            return 1;
    for (int i = 0; i < NR_THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
