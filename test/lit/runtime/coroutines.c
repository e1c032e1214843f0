// A coroutine that goes on in another thread is counted on the right sites.
// RUN: for f in -g0 '-flto -fuse-ld=lld'; do n=$(echo "$f" | tr -d ' '); %benchmem-cc -O2 -pthread $f %s -o a$n && BENCHMEM_OUTPUT=p$n.bmem timeout 300 ./a$n && %figures p$n.bmem | %filecheck || exit 1; done
// REQUIRES: lld
#include <pthread.h>
#include <stdlib.h>
#include <ucontext.h>

static ucontext_t home, coroutine;
static _Alignas(16) char stack[1 << 16];
void *volatile S;

static void body(void)
{
    S = malloc(10);
    // CHECK: site coroutines.c:[[@LINE-1]] body malloc allocations=1 frees=0 allocated=10 {{.*}} live=10
    swapcontext(&coroutine, &home);
    S = malloc(20);
    // CHECK-NEXT: site coroutines.c:[[@LINE-1]] body malloc allocations=1 frees=0 allocated=20 {{.*}} live=20
    swapcontext(&coroutine, &home);
}

static void *resume(void *unused)
{
    swapcontext(&home, &coroutine);
    return unused;
}

int main(void)
{
    pthread_t thread;

    getcontext(&coroutine);
    coroutine.uc_stack.ss_sp = stack;
    coroutine.uc_stack.ss_size = sizeof(stack);
    coroutine.uc_link = NULL;
    makecontext(&coroutine, body, 0);
    swapcontext(&home, &coroutine);
    if (pthread_create(&thread, NULL, resume, NULL))
        return 1;
    pthread_join(thread, NULL);
    return 0;
}
