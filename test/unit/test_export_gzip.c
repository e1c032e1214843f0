/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * zlib's gzip, with and without a thread. The program's calls of
 * pthread_create go through the test.
 */
#include "test/unit/gzip_round_trip.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>

static size_t nr_threads;
static bool threads_fail;

int __real_pthread_create(pthread_t *, const pthread_attr_t *,
                          void *(*)(void *), void *);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                          void *(*start)(void *), void *argument)
{
    if (threads_fail)
        return EAGAIN;
    nr_threads++;
    return __real_pthread_create(thread, attributes, start, argument);
}

static void much_goes_through_a_thread(void **state)
{
    (void)state;
    nr_threads = 0;
    check_sizes();
    assert_int_equal(nr_threads, 2 * 5); /* those of at least 1 MiB */
}

static void threads_can_be_lacking(void **state)
{
    (void)state;
    threads_fail = true;
    check_sizes();
    threads_fail = false;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(much_goes_through_a_thread),
        cmocka_unit_test(threads_can_be_lacking),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
