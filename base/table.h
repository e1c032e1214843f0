/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * One model of a table and its four shapes: aligned text for a terminal
 * (libsmartcols), CSV and JSON with exact numbers, Markdown as the text.
 *
 *   1. bm_table_init with the columns, which must outlive the table.
 *   2. for each row, bm_table_add_row and its cells: row[0] = bm_cell_text(s).
 *      Strings and makers are borrowed until bm_table_clear; bm_arena_* of
 *      table.arena makes some that live as long.
 *   3. bm_table_write, as often as needed.
 *   4. bm_table_clear.
 *
 * Cells hold raw strings: escaping is done by the shape that writes them.
 * Errors of writing stay in the stream.
 */
#ifndef BENCHMEM_BASE_TABLE_H
#define BENCHMEM_BASE_TABLE_H

#include "base/memory.h"
#include "base/str.h"
#include "base/terminal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum bm_format {
    BM_FORMAT_TABLE,
    BM_FORMAT_JSON,
    BM_FORMAT_CSV,
    BM_FORMAT_MD,
    BM_NR_FORMATS
};

/* Names of the formats, in their order, for options; NULL at the end. */
extern const char *const bm_format_names[];

enum bm_cell_kind {
    BM_CELL_EMPTY,   /* no such value: empty, null in JSON */
    BM_CELL_TEXT,    /* text */
    BM_CELL_COUNT,   /* number */
    BM_CELL_BYTES,   /* number, shown as a size */
    BM_CELL_PERCENT, /* number out of whole */
    BM_CELL_NUMBER,  /* text, which is a number as JSON has it */
    BM_CELL_MADE,    /* text, made whenever it is written */
};

/*
 * Where the texts of many rows would be large: appends the text of a cell.
 * First member of what the text is made from.
 */
struct bm_cell_maker {
    void (*make)(const struct bm_cell_maker *maker, struct bm_str *out);
};

struct bm_cell {
    enum bm_cell_kind kind;
    enum bm_tone tone;
    union {
        const char *text;
        const struct bm_cell_maker *maker;
    };
    uint64_t number;
    uint64_t whole;
};

struct bm_cell bm_cell_text(const char *text); /* NULL: empty */
struct bm_cell bm_cell_count(uint64_t count);
struct bm_cell bm_cell_bytes(uint64_t bytes);
struct bm_cell bm_cell_percent(uint64_t part, uint64_t whole);
struct bm_cell bm_cell_number(const char *text);
struct bm_cell bm_cell_made(const struct bm_cell_maker *maker);

enum bm_column_flags {
    BM_COLUMN_RIGHT = 1,  /* numbers */
    BM_COLUMN_MIDDLE = 2, /* where there is no room, shortened in the middle */
    BM_COLUMN_END = 4,    /* where there is no room, shortened at the end */
    BM_COLUMN_LINES = 8,  /* '\n' parts lines; elsewhere shown as " > " */
};

/*
 * Added to the flags of a column that text may do without: where there is no
 * room, columns of the highest rank (from 1) are left out first.
 */
#define BM_COLUMN_SPARE(rank) ((unsigned)(rank) << 8)
#define BM_COLUMN_RANK(flags) ((flags) >> 8)

struct bm_column {
    const char *title; /* for people */
    const char *key;   /* for CSV and JSON */
    unsigned flags;    /* enum bm_column_flags */
};

/*
 * Rows that are made whenever they are written, in place of cells for each of
 * millions: make adds row number `row` to `made`, an empty table of the same
 * columns, with bm_table_add_row; what it takes from made->arena lives until
 * the next row. First member of what rows are made from.
 */
struct bm_table;
struct bm_row_maker {
    void (*make)(struct bm_row_maker *maker, size_t row, struct bm_table *made);
    size_t count;
};

struct bm_table {
    const struct bm_column *columns;
    size_t nr_columns;
    struct bm_row_maker *maker; /* of rows before those of cells; or NULL */
    struct bm_cell *cells;      /* row by row */
    size_t nr_rows;             /* of cells */
    size_t room;
    struct bm_arena arena;
};

void bm_table_init(struct bm_table *table, const struct bm_column *columns,
                   size_t nr_columns);

/* nr_columns empty cells, valid until the next row is added. */
struct bm_cell *bm_table_add_row(struct bm_table *table);

/* The first rows are made by maker, which is borrowed until bm_table_clear. */
void bm_table_make_rows(struct bm_table *table, struct bm_row_maker *maker);

/* The tone of every cell of the last row. */
void bm_table_tone_row(struct bm_table *table, enum bm_tone tone);

/* terminal is used by the text alone. */
void bm_table_write(const struct bm_table *table, FILE *file,
                    enum bm_format format, const struct bm_terminal *terminal);

void bm_table_clear(struct bm_table *table);

/*
 * For the shapes: all rows, as bm_table_row gives them, the last one valid
 * until the next call or bm_table_rows_clear.
 */
struct bm_table_rows {
    const struct bm_table *table;
    size_t count;
    struct bm_table made;
};
void bm_table_rows_init(struct bm_table_rows *rows,
                        const struct bm_table *table);
const struct bm_cell *bm_table_row(struct bm_table_rows *rows, size_t row);
void bm_table_rows_clear(struct bm_table_rows *rows);

/* For the shapes: the cell as people read it, not escaped. */
void bm_cell_show(struct bm_str *out, const struct bm_cell *cell);

/* The shapes; bm_table_write chooses. */
void bm_table_write_text(const struct bm_table *table, FILE *file,
                         const struct bm_terminal *terminal);
void bm_table_write_csv(const struct bm_table *table, FILE *file);
void bm_table_write_markdown(const struct bm_table *table, FILE *file);
void bm_table_write_json(const struct bm_table *table, FILE *file);

#endif
