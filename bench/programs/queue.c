/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A producer and a consumer: every block is freed by another thread than the
 * one that allocated it. Messages go over in batches, as busy queues do.
 *
 *   queue [MESSAGES]
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BATCH 64
#define NR_BATCHES 32

struct message {
    uint32_t size;
    unsigned char payload[];
};

static struct message *queue[NR_BATCHES][BATCH];
static unsigned long nr_put, nr_taken; /* batches; under lock */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned long nr_batches;

static void *produce(void *unused)
{
    uint32_t state = 1;

    for (unsigned long batch = 0; batch < nr_batches; batch++) {
        pthread_mutex_lock(&lock);
        while (nr_put - nr_taken == NR_BATCHES)
            pthread_cond_wait(&changed, &lock);
        pthread_mutex_unlock(&lock);
        for (int i = 0; i < BATCH; i++) {
            state = state * 1664525 + 1013904223;
            uint32_t size = 16 + (state >> 24);
            struct message *message = malloc(sizeof(*message) + size);

            if (!message)
                abort();
            message->size = size;
            memset(message->payload, (int)(state >> 16), size);
            queue[batch % NR_BATCHES][i] = message;
        }
        pthread_mutex_lock(&lock);
        nr_put++;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static uint64_t consume(void)
{
    uint64_t sum = 0;

    for (unsigned long batch = 0; batch < nr_batches; batch++) {
        pthread_mutex_lock(&lock);
        while (nr_put == nr_taken)
            pthread_cond_wait(&changed, &lock);
        pthread_mutex_unlock(&lock);
        for (int i = 0; i < BATCH; i++) {
            struct message *message = queue[batch % NR_BATCHES][i];

            sum += message->size + message->payload[message->size - 1];
            free(message);
        }
        pthread_mutex_lock(&lock);
        nr_taken++;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    return sum;
}

int main(int argc, char **argv)
{
    pthread_t producer;

    nr_batches = (argc > 1 ? strtoul(argv[1], NULL, 0) : 3000000) / BATCH;
    if (pthread_create(&producer, NULL, produce, NULL))
        return 2;
    printf("%" PRIu64 "\n", consume());
    pthread_join(producer, NULL);
    return 0;
}
