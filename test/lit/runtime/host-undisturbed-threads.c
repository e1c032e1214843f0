// A recorded program does what the plain one does, however it and its threads end.
// RUN: %clang -O2 -pthread -I%inputs %s -o plain && %benchmem-cc -O2 -pthread -I%inputs %s -o recorded && %python %inputs/same_behaviour.py %s plain recorded
// RUN: %clang -O2 -pthread -static -I%inputs %s -o plainstatic && %benchmem-cc -O2 -pthread -static -I%inputs %s -o static && %python %inputs/same_behaviour.py %s plainstatic static
// RUN: test $(find . -name '*.bmem' -size +0 | wc -l) -gt 24 && test -z "$(find . -name '*.bmem' -size 0)"
//
// CASE: exit-in-thread | $X threadexit
// CASE: main-thread-ends | $X mainends
// CASE: detached-at-exit | $X detached
// CASE: cancelled | $X cancelled
// CASE: destructors-of-keys | $X keys
// CASE: short-threads | $X threads 3000
// CASE: many-exit-handlers | $X atexit
#include "host.h"
#include <pthread.h>

static void *leave(void *unused)
{
    churn(1000);
    exit(19);
    return unused;
}

static int threadexit(void)
{
    pthread_t thread;

    for (int i = 0; i < 3; i++)
        pthread_create(&thread, NULL, busy, NULL);
    pthread_create(&thread, NULL, leave, NULL);
    pthread_join(thread, NULL);
    return 1;
}

static void *say_later(void *unused)
{
    usleep(20000);
    puts("the last thread");
    churn(100);
    return unused;
}

static int mainends(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, say_later, NULL);
    pthread_exit(NULL);
}

static int detached(void)
{
    pthread_t thread;

    for (int i = 0; i < 8; i++) {
        pthread_create(&thread, NULL, busy, NULL);
        pthread_detach(thread);
    }
    return churn(10000) ? 1 : 20;
}

static void *until_cancelled(void *unused)
{
    void *volatile block = malloc(10);

    pthread_cleanup_push(free, block);
    for (;;) {
        churn(10);
        pthread_testcancel();
    }
    pthread_cleanup_pop(1);
    return unused;
}

static int cancelled(void)
{
    pthread_t thread;
    void *result;

    for (int i = 0; i < 50; i++) {
        pthread_create(&thread, NULL, until_cancelled, NULL);
        pthread_cancel(thread);
        pthread_join(thread, &result);
        if (result != PTHREAD_CANCELED)
            return 1;
    }
    puts("cancelled");
    return 0;
}

static pthread_key_t key;
static void at_thread_end(void *block)
{
    free(block);
    free(strdup("once more"));
}

static void *with_key(void *unused)
{
    pthread_setspecific(key, malloc(50));
    return unused;
}

static int run_threads(int count, void *(*body)(void *))
{
    pthread_t thread;

    for (int i = 0; i < count; i++)
        if (pthread_create(&thread, NULL, body, NULL) ||
            pthread_join(thread, NULL))
            return 1;
    printf("%d threads\n", count);
    return 0;
}

static int keys(void)
{
    pthread_key_create(&key, at_thread_end);
    return run_threads(200, with_key);
}

static void *short_lived(void *unused)
{
    free(malloc(10));
    return unused;
}

static int threads(void)
{
    return run_threads(atoi(args[2]), short_lived);
}

static void at_end(void)
{
    free(strdup("at exit"));
}

static int by_atexit(void)
{
    for (int i = 0; i < 200; i++)
        atexit(at_end);
    return churn(10);
}

static const struct way ways[] = {
    {"threadexit", threadexit},
    {"mainends", mainends},
    {"detached", detached},
    {"cancelled", cancelled},
    {"keys", keys},
    {"threads", threads},
    {"atexit", by_atexit},
};
WAYS(ways)
