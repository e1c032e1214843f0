// Threads that allocate at once while others fork: no hang, no turn is lost, each profile keeps its identities and each child has figures of its own.
// RUN: %benchmem-cc -O2 -pthread %s -o a && mkdir d && BENCHMEM_OPTIONS=saves=1 BENCHMEM_OUTPUT=d/p.bmem timeout 300 ./a
// RUN: ls d | wc -l | has -x 11 && %figures d/*.bmem >/dev/null && for p in d/*.bmem; do %report $p --worst saves >out && test -z "$(grep 'given up' out)" || exit 1; done
// RUN: %figures d/p.bmem | has 'site busy-threads.c:15 busy malloc allocations=60000 frees=60000 allocated=1920000 .* live=0'
// What stays to the end is what the peak cannot do without.
// RUN: %report d/p.bmem --format csv | has ',main,malloc,malloc,.*,1,0,1000000,1000000,1000000,1000000,1,0,1000000$'
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void *busy(void *unused)
{
    for (int i = 0; i < 20000; i++) {
        void *volatile block = malloc(32);
        free(block);
    }
    return unused;
}

static void *volatile kept;

int main(void)
{
    pthread_t threads[3];
    int failed = 0;

    kept = malloc(1000000);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, busy, NULL);
    for (int i = 0; i < 10; i++) {
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
