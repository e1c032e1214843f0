/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Many threads that come and go, eight at a time. Each builds a table of
 * strings, drops most of it and leaves the rest to the main thread, which
 * frees it.
 *
 *   threads [THREADS [STRINGS]]
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT_ONCE 8
#define NR_BUCKETS 512

struct entry {
    struct entry *next;
    uint64_t hash;
    char *text;
};

struct job {
    pthread_t thread;
    uint32_t seed;
    unsigned long nr_strings;
    uint64_t sum;
    struct entry *left;
};

static void *need(void *block)
{
    if (!block)
        abort();
    return block;
}

static void free_list(struct entry *entry)
{
    while (entry) {
        struct entry *next = entry->next;

        free(entry->text);
        free(entry);
        entry = next;
    }
}

static char *make_text(uint32_t number)
{
    char text[64];
    int size =
        snprintf(text, sizeof(text), "key %u of %u", number, number % 997);

    return memcpy(need(malloc((size_t)size + 1)), text, (size_t)size + 1);
}

static void *work(void *argument)
{
    struct job *job = argument;
    struct entry **buckets = need(calloc(NR_BUCKETS, sizeof(struct entry *)));
    uint32_t state = job->seed;

    for (unsigned long i = 0; i < job->nr_strings; i++) {
        struct entry *entry = need(malloc(sizeof(*entry)));
        struct entry **bucket;

        state = state * 1664525 + 1013904223;
        entry->text = make_text(state >> 8);
        entry->hash = 5381;
        for (const char *p = entry->text; *p; p++)
            entry->hash = entry->hash * 33 + (unsigned char)*p;
        bucket = &buckets[entry->hash % NR_BUCKETS];
        if (i % 16 == 0) {
            free_list(*bucket);
            *bucket = NULL;
        }
        entry->next = *bucket;
        *bucket = entry;
        job->sum += entry->hash;
    }
    job->left = buckets[0];
    for (int i = 1; i < NR_BUCKETS; i++)
        free_list(buckets[i]);
    free(buckets);
    return NULL;
}

int main(int argc, char **argv)
{
    unsigned long nr_threads = argc > 1 ? strtoul(argv[1], NULL, 0) : 200;
    unsigned long nr_strings = argc > 2 ? strtoul(argv[2], NULL, 0) : 10000;
    uint64_t sum = 0;

    for (unsigned long done = 0; done < nr_threads; done += AT_ONCE) {
        struct job jobs[AT_ONCE];

        for (unsigned i = 0; i < AT_ONCE; i++) {
            jobs[i] = (struct job){.seed = (uint32_t)(done + i + 1),
                                   .nr_strings = nr_strings};
            if (pthread_create(&jobs[i].thread, NULL, work, &jobs[i]))
                return 2;
        }
        for (unsigned i = 0; i < AT_ONCE; i++) {
            pthread_join(jobs[i].thread, NULL);
            sum += jobs[i].sum;
            free_list(jobs[i].left);
        }
    }
    printf("%016" PRIx64 "\n", sum);
    return 0;
}
