// Threads that mark their own parts of one block, and blocks that one thread makes and another frees: nothing is lost.
// RUN: %benchmem-cc -O2 --benchmem-access -pthread %s -o a && BENCHMEM_OUTPUT=p.bmem ./a
// RUN: %figures --access p.bmem | %filecheck
#include <pthread.h>
#include <stdlib.h>

#define THREADS 4
#define PART 1003 // parts share cells of 16 bytes

char *volatile shared;

static void *fill(void *number)
{
    long n = (long)number;

    for (int round = 0; round < 100; round++)
        for (long i = n * PART; i < (n + 1) * PART - 3; i++)
            ((volatile char *)shared)[i] = 1;
    // Allocated here, freed by main; read by both.
    int *mine = malloc(40);
    // CHECK: access {{.*}}:[[@LINE-1]] blocks=4 bytes=160 unseen=0 untouched=144 never_written=144 never_read=0 {{.*}}
    *(volatile int *)mine = 1;
    return mine;
}

int main(void)
{
    pthread_t threads[THREADS];
    int sum = 0;

    shared = malloc(THREADS * PART);
    // CHECK-NEXT: access {{.*}}:[[@LINE-1]] blocks=1 bytes=4012 unseen=0 untouched=12 never_written=12 never_read=4000 {{.*}}
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, fill, (void *)i);
    // CHECK-NEXT: access {{.*}}:[[@LINE-1]] {{.*}}
    for (int i = 0; i < THREADS; i++) {
        void *mine;
        pthread_join(threads[i], &mine);
        sum += *(volatile int *)mine;
        free(mine);
    }
    free(shared);
    return sum != THREADS;
}
