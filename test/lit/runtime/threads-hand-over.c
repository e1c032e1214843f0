// A block that one thread allocates and another frees ends at its own site.
// RUN: %benchmem-cc -O2 -pthread %s -o a && BENCHMEM_OUTPUT=p.bmem timeout 300 ./a && %figures p.bmem | %filecheck
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(void *) slots[64];

static void *produce(void *unused)
{
    for (int i = 0; i < 200000; i++) {
        void *block = malloc(48);
        // CHECK: site threads-hand-over.c:[[@LINE-1]] produce malloc allocations=400000 frees=400000 allocated=19200000 {{.*}} live=0
        while (1) {
            void *expected = NULL;
            if (atomic_compare_exchange_strong(&slots[i % 64], &expected, block))
                break;
            sched_yield();
        }
    }
    return unused;
}

static void *consume(void *unused)
{
    for (int i = 0; i < 400000;) {
        void *block = atomic_exchange(&slots[rand_r(&(unsigned){(unsigned)i}) % 64], NULL);
        for (int s = 0; !block && s < 64; s++)
            block = atomic_exchange(&slots[s], NULL);
        if (block)
            i++;
        else
            sched_yield();
        free(block);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[3];

    pthread_create(&threads[0], NULL, produce, NULL);
    pthread_create(&threads[1], NULL, produce, NULL);
    pthread_create(&threads[2], NULL, consume, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
