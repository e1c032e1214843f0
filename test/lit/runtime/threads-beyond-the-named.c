// However many threads come and go, one after the other or at once, each call is counted; those beyond the first 1,000 share entries, and the profile says so.
// RUN: %benchmem-cc -O2 -pthread %s -o a && BENCHMEM_OUTPUT=p.bmem ./a 1 && %figures p.bmem | %filecheck && %report p.bmem | has 'very many threads: later ones share the entries of earlier ones'
// RUN: BENCHMEM_OUTPUT=q.bmem ./a 100 && %figures q.bmem | %filecheck
#include <pthread.h>
#include <stdlib.h>

#define COUNT 5000
#define MOST 100

static pthread_barrier_t gate;

static void *work(void *unused)
{
    void *volatile block = malloc(60);
    // CHECK: site threads-beyond-the-named.c:[[@LINE-1]] work malloc allocations=5000 frees=5000 allocated=300000 {{.*}} live=0
    free(block);
    pthread_barrier_wait(&gate);
    return unused;
}

int main(int argc, char **argv)
{
    unsigned at_once = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    pthread_t threads[MOST];

    pthread_barrier_init(&gate, NULL, at_once);
    for (unsigned i = 0; i < COUNT; i += at_once) {
        for (unsigned j = 0; j < at_once; j++)
            if (pthread_create(&threads[j], NULL, work, NULL))
                return 1;
        for (unsigned j = 0; j < at_once; j++)
            pthread_join(threads[j], NULL);
    }
    return 0;
}
