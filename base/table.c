/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/table.h"

#include "base/escape.h"
#include "base/json.h"
#include "base/size.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const bm_format_names[] = {
    [BM_FORMAT_TABLE] = "table", [BM_FORMAT_JSON] = "json",
    [BM_FORMAT_CSV] = "csv",     [BM_FORMAT_MD] = "md",
    [BM_NR_FORMATS] = NULL,
};

struct bm_cell bm_cell_text(const char *text)
{
    if (!text)
        return (struct bm_cell){.kind = BM_CELL_EMPTY};
    return (struct bm_cell){.kind = BM_CELL_TEXT, .text = text};
}

struct bm_cell bm_cell_count(uint64_t count)
{
    return (struct bm_cell){.kind = BM_CELL_COUNT, .number = count};
}

struct bm_cell bm_cell_bytes(uint64_t bytes)
{
    return (struct bm_cell){.kind = BM_CELL_BYTES, .number = bytes};
}

struct bm_cell bm_cell_percent(uint64_t part, uint64_t whole)
{
    return (struct bm_cell){
        .kind = BM_CELL_PERCENT, .number = part, .whole = whole};
}

struct bm_cell bm_cell_number(const char *text)
{
    return (struct bm_cell){.kind = BM_CELL_NUMBER, .text = text};
}

struct bm_cell bm_cell_made(const struct bm_cell_maker *maker)
{
    return (struct bm_cell){.kind = BM_CELL_MADE, .maker = maker};
}

void bm_table_init(struct bm_table *table, const struct bm_column *columns,
                   size_t nr_columns)
{
    *table = (struct bm_table){
        .columns = columns,
        .nr_columns = nr_columns,
        .arena = BM_ARENA_INIT,
    };
}

static struct bm_cell *row_of(const struct bm_table *table, size_t row)
{
    return table->cells + row * table->nr_columns;
}

void bm_table_make_rows(struct bm_table *table, struct bm_row_maker *maker)
{
    table->maker = maker;
}

void bm_table_rows_init(struct bm_table_rows *rows,
                        const struct bm_table *table)
{
    rows->table = table;
    rows->count = table->nr_rows + (table->maker ? table->maker->count : 0);
    bm_table_init(&rows->made, table->columns, table->nr_columns);
}

const struct bm_cell *bm_table_row(struct bm_table_rows *rows, size_t row)
{
    struct bm_row_maker *maker = rows->table->maker;
    size_t nr_made = maker ? maker->count : 0;

    if (row >= nr_made)
        return row_of(rows->table, row - nr_made);
    rows->made.nr_rows = 0;
    bm_arena_reset(&rows->made.arena);
    maker->make(maker, row, &rows->made);
    return rows->made.cells;
}

void bm_table_rows_clear(struct bm_table_rows *rows)
{
    bm_table_clear(&rows->made);
}

struct bm_cell *bm_table_add_row(struct bm_table *table)
{
    table->cells = bm_xgrow(table->cells, table->nr_rows, &table->room,
                            table->nr_columns * sizeof(*table->cells));
    struct bm_cell *row = row_of(table, table->nr_rows++);
    memset(row, 0, table->nr_columns * sizeof(*row));
    return row;
}

void bm_table_tone_row(struct bm_table *table, enum bm_tone tone)
{
    struct bm_cell *row = row_of(table, table->nr_rows - 1);

    for (size_t i = 0; i < table->nr_columns; i++)
        row[i].tone = tone;
}

void bm_table_clear(struct bm_table *table)
{
    free(table->cells);
    bm_arena_release(&table->arena);
    bm_table_init(table, table->columns, table->nr_columns);
}

void bm_cell_show(struct bm_str *out, const struct bm_cell *cell)
{
    switch (cell->kind) {
    case BM_CELL_EMPTY:
        break;
    case BM_CELL_TEXT:
    case BM_CELL_NUMBER:
        bm_str_puts(out, cell->text);
        break;
    case BM_CELL_MADE:
        cell->maker->make(cell->maker, out);
        break;
    case BM_CELL_COUNT:
        bm_str_printf(out, "%" PRIu64, cell->number);
        break;
    case BM_CELL_BYTES:
        bm_size_print(out, cell->number);
        break;
    case BM_CELL_PERCENT:
        bm_percent_print(out, cell->number, cell->whole);
        break;
    }
}

/* The lines of a text cell as one, where the shape has no lines in cells. */
static void join_lines(struct bm_str *out, const char *text)
{
    const char *end;

    while ((end = strchr(text, '\n'))) {
        bm_str_add(out, text, (size_t)(end - text));
        bm_str_puts(out, " > ");
        text = end + 1;
    }
    bm_str_puts(out, text);
}

static bool is_text(const struct bm_cell *cell)
{
    return cell->kind == BM_CELL_TEXT || cell->kind == BM_CELL_MADE;
}

static void show_in_one_line(struct bm_str *out, const struct bm_cell *cell,
                             const struct bm_column *column)
{
    struct bm_str text = BM_STR_INIT;

    if (!is_text(cell) || !(column->flags & BM_COLUMN_LINES)) {
        bm_cell_show(out, cell);
        return;
    }
    bm_cell_show(&text, cell);
    join_lines(out, text.data);
    bm_str_clear(&text);
}

