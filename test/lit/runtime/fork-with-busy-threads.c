// fork while other threads allocate: no hang, the parent exact, every child well-formed.
// RUN: %benchmem-cc -O2 -pthread %s -o a && mkdir d && BENCHMEM_OUTPUT=d/p.bmem timeout 300 ./a
// RUN: ls d | wc -l | has -x 21 && %figures d/*.bmem >/dev/null
// RUN: %figures d/p.bmem | %filecheck
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void *busy(void *unused)
{
    for (int i = 0; i < 50000; i++) {
        void *volatile block = malloc(32);
        // CHECK: site fork-with-busy-threads.c:[[@LINE-1]] busy malloc allocations=150000 frees=150000 allocated=4800000 {{.*}} live=0
        free(block);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    int failed = 0;

    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, busy, NULL);
    for (int i = 0; i < 20; i++) {
        int status = 1;
        pid_t child = fork();
        if (child == 0) {
            for (int n = 0; n < 100; n++) {
                void *volatile block = malloc(64);
                free(block);
            }
            _exit(0);
        }
        waitpid(child, &status, 0);
        failed |= status;
    }
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return failed != 0;
}
