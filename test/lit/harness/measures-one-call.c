// benchmem_measure gives one call's exact figures, on whatever thread it allocates; within a window it measures nothing.
// RUN: %benchmem-cc -O2 -pthread %s -o a && BENCHMEM_OUTPUT=p.bmem ./a && %figures p.bmem >/dev/null
// RUN: BENCHMEM_DISABLE=1 ./a plain
#include <assert.h>
#include <benchmem/benchmem.h>
#include <pthread.h>
#include <setjmp.h>

void *volatile kept;
static jmp_buf out;

static void leave_some(void *size)
{
    void *p = malloc(*(size_t *)size);
    benchmem_keep(p);
    kept = malloc(10);
    free(p);
}

static void *on_thread(void *size)
{
    leave_some(size);
    return NULL;
}

static void start_thread(void *size)
{
    pthread_t thread;
    pthread_create(&thread, NULL, on_thread, size);
    pthread_join(thread, NULL);
}

static void do_nothing(void *unused)
{
    (void)unused;
}

static void jump_out(void *unused)
{
    kept = malloc(20);
    longjmp(out, !unused);
}

static void measure_inside(void *size)
{
    struct benchmem_result inner;
    assert(!benchmem_measure(leave_some, size, &inner));
    assert(inner.allocations == 0);
}

int main(int argc, char **argv)
{
    struct benchmem_result r;
    size_t size = 100;
    bool records = argc == 1;

    (void)argv;
    assert(benchmem_measure(leave_some, &size, &r) == records);
    assert(!records || (r.peak_bytes == 110 && r.allocated_bytes == 110 &&
                        r.allocations == 2 && r.retained_bytes == 10));
    assert(benchmem_measure(do_nothing, NULL, &r) == records);
    assert(r.peak_bytes == 0 && r.allocated_bytes == 0 && r.allocations == 0);
    assert(benchmem_measure(start_thread, &size, &r) == records);
    assert(!records || r.peak_bytes >= 110); /* and what libc needs for it */
    if (setjmp(out) == 0)
        benchmem_measure(jump_out, NULL, &r);
    assert(benchmem_measure(measure_inside, &size, &r) == records);
    assert(!records || (r.allocations == 2 && r.retained_bytes == 10));
    return 0;
}
