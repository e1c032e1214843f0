// A window counts blocks made on any thread while it is open; a thread that ends inside a benchmark closes it.
// RUN: %benchmem-cc -O2 -pthread %s -o a && BENCHMEM_OUTPUT=p.bmem ./a && %figures p.bmem | %filecheck
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t open_now, done;
void *volatile S, *volatile T;

static void *helper(void *unused)
{
    pthread_barrier_wait(&open_now);
    T = malloc(500);
    pthread_barrier_wait(&done);
    return unused;
}

void bench_waits(void)
{
    S = malloc(100);
    pthread_barrier_wait(&open_now);
    pthread_barrier_wait(&done);
    free(S);
    free(T);
}

void bench_exits(void)
{
    S = malloc(30);
    pthread_exit(NULL);
}

static void *leaver(void *unused)
{
    bench_exits();
    return unused;
}

void bench_after(void)
{
    S = malloc(3);
    free(S);
}

int main(void)
{
    pthread_t thread;

    pthread_barrier_init(&open_now, NULL, 2);
    pthread_barrier_init(&done, NULL, 2);
    if (pthread_create(&thread, NULL, helper, NULL))
        return 1;
    bench_waits();
    pthread_join(thread, NULL);
    if (pthread_create(&thread, NULL, leaver, NULL))
        return 1;
    pthread_join(thread, NULL);
    bench_after();
    return 0;
}
// CHECK-DAG: bench threads-inside.c::bench_waits passes=1 peak=600 allocated=600 allocations=2 retained=0
// CHECK-DAG: bench-site threads-inside.c:12 helper malloc allocations=1 frees=1 allocated=500 peak=500 at_peak=500 live=0
// pthread_exit loads libgcc_s, whose blocks are the benchmark's too.
// CHECK-DAG: bench threads-inside.c::bench_exits passes=1 peak={{.*}}
// CHECK-DAG: bench-site threads-inside.c:28 bench_exits malloc allocations=1 frees=0 allocated=30 peak=30 at_peak=30 live=30
// CHECK-DAG: bench threads-inside.c::bench_after passes=1 peak=3 allocated=3 allocations=1 retained=0
