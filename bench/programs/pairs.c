/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Nothing but malloc and free: the price of one pair. Half of the blocks
 * die at once, half live for 256 further allocations.
 *
 *   pairs [PAIRS [THREADS]]: each thread makes so many
 */
#include <pthread.h>
#include <stdlib.h>

#define MOST_THREADS 64

static unsigned long nr_pairs;

static void *work(void *unused)
{
    void *volatile sink;
    void *kept[256] = {0};

    for (unsigned long i = 0; i < nr_pairs; i += 2) {
        sink = malloc(16 + i % 64);
        free(sink);
        free(kept[i / 2 % 256]);
        kept[i / 2 % 256] = malloc(16 + i % 128);
    }
    for (unsigned i = 0; i < 256; i++)
        free(kept[i]);
    return unused;
}

int main(int argc, char **argv)
{
    unsigned long nr_threads = argc > 2 ? strtoul(argv[2], NULL, 0) : 1;
    pthread_t threads[MOST_THREADS];

    nr_pairs = argc > 1 ? strtoul(argv[1], NULL, 0) : 100000000;
    if (nr_threads == 1)
        work(NULL);
    else if (nr_threads > MOST_THREADS)
        return 2;
    for (unsigned long i = 0; nr_threads > 1 && i < nr_threads; i++)
        if (pthread_create(&threads[i], NULL, work, NULL))
            return 2;
    for (unsigned long i = 0; nr_threads > 1 && i < nr_threads; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
