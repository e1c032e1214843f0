// Destructors of thread-specific data that allocate and free are counted, also of threads that come and go.
// RUN: %benchmem-cc -O2 -pthread %s -o a && BENCHMEM_OUTPUT=p.bmem timeout 300 ./a && %figures p.bmem | %filecheck
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;
void *volatile S;

static void drop(void *block)
{
    void *volatile last = malloc(9);
    // CHECK: site threads-end.c:[[@LINE-1]] drop malloc allocations=300 frees=300 allocated=2700 peak=9 {{.*}} live=0
    free(block);
    free(last);
}

static void *work(void *unused)
{
    pthread_setspecific(key, malloc(11));
    // CHECK-NEXT: site threads-end.c:[[@LINE-1]] work malloc allocations=300 frees=300 allocated=3300 peak=11 {{.*}} live=0
    return unused;
}

int main(void)
{
    pthread_key_create(&key, drop);
    for (int i = 0; i < 300; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, work, NULL))
            return 1;
        pthread_join(thread, NULL);
    }
    return 0;
}
