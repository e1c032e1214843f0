/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A table as aligned text. libsmartcols aligns and colours; what it cannot do
 * is done before: shortening in the middle, and \xNN for what a terminal
 * would obey. A very long table is written here row by row, and looks alike.
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

/*
 * libsmartcols keeps every cell and prints into one string, at 4 KiB a row and
 * in a time that no one waits for. From here on, rows are written one by one.
 */
#define MANY_ROWS 2000

/* Used again for each cell. */
struct scratch {
    struct bm_str raw;  /* as the cell has it */
    struct bm_str text; /* as it is shown */
    struct bm_str line;
};

static void scratch_clear(struct scratch *scratch)
{
    bm_str_clear(&scratch->raw);
    bm_str_clear(&scratch->text);
    bm_str_clear(&scratch->line);
}

/* The text of a cell, escaped. */
static void show_cell(const struct bm_column *column,
                      const struct bm_cell *cell, struct scratch *scratch)
{
    char *end, *line;

    bm_str_truncate(&scratch->raw, 0);
    bm_str_truncate(&scratch->text, 0);
    bm_cell_show(&scratch->raw, cell);
    line = scratch->raw.data;
    if (column->flags & BM_COLUMN_LINES) {
        while ((end = strchr(line, '\n'))) {
            *end = 0;
            bm_escape_terminal(&scratch->text, line);
            bm_str_putc(&scratch->text, '\n');
            line = end + 1;
        }
    }
    bm_escape_terminal(&scratch->text, line);
}

/* Columns of the widest line of what scratch->text shows. */
static size_t width_of(struct scratch *scratch)
{
    const char *text = scratch->text.data;
    size_t width = 0;

    if (!strchr(text, '\n'))
        return bm_utf8_width(text);
    while (*text) {
        size_t size = strcspn(text, "\n");
        bm_str_truncate(&scratch->line, 0);
        bm_str_add(&scratch->line, text, size);
        size_t columns = bm_utf8_width(scratch->line.data);
        width = columns > width ? columns : width;
        text += size + (text[size] == '\n');
    }
    return width;
}

