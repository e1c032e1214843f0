/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A table as aligned text. libsmartcols aligns and colours; what it cannot do
 * is done before: shortening in the middle, and \xNN for what a terminal
 * would obey.
 */
#include "base/table.h"

#include "base/error.h"
#include "base/escape.h"
#include "base/utf8.h"

#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>

#define GAP 2 /* columns between two columns of the table */

/* Narrower than that, a shortened name tells nothing. */
#define SHORTEST 20

/* The text of every cell, escaped, row by row. */
static void show_cells(const struct bm_table *table, char **texts)
{
    struct bm_str raw = BM_STR_INIT;

    for (size_t i = 0; i < table->nr_rows * table->nr_columns; i++) {
        struct bm_str text = BM_STR_INIT;
        const char *line = raw.data;

        bm_str_truncate(&raw, 0);
        bm_cell_show(&raw, table->cells + i);
        line = raw.data;
        if (table->columns[i % table->nr_columns].flags & BM_COLUMN_LINES) {
            char *end;
            while ((end = strchr(line, '\n'))) {
                *end = 0;
                bm_escape_terminal(&text, line);
                bm_str_putc(&text, '\n');
                line = end + 1;
            }
        }
        bm_escape_terminal(&text, line);
        texts[i] = bm_str_detach(&text);
    }
    bm_str_clear(&raw);
}

/* Columns of the widest line of a text. */
static size_t width_of(const char *text)
{
    struct bm_str line = BM_STR_INIT;
    size_t width = 0;

    if (!strchr(text, '\n'))
        return bm_utf8_width(text);
    while (*text) {
        size_t size = strcspn(text, "\n");
        bm_str_truncate(&line, 0);
        bm_str_add(&line, text, size);
        size_t columns = bm_utf8_width(line.data);
        width = columns > width ? columns : width;
        text += size + (text[size] == '\n');
    }
    bm_str_clear(&line);
    return width;
}

static void measure(const struct bm_table *table, char **texts, size_t *widths)
{
    for (size_t c = 0; c < table->nr_columns; c++)
        widths[c] = bm_utf8_width(table->columns[c].title);
    for (size_t i = 0; i < table->nr_rows * table->nr_columns; i++) {
        size_t width = width_of(texts[i]);
        size_t *widest = &widths[i % table->nr_columns];
        *widest = width > *widest ? width : *widest;
    }
}

/* What a column cannot do with less than. */
static size_t least_width(const struct bm_column *column, size_t width)
{
    size_t title = bm_utf8_width(column->title);
    size_t least = title > SHORTEST ? title : SHORTEST;

    if (!(column->flags & (BM_COLUMN_MIDDLE | BM_COLUMN_END)))
        return width;
    return least < width ? least : width;
}

/* Width of the table if all that can be is shortened. */
static size_t least_total(const struct bm_table *table, const size_t *widths)
{
    size_t total = 0;

    for (size_t c = 0; c < table->nr_columns; c++) {
        if (widths[c])
            total += least_width(&table->columns[c], widths[c]) + GAP;
    }
    return total - GAP;
}

/* Leaves out columns, whose width becomes 0, until the others fit. */
static void leave_out(const struct bm_table *table, size_t *widths,
                      size_t width)
{
    while (least_total(table, widths) > width) {
        size_t spare = table->nr_columns;
        unsigned highest = 0;

        for (size_t c = 0; c < table->nr_columns; c++) {
            unsigned rank = BM_COLUMN_RANK(table->columns[c].flags);
            if (widths[c] && rank > highest) {
                highest = rank;
                spare = c;
            }
        }
        if (!highest)
            return;
        widths[spare] = 0;
    }
}

/* Gives the columns that can be shortened the width that is left for them. */
static void fit(const struct bm_table *table, size_t *widths, size_t width)
{
    size_t total = 0;

    leave_out(table, widths, width);
    for (size_t c = 0; c < table->nr_columns; c++)
        total += widths[c] ? widths[c] + GAP : 0;
    total -= GAP;
    /* From the right: what stands last matters least. */
    for (size_t c = table->nr_columns; c-- && total > width;) {
        if (!widths[c])
            continue;
        size_t spare = widths[c] - least_width(&table->columns[c], widths[c]);
        size_t excess = total - width;
        size_t cut = excess < spare ? excess : spare;
        widths[c] -= cut;
        total -= cut;
    }
}

