/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What builds up from call to call: a cache that never lets go. One call looks
 * cheap; 50 in one pass show that each leaves 200 bytes behind.
 */
#include <benchmem/benchmem.h>

struct entry {
    struct entry *next;
    char text[192];
};

static void bench_lookup(struct benchmem_case *c)
{
    struct entry *entry = malloc(sizeof(*entry));
    char *scratch = malloc(4096);

    if (!entry || !scratch)
        abort();
    memset(scratch, 'x', 4096);
    benchmem_keep(scratch);
    memcpy(entry->text, scratch, sizeof(entry->text));
    entry->next = c->data;
    c->data = entry;
    free(scratch);
}

static void empty_cache(struct benchmem_case *c)
{
    struct entry *entry = c->data;

    while (entry) {
        struct entry *next = entry->next;

        free(entry);
        entry = next;
    }
}

BENCHMEM(bench_lookup, .calls = 50, .teardown = empty_cache);