/* The widths of the first columns, as many as count says. */
static void measure(struct bm_table_rows *rows, struct scratch *scratch,
                    size_t *widths, size_t count)
{
    const struct bm_column *columns = rows->table->columns;

    for (size_t c = 0; c < count; c++)
        widths[c] = bm_utf8_width(columns[c].title);
    for (size_t r = 0; r < rows->count; r++) {
        const struct bm_cell *row = bm_table_row(rows, r);

        for (size_t c = 0; c < count; c++) {
            show_cell(&columns[c], &row[c], scratch);
            size_t width = width_of(scratch);
            widths[c] = width > widths[c] ? width : widths[c];
        }
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

/* Shortens each line of scratch->text. */
static void shorten(struct scratch *scratch, size_t width, unsigned flags)
{
    const char *p;

    bm_str_truncate(&scratch->raw, 0);
    bm_str_puts(&scratch->raw, scratch->text.data);
    bm_str_truncate(&scratch->text, 0);
    p = scratch->raw.data;
    do {
        size_t size = strcspn(p, "\n");
        bm_str_truncate(&scratch->line, 0);
        bm_str_add(&scratch->line, p, size);
        if (flags & BM_COLUMN_MIDDLE)
            bm_utf8_shorten_middle(&scratch->text, scratch->line.data, width);
        else
            bm_utf8_shorten_end(&scratch->text, scratch->line.data, width);
        p += size;
        if (*p)
            bm_str_putc(&scratch->text, *p++);
    } while (*p);
}

/* The text of a cell that is shown, no wider than its column may be. */
static void make_cell(const struct bm_column *column,
                      const struct bm_cell *cell, size_t width, bool limited,
                      struct scratch *scratch)
{
    show_cell(column, cell, scratch);
    if (limited && (column->flags & (BM_COLUMN_MIDDLE | BM_COLUMN_END)) &&
        width_of(scratch) > width)
        shorten(scratch, width, column->flags);
}

/* -- by libsmartcols ------------------------------------------------------ */

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
                    const struct bm_cell *row, const size_t *widths,
                    const struct bm_terminal *terminal, struct scratch *scratch)
{
    struct libscols_line *line = scols_table_new_line(scols, NULL);
    size_t shown = 0;

    if (!line)
        bm_die("out of memory: table");
    for (size_t c = 0; c < table->nr_columns; c++) {
        const char *color = bm_tone_begin(terminal, row[c].tone);

        if (!widths[c])
            continue;
        make_cell(&table->columns[c], &row[c], widths[c], terminal->width,
                  scratch);
        if (scols_line_set_data(line, shown, scratch->text.data))
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

static void write_few(struct bm_table_rows *all, FILE *file,
                      const size_t *widths, const struct bm_terminal *terminal,
                      struct scratch *scratch)
{
    const struct bm_table *table = all->table;
    struct libscols_table *scols = new_table(table, widths, terminal);

    for (size_t r = 0; r < all->count; r++)
        add_row(scols, table, bm_table_row(all, r), widths, terminal, scratch);
    print(scols, file);
    scols_unref_table(scols);
}

/* -- row by row ----------------------------------------------------------- */

struct rows {
    const struct bm_table *table;
    FILE *file;
    const size_t *widths; /* 0: left out */
    const struct bm_terminal *terminal;
    size_t last;          /* column that is shown */
    struct bm_str *texts; /* of each column: the cell, with its lines */
    size_t *next;         /* where in it the next line begins */
    struct bm_str line;   /* what is printed */
    struct bm_str part;   /* a cell's line */
};

static void put_blanks(struct bm_str *out, size_t count)
{
    static const char blanks[] = "                                ";

    for (; count >= sizeof(blanks); count -= sizeof(blanks) - 1)
        bm_str_add(out, blanks, sizeof(blanks) - 1);
    bm_str_add(out, blanks, count);
}

/* The next line of a column's cell; nothing, in its width, after its last. */
static void put_part(struct rows *rows, size_t c, enum bm_tone tone)
{
    const char *text = rows->texts[c].data + rows->next[c];
    size_t size = strcspn(text, "\n");

    rows->next[c] += size + (text[size] == '\n');
    bm_str_truncate(&rows->part, 0);
    bm_str_add(&rows->part, text, size);
    bool right = rows->table->columns[c].flags & BM_COLUMN_RIGHT;
    size_t fill = 0;
    if (right || c != rows->last) {
        size_t width = bm_utf8_width(rows->part.data);
        fill = rows->widths[c] > width ? rows->widths[c] - width : 0;
    }

    bm_str_puts(&rows->line, bm_tone_begin(rows->terminal, tone));
    put_blanks(&rows->line, right ? fill : 0);
    bm_str_puts(&rows->line, rows->part.data);
    put_blanks(&rows->line, right ? 0 : fill);
    bm_str_puts(&rows->line, bm_tone_end(rows->terminal, tone));
    if (c != rows->last)
        put_blanks(&rows->line, GAP);
}

/* Without the blanks at the end. */
static void put_line(struct rows *rows)
{
    size_t kept = rows->line.size;

    while (kept && rows->line.data[kept - 1] == ' ')
        kept--;
    fwrite_unlocked(rows->line.data, 1, kept, rows->file);
    putc_unlocked('\n', rows->file);
    bm_str_truncate(&rows->line, 0);
}

/* What texts hold. cells: for their tones, NULL for the heading. */
static void put_row(struct rows *rows, const struct bm_cell *cells)
{
    size_t nr_columns = rows->table->nr_columns;
    bool first = true, more;

    memset(rows->next, 0, nr_columns * sizeof(*rows->next));
    do {
        more = false;
        for (size_t c = 0; c < nr_columns; c++) {
            if (!rows->widths[c])
                continue;
            bool ended = !first && rows->next[c] == rows->texts[c].size;
            enum bm_tone tone = cells ? cells[c].tone : BM_TONE_STRONG;
            put_part(rows, c, ended ? BM_TONE_NORMAL : tone);
            more |= rows->next[c] < rows->texts[c].size;
        }
        put_line(rows);
        first = false;
    } while (more);
}

static void write_many(struct rows *rows, struct bm_table_rows *all,
                       struct scratch *scratch)
{
    const struct bm_table *table = rows->table;

    for (size_t c = 0; c < table->nr_columns; c++) {
        bm_str_puts(&rows->texts[c], table->columns[c].title);
        if (rows->widths[c])
            rows->last = c;
    }
    put_row(rows, NULL);
    for (size_t r = 0; r < all->count; r++) {
        const struct bm_cell *row = bm_table_row(all, r);

        for (size_t c = 0; c < table->nr_columns; c++) {
            if (!rows->widths[c])
                continue;
            make_cell(&table->columns[c], &row[c], rows->widths[c],
                      rows->terminal->width, scratch);
            bm_str_truncate(&rows->texts[c], 0);
            bm_str_add(&rows->texts[c], scratch->text.data, scratch->text.size);
        }
        put_row(rows, row);
    }
}

static void write_rows(struct bm_table_rows *all, FILE *file,
                       const size_t *widths, const struct bm_terminal *terminal,
                       struct scratch *scratch)
{
    const struct bm_table *table = all->table;
    struct rows rows = {
        .table = table,
        .file = file,
        .widths = widths,
        .terminal = terminal,
        .texts = bm_xcalloc(table->nr_columns, sizeof(*rows.texts)),
        .next = bm_xcalloc(table->nr_columns, sizeof(*rows.next)),
        .line = BM_STR_INIT,
        .part = BM_STR_INIT,
    };

    for (size_t c = 0; c < table->nr_columns; c++)
        rows.texts[c] = (struct bm_str)BM_STR_INIT;
    write_many(&rows, all, scratch);
    for (size_t c = 0; c < table->nr_columns; c++)
        bm_str_clear(&rows.texts[c]);
    bm_str_clear(&rows.line);
    bm_str_clear(&rows.part);
    free(rows.texts);
    free(rows.next);
}

void bm_table_write_text(const struct bm_table *table, FILE *file,
                         const struct bm_terminal *terminal)
{
    struct scratch scratch = {BM_STR_INIT, BM_STR_INIT, BM_STR_INIT};
    size_t *widths = bm_xcalloc(table->nr_columns, sizeof(*widths));
    size_t count = table->nr_columns;
    struct bm_table_rows rows;

    bm_table_rows_init(&rows, table);
    bool many = rows.count >= MANY_ROWS;

    for (size_t c = 0; c < table->nr_columns; c++)
        widths[c] = 1;
    if (terminal->width) {
        measure(&rows, &scratch, widths, count);
        fit(table, widths, terminal->width);
    } else if (many) {
        /* Nothing follows the last column, so it needs no width. */
        if (!(table->columns[count - 1].flags & BM_COLUMN_RIGHT))
            count--;
        measure(&rows, &scratch, widths, count);
    }
    if (many)
        write_rows(&rows, file, widths, terminal, &scratch);
    else
        write_few(&rows, file, widths, terminal, &scratch);
    bm_table_rows_clear(&rows);
    scratch_clear(&scratch);
    free(widths);
}