static void write_csv_cell(struct bm_str *out, const struct bm_cell *cell,
                           const struct bm_column *column)
{
    struct bm_str text = BM_STR_INIT;

    if (cell->kind == BM_CELL_COUNT || cell->kind == BM_CELL_BYTES) {
        bm_str_printf(out, "%" PRIu64, cell->number);
        return;
    }
    if (cell->kind == BM_CELL_PERCENT && !cell->whole)
        return;
    show_in_one_line(&text, cell, column);
    if (is_text(cell))
        bm_escape_csv(out, text.data);
    else
        bm_str_puts(out, text.data);
    bm_str_clear(&text);
}

void bm_table_write_csv(const struct bm_table *table, FILE *file)
{
    struct bm_str line = BM_STR_INIT;
    struct bm_table_rows rows;

    for (size_t c = 0; c < table->nr_columns; c++)
        fprintf(file, "%s%s", c ? "," : "", table->columns[c].key);
    fputc('\n', file);

    bm_table_rows_init(&rows, table);
    for (size_t r = 0; r < rows.count; r++) {
        const struct bm_cell *row = bm_table_row(&rows, r);

        bm_str_truncate(&line, 0);
        for (size_t c = 0; c < table->nr_columns; c++) {
            if (c)
                bm_str_putc(&line, ',');
            write_csv_cell(&line, &row[c], &table->columns[c]);
        }
        bm_str_putc(&line, '\n');
        fwrite_unlocked(line.data, 1, line.size, file);
    }
    bm_table_rows_clear(&rows);
    bm_str_clear(&line);
}

void bm_table_write_markdown(const struct bm_table *table, FILE *file)
{
    struct bm_str text = BM_STR_INIT, line = BM_STR_INIT;
    struct bm_table_rows rows;

    for (size_t c = 0; c < table->nr_columns; c++)
        fprintf(file, "| %s ", table->columns[c].title);
    fputs("|\n", file);
    for (size_t c = 0; c < table->nr_columns; c++)
        fputs(table->columns[c].flags & BM_COLUMN_RIGHT ? "| --: " : "| --- ",
              file);
    fputs("|\n", file);

    bm_table_rows_init(&rows, table);
    for (size_t r = 0; r < rows.count; r++) {
        const struct bm_cell *row = bm_table_row(&rows, r);

        bm_str_truncate(&line, 0);
        for (size_t c = 0; c < table->nr_columns; c++) {
            bm_str_truncate(&text, 0);
            show_in_one_line(&text, &row[c], &table->columns[c]);
            bm_str_puts(&line, "| ");
            bm_escape_markdown(&line, text.data);
            bm_str_putc(&line, ' ');
        }
        bm_str_puts(&line, "|\n");
        fwrite_unlocked(line.data, 1, line.size, file);
    }
    bm_table_rows_clear(&rows);
    bm_str_clear(&text);
    bm_str_clear(&line);
}

static void write_json_cell(struct bm_json *json, const struct bm_cell *cell)
{
    struct bm_str text = BM_STR_INIT;

    switch (cell->kind) {
    case BM_CELL_EMPTY:
        bm_json_null(json);
        break;
    case BM_CELL_TEXT:
        bm_json_string(json, cell->text);
        break;
    case BM_CELL_MADE:
        bm_cell_show(&text, cell);
        bm_json_string(json, text.data);
        bm_str_clear(&text);
        break;
    case BM_CELL_NUMBER:
        bm_json_double(json, strtod(cell->text, NULL));
        break;
    case BM_CELL_COUNT:
    case BM_CELL_BYTES:
        bm_json_uint(json, cell->number);
        break;
    case BM_CELL_PERCENT:
        if (cell->whole)
            bm_json_double(json,
                           100.0 * (double)cell->number / (double)cell->whole);
        else
            bm_json_null(json);
        break;
    }
}

void bm_table_write_json(const struct bm_table *table, FILE *file)
{
    struct bm_table_rows rows;
    struct bm_json json;

    bm_json_init(&json, file, 1);
    bm_json_begin_array(&json);
    bm_table_rows_init(&rows, table);
    for (size_t r = 0; r < rows.count; r++) {
        const struct bm_cell *row = bm_table_row(&rows, r);

        bm_json_begin_object(&json);
        for (size_t c = 0; c < table->nr_columns; c++) {
            bm_json_key(&json, table->columns[c].key);
            write_json_cell(&json, &row[c]);
        }
        bm_json_end_object(&json);
    }
    bm_table_rows_clear(&rows);
    bm_json_end_array(&json);
    bm_json_finish(&json);
}

void bm_table_write(const struct bm_table *table, FILE *file,
                    enum bm_format format, const struct bm_terminal *terminal)
{
    switch (format) {
    case BM_FORMAT_TABLE:
        bm_table_write_text(table, file, terminal);
        break;
    case BM_FORMAT_JSON:
        bm_table_write_json(table, file);
        break;
    case BM_FORMAT_CSV:
        bm_table_write_csv(table, file);
        break;
    case BM_FORMAT_MD:
        bm_table_write_markdown(table, file);
        break;
    case BM_NR_FORMATS:
        break;
    }
}
