/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Allocation calls that can be counted by hand in the source. Seven:
 *
 *   checked     malloc           hands out what it allocates: a wrapper
 *   table_new   calloc, strdup   a wrapper too: it returns what checked gives
 *   table_grow  realloc
 *   table_sum   malloc           freed at once: the optimizer removes it
 *   table_copy  malloc           nobody calls it here
 *   table_log   asprintf         only with -DWITH_LOG, else there are six
 *
 * Two are no allocation calls: the call of checked in table_new, whose malloc
 * is in checked, and that of unused, which is not compiled as nobody can call
 * it. A build with -O2 has the six without that of table_sum.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row {
    long key;
    double value;
};

struct table {
    struct row *rows;
    size_t count;
    char *name;
};

__attribute__((noinline)) static void *checked(size_t size)
{
    void *block = malloc(size);

    if (!block)
        abort();
    return block;
}

struct table *table_new(size_t count, const char *name)
{
    struct table *table = checked(sizeof(*table));

    table->rows = calloc(count, sizeof(*table->rows));
    table->count = count;
    table->name = strdup(name);
    return table;
}

void table_grow(struct table *table, size_t more)
{
    struct row *rows =
        realloc(table->rows, (table->count + more) * sizeof(struct row));

    if (!rows)
        abort();
    memset(rows + table->count, 0, more * sizeof(*rows));
    table->rows = rows;
    table->count += more;
}

double table_sum(const struct table *table)
{
    double *sum = malloc(sizeof(*sum)), result;

    *sum = 0;
    for (size_t i = 0; i < table->count; i++)
        *sum += table->rows[i].value;
    result = *sum;
    free(sum);
    return result;
}

void table_copy(struct table *to, const struct table *from)
{
    size_t size = from->count * sizeof(struct row);

    to->rows = malloc(size);
    to->count = from->count;
    if (to->rows)
        memcpy(to->rows, from->rows, size);
}

#ifdef WITH_LOG
void table_log(const struct table *table)
{
    char *line;

    if (asprintf(&line, "%s: %zu rows\n", table->name, table->count) < 0)
        return;
    fputs(line, stderr);
    free(line);
}
#endif

__attribute__((unused)) static char *unused(size_t size)
{
    return malloc(size);
}

int main(void)
{
    struct table *table = table_new(10, "primes");

    table_grow(table, 90);
    table->rows[0].value = 2;
    printf("%s: %g in %zu rows\n", table->name, table_sum(table),
           table->count);
    free(table->rows);
    free(table->name);
    free(table);
    return 0;
}
