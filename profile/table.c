/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "table.h"

#include <stdlib.h>
#include <string.h>

static bool reserve(struct bm_rows *rows, size_t nr)
{
    size_t capacity = rows->capacity * 2;
    void *memory;

    if (nr <= rows->capacity)
        return true;
    if (capacity < nr)
        capacity = nr < 16 ? 16 : nr;
    if (capacity > SIZE_MAX / rows->row_size)
        return false;
    memory = realloc(rows->rows, capacity * rows->row_size);
    if (!memory)
        return false;
    rows->rows = memory;
    rows->capacity = capacity;
    return true;
}

/* Cleared only as far as used, so that what is reserved costs nothing. */
static bool extend(struct bm_rows *rows, size_t nr)
{
    if (nr <= rows->nr)
        return true;
    if (!reserve(rows, nr))
        return false;
    memset((char *)rows->rows + rows->nr * rows->row_size, 0,
           (nr - rows->nr) * rows->row_size);
    rows->nr = nr;
    return true;
}

static void *row_at(const struct bm_rows *rows, size_t row)
{
    return (char *)rows->rows + row * rows->row_size;
}

void *bm_rows_add(struct bm_rows *rows)
{
    if (!extend(rows, rows->nr + 1))
        return NULL;
    return row_at(rows, rows->nr - 1);
}

void bm_rows_trim(struct bm_rows *rows, size_t spare)
{
    void *memory;

    if (rows->nr == 0 || rows->nr + spare >= rows->capacity)
        return;
    memory = realloc(rows->rows, (rows->nr + spare) * rows->row_size);
    if (!memory)
        return;
    rows->rows = memory;
    rows->capacity = rows->nr + spare;
}

void *bm_table_put(struct bm_table *table, size_t index, bool *again)
{
    unsigned char *taken;

    if (!extend(&table->rows, index) || !extend(&table->taken, index))
        return NULL;
    taken = row_at(&table->taken, index - 1);
    *again = *taken;
    table->nr_taken += !*taken;
    *taken = 1;
    return row_at(&table->rows, index - 1);
}

bool bm_table_settle(struct bm_table *table, const uint32_t *same)
{
    struct bm_rows *rows = &table->rows;
    const unsigned char *taken = table->taken.rows;
    size_t nr = 0;

    if (table->nr_taken == rows->nr && !same) {
        bm_rows_trim(rows, 1);
        return true;
    }
    table->places = calloc(rows->nr, sizeof(*table->places));
    if (!table->places)
        return false;
    table->nr_places = rows->nr;
    for (size_t i = 0; i < rows->nr; i++) {
        if (!taken[i] || (same && same[i]))
            continue;
        if (nr != i)
            memcpy(row_at(rows, nr), row_at(rows, i), rows->row_size);
        table->places[i] = (uint32_t)++nr;
    }
    for (size_t i = 0; same && i < table->nr_places; i++)
        if (taken[i] && same[i])
            table->places[i] = table->places[same[i] - 1];
    rows->nr = nr;
    bm_rows_trim(rows, 1);
    return true;
}

void bm_table_release(struct bm_table *table)
{
    free(table->taken.rows);
    free(table->places);
    table->taken.rows = NULL;
    table->places = NULL;
}
