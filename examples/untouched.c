/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Memory that is asked for and not used, known by hand. Built with
 * benchmem-cc --benchmem-access, benchmem-report --worst untouched finds:
 *
 *   table  calloc of 1 MiB, of which the first 4 KiB are written and read:
 *          1,044,480 bytes untouched
 *   log    10,000 bytes, all written, none read
 *   pairs  1,000 of 16 bytes with 7 of padding in each: 7,000 bytes untouched
 *   cache  64 KiB, written and read at the start, kept through 2 MiB of work:
 *          idle
 *   work   32 blocks of 64 KiB, all of it used
 */
#include <stdlib.h>

#define TABLE ((size_t)1 << 20)
#define USED ((size_t)4096)
#define LOG ((size_t)10000)
#define PAIRS ((size_t)1000)
#define BLOCK ((size_t)64 * 1024)

struct pair {
    char tag;
    double value;
};

/* Kept out of main, where the optimizer could see what is never needed. */
__attribute__((noinline)) static void fill(volatile char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (char)i;
}

__attribute__((noinline)) static unsigned add_up(const volatile char *bytes,
                                                 size_t size)
{
    unsigned sum = 0;

    for (size_t i = 0; i < size; i++)
        sum += (unsigned char)bytes[i];
    return sum;
}

__attribute__((noinline)) static double of_pairs(volatile struct pair *pairs,
                                                 size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++) {
        pairs[i].tag = 1;
        pairs[i].value = 0.5;
    }
    for (size_t i = 0; i < count; i++)
        sum += pairs[i].tag * pairs[i].value;
    return sum;
}

int main(void)
{
    char *table = calloc(TABLE, 1);
    char *log = malloc(LOG);
    struct pair *pairs = malloc(PAIRS * sizeof(*pairs));
    char *cache = malloc(BLOCK);
    unsigned sum = 0;

    if (!table || !log || !pairs || !cache)
        return 1;
    fill(cache, BLOCK);
    sum += add_up(cache, BLOCK);
    for (int i = 0; i < 32; i++) {
        char *work = malloc(BLOCK);

        if (!work)
            return 1;
        fill(work, BLOCK);
        sum += add_up(work, BLOCK);
        free(work);
    }
    free(cache);
    fill(table, USED);
    sum += add_up(table, USED);
    fill(log, LOG);
    sum += (unsigned)of_pairs(pairs, PAIRS);
    free(pairs);
    free(log);
    free(table);
    return sum == 1;
}
