/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Rows of one type that grow, and tables of them in which a record's index
 * says its place (index 1 is row 0). Records come in any order and, from a
 * program that was killed, with gaps; bm_table_settle closes the gaps, after
 * which bm_table_find turns an index into the row.
 *
 * All zero but row_size is empty. Rows are cleared when they come into
 * being. A failure leaves everything as it was.
 */
#ifndef BENCHMEM_PROFILE_TABLE_H
#define BENCHMEM_PROFILE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bm_rows {
    size_t row_size;
    void *rows;
    size_t nr;
    size_t capacity;
};

/* A new last row, NULL without memory. */
void *bm_rows_add(struct bm_rows *rows);

/* Gives back what was reserved for more than `spare` further rows. */
void bm_rows_trim(struct bm_rows *rows, size_t spare);

struct bm_table {
    struct bm_rows rows;
    struct bm_rows taken; /* of unsigned char: 1 where a record came */
    size_t nr_taken;
    uint32_t *places; /* of row i, plus 1; NULL where all are in place */
    size_t nr_places;
};

#define BM_TABLE_OF(type)                                                      \
    (struct bm_table)                                                          \
    {                                                                          \
        .rows = {.row_size = sizeof(type)}, .taken = {.row_size = 1 }          \
    }

/*
 * The row of index, from 1, cleared. *again tells that it has been given out
 * before. NULL without memory.
 */
void *bm_table_put(struct bm_table *table, size_t index, bool *again);

/*
 * Closes the gaps, and leaves room for one more row. Where same is not NULL,
 * row i with same[i] != 0 goes too, and its index becomes another one of row
 * same[i] - 1, which must stay. False without memory.
 */
bool bm_table_settle(struct bm_table *table, const uint32_t *same);

/* The row of a record's index, NULL if it has none. Only when settled. */
static inline void *bm_table_find(const struct bm_table *table, uint64_t index)
{
    uint64_t place = index;

    if (table->places)
        place = index - 1 < table->nr_places ? table->places[index - 1] : 0;
    if (place - 1 >= table->rows.nr)
        return NULL;
    return (char *)table->rows.rows + (place - 1) * table->rows.row_size;
}

/* Frees what only loading needs; the rows stay. */
void bm_table_release(struct bm_table *table);

#endif