static void shorten_cell(char **text, size_t width, unsigned flags)
{
    struct bm_str out = BM_STR_INIT, line = BM_STR_INIT;
    const char *p = *text;

    do {
        size_t size = strcspn(p, "\n");
        bm_str_truncate(&line, 0);
        bm_str_add(&line, p, size);
        if (flags & BM_COLUMN_MIDDLE)
            bm_utf8_shorten_middle(&out, line.data, width);
        else
            bm_utf8_shorten_end(&out, line.data, width);
        p += size;
        if (*p)
            bm_str_putc(&out, *p++);
    } while (*p);
    bm_str_clear(&line);
    free(*text);
    *text = bm_str_detach(&out);
}

static void shorten(const struct bm_table *table, char **texts,
                    const size_t *widths)
{
    for (size_t i = 0; i < table->nr_rows * table->nr_columns; i++) {
        unsigned flags = table->columns[i % table->nr_columns].flags;
        size_t width = widths[i % table->nr_columns];

        if ((flags & (BM_COLUMN_MIDDLE | BM_COLUMN_END)) &&
            width_of(texts[i]) > width)
            shorten_cell(&texts[i], width, flags);
    }
}

static struct libscols_table *new_table(const struct bm_table *table,
                                        const size_t *widths,
                                        const struct bm_terminal *terminal)
{
    struct libscols_table *scols = scols_new_table();

    if (!scols)
        bm_die("out of memory: table");
    scols_table_set_column_separator(scols, "  ");
    scols_table_enable_colors(scols, terminal->color);
    /* Widths were decided above. */
    scols_table_set_termforce(scols, SCOLS_TERMFORCE_NEVER);
    for (size_t c = 0; c < table->nr_columns; c++) {
        const struct bm_column *column = &table->columns[c];
        int flags = column->flags & BM_COLUMN_RIGHT ? SCOLS_FL_RIGHT : 0;

        if (!widths[c])
            continue;
        struct libscols_column *cl =
            scols_table_new_column(scols, column->title, 0, flags);
        if (!cl)
            bm_die("out of memory: table");
        if (column->flags & BM_COLUMN_LINES) {
            scols_column_set_flags(cl, flags | SCOLS_FL_WRAP);
            scols_column_set_wrapfunc(cl, scols_wrapnl_chunksize,
                                      scols_wrapnl_nextchunk, NULL);
        }
        /* What was escaped above is not to be escaped again. */
        scols_column_set_safechars(cl, "\\\n");
        struct libscols_cell *header = scols_column_get_header(cl);
        scols_cell_set_color(header, bm_tone_begin(terminal, BM_TONE_STRONG));
    }
    return scols;
}

static void add_row(struct libscols_table *scols, const struct bm_table *table,
                    size_t row, char **texts, const size_t *widths,
                    const struct bm_terminal *terminal)
{
    struct libscols_line *line = scols_table_new_line(scols, NULL);
    size_t shown = 0;

    if (!line)
        bm_die("out of memory: table");
    for (size_t c = 0; c < table->nr_columns; c++) {
        size_t i = row * table->nr_columns + c;
        const char *color = bm_tone_begin(terminal, table->cells[i].tone);

        if (!widths[c]) {
            free(texts[i]);
            continue;
        }
        if (scols_line_refer_data(line, shown, texts[i]))
            bm_die("out of memory: table");
        if (*color)
            scols_cell_set_color(scols_line_get_cell(line, shown), color);
        shown++;
    }
}

/* Without the blanks that fill up the last column. */
static void print(struct libscols_table *scols, FILE *file)
{
    char *text = NULL;

    if (scols_print_table_to_string(scols, &text))
        bm_die("out of memory: table");
    for (const char *p = text; *p;) {
        size_t size = strcspn(p, "\n"), kept = size;
        while (kept && p[kept - 1] == ' ')
            kept--;
        fwrite(p, 1, kept, file);
        fputc('\n', file);
        p += size + (p[size] == '\n');
    }
    free(text);
}

void bm_table_write_text(const struct bm_table *table, FILE *file,
                         const struct bm_terminal *terminal)
{
    char **texts =
        bm_xcalloc(table->nr_rows * table->nr_columns + 1, sizeof(*texts));
    size_t *widths = bm_xcalloc(table->nr_columns, sizeof(*widths));

    show_cells(table, texts);
    for (size_t c = 0; c < table->nr_columns; c++)
        widths[c] = 1;
    if (terminal->width) {
        measure(table, texts, widths);
        fit(table, widths, terminal->width);
        shorten(table, texts, widths);
    }

    struct libscols_table *scols = new_table(table, widths, terminal);
    for (size_t r = 0; r < table->nr_rows; r++)
        add_row(scols, table, r, texts, widths, terminal);
    print(scols, file);
    scols_unref_table(scols);
    free(texts);
    free(widths);
}
