/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* One table, four shapes: the whole of each is compared. */
#include "base/table.h"
#include "base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct bm_column columns[] = {
    {"AT PEAK", "at_peak_bytes", BM_COLUMN_RIGHT},
    {"%", "percent", BM_COLUMN_RIGHT},
    {"CALLS", "calls", BM_COLUMN_RIGHT},
    {"SITE", "site", BM_COLUMN_MIDDLE},
    {"PATH", "path", BM_COLUMN_LINES},
};

static void fill(struct bm_table *table)
{
    bm_table_init(table, columns, sizeof(columns) / sizeof(columns[0]));
    struct bm_cell *cell = bm_table_add_row(table);
    cell[0] = bm_cell_bytes(1536);
    cell[1] = bm_cell_percent(1, 3);
    cell[2] = bm_cell_count(UINT64_MAX);
    cell[3] = bm_cell_text("src/a.c:1 std::f<int>|x");
    cell[4] = bm_cell_text("main\nf");
    cell = bm_table_add_row(table);
    cell[1] = bm_cell_percent(1, 0);
    cell[3] = bm_cell_text("=n\303\244 \346\225\260\033[1m");
    cell[4] = bm_cell_text(NULL);
}

static void assert_written(enum bm_format format,
                           const struct bm_terminal *terminal,
                           const char *expected)
{
    struct bm_table table;
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);

    fill(&table);
    bm_table_write(&table, file, format, terminal);
    fclose(file);
    assert_string_equal(text, expected);
    free(text);
    bm_table_clear(&table);
}

static void text_is_aligned(void **state)
{
    const struct bm_terminal terminal = {false, 0};

    (void)state;
    assert_written(
        BM_FORMAT_TABLE, &terminal,
        "AT PEAK     %                 CALLS  SITE                     PATH\n"
        "1.5 KiB  33.3  18446744073709551615  src/a.c:1 std::f<int>|x  main\n"
        "                                                              f\n"
        "            -                        =n\303\244 "
        "\346\225\260\\x1b[1m\n");
}

static void narrow_text_is_shortened_in_the_middle(void **state)
{
    const struct bm_terminal terminal = {false, 64};

    (void)state;
    assert_written(
        BM_FORMAT_TABLE, &terminal,
        "AT PEAK     %                 CALLS  SITE                   PATH\n"
        "1.5 KiB  33.3  18446744073709551615  src/a.c\342\200\246std::f<int>|x "
        " "
        "main\n"
        "                                                            f\n"
        "            -                        =n\303\244 "
        "\346\225\260\\x1b[1m\n");
}

static void csv_is_exact(void **state)
{
    (void)state;
    assert_written(BM_FORMAT_CSV, NULL,
                   "at_peak_bytes,percent,calls,site,path\n"
                   "1536,33.3,18446744073709551615,"
                   "src/a.c:1 std::f<int>|x,main > f\n"
                   ",,,'=n\303\244 \346\225\260\\x1b[1m,\n");
}

static void json_is_exact(void **state)
{
    (void)state;
    assert_written(
        BM_FORMAT_JSON, NULL,
        "[\n"
        "  {\"at_peak_bytes\": 1536, \"percent\": 33.333333333333336, "
        "\"calls\": 18446744073709551615, "
        "\"site\": \"src/a.c:1 std::f<int>|x\", \"path\": \"main\\nf\"},\n"
        "  {\"at_peak_bytes\": null, \"percent\": null, \"calls\": null, "
        "\"site\": \"=n\303\244 \346\225\260\\u001B[1m\", \"path\": null}\n"
        "]\n");
}

static void markdown_is_shown_as_text(void **state)
{
    (void)state;
    assert_written(BM_FORMAT_MD, NULL,
                   "| AT PEAK | % | CALLS | SITE | PATH |\n"
                   "| --: | --: | --: | --- | --- |\n"
                   "| 1.5 KiB | 33.3 | 18446744073709551615 | "
                   "src/a.c:1 std::f&lt;int&gt;\\|x | main &gt; f |\n"
                   "|  | - |  | =n\303\244 \346\225\260\\\\x1b\\[1m |  |\n");
}

static void tones_are_colours_only_where_there_are_any(void **state)
{
    static const struct bm_column one[] = {{"A", "a", 0}};
    const struct bm_terminal plain = {false, 0}, colored = {true, 0};
    struct bm_table table;
    char *text = NULL;
    size_t size;

    (void)state;
    bm_table_init(&table, one, 1);
    bm_table_add_row(&table)[0] = bm_cell_text("x");
    bm_table_tone_row(&table, BM_TONE_BAD);

    FILE *file = open_memstream(&text, &size);
    bm_table_write(&table, file, BM_FORMAT_TABLE, &plain);
    bm_table_write(&table, file, BM_FORMAT_TABLE, &colored);
    fclose(file);
    assert_string_equal(text, "A\nx\n\033[1mA\033[0m\n\033[31mx\033[0m\n");
    free(text);
    bm_table_clear(&table);
}

/* The text of the rows of fill, so many times. */
static char *text_of(size_t times, const struct bm_terminal *terminal)
{
    struct bm_table table, one;
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);

    fill(&one);
    bm_table_init(&table, one.columns, one.nr_columns);
    for (size_t i = 0; i < times * one.nr_rows; i++) {
        struct bm_cell *cell = bm_table_add_row(&table);
        const struct bm_cell *like =
            one.cells + i % one.nr_rows * one.nr_columns;
        memcpy(cell, like, one.nr_columns * sizeof(*cell));
        bm_table_tone_row(&table, i % 2 ? BM_TONE_NORMAL : BM_TONE_FAINT);
    }
    bm_table_write_text(&table, file, terminal);
    fclose(file);
    bm_table_clear(&table);
    bm_table_clear(&one);
    return text;
}

/* Long tables are written in another way than short ones. */
static void a_long_table_looks_like_a_short_one(void **state)
{
    const struct bm_terminal terminals[] = {
        {false, 0}, {true, 0}, {false, 64}, {true, 64}, {true, 20}};
    const size_t times = 3000;

    (void)state;
    for (size_t i = 0; i < sizeof(terminals) / sizeof(terminals[0]); i++) {
        char *once = text_of(1, &terminals[i]);
        char *many = text_of(times, &terminals[i]);
        const char *rows = strchr(once, '\n') + 1;
        size_t heading = (size_t)(rows - once), size = strlen(rows);

        assert_int_equal(strlen(many), heading + times * size);
        assert_memory_equal(many, once, heading);
        for (size_t k = 0; k < times; k++)
            assert_memory_equal(many + heading + k * size, rows, size);
        free(once);
        free(many);
    }
}

/* Row number n of what both tables below hold. */
static void put_numbered(struct bm_table *table, size_t n)
{
    struct bm_cell *row = bm_table_add_row(table);

    row[0] = bm_cell_text(bm_arena_printf(&table->arena, "row, \"%zu\"", n));
    row[1] = bm_cell_bytes(n * 1000);
}

static void make_numbered(struct bm_row_maker *maker, size_t row,
                          struct bm_table *made)
{
    (void)maker;
    put_numbered(made, row);
}

static char *all_formats_of(const struct bm_table *table)
{
    const struct bm_terminal terminals[] = {{false, 0}, {false, 16}};
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);

    for (enum bm_format f = 0; f < BM_NR_FORMATS; f++)
        for (size_t i = 0; i < 2; i++)
            bm_table_write(table, file, f, &terminals[i]);
    fclose(file);
    return text;
}

static void made_rows_are_written_like_rows_of_cells(void **state)
{
    static const struct bm_column two[] = {
        {"NAME", "name", BM_COLUMN_MIDDLE},
        {"SIZE", "size", BM_COLUMN_RIGHT},
    };

    (void)state;
    /* Few rows and many are written in two ways. */
    for (size_t count = 3; count <= 3000; count += 2997) {
        struct bm_row_maker maker = {make_numbered, count};
        struct bm_table cells, made;

        bm_table_init(&cells, two, 2);
        bm_table_init(&made, two, 2);
        bm_table_make_rows(&made, &maker);
        for (size_t n = 0; n < count; n++)
            put_numbered(&cells, n);
        put_numbered(&cells, 7);
        put_numbered(&made, 7);
        char *expected = all_formats_of(&cells), *text = all_formats_of(&made);
        assert_string_equal(text, expected);
        free(expected);
        free(text);
        bm_table_clear(&cells);
        bm_table_clear(&made);
    }
}

static void an_empty_table_has_its_heading(void **state)
{
    struct bm_table table;
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);

    (void)state;
    bm_table_init(&table, columns, 2);
    bm_table_write(&table, file, BM_FORMAT_CSV, NULL);
    bm_table_write(&table, file, BM_FORMAT_JSON, NULL);
    fclose(file);
    assert_string_equal(text, "at_peak_bytes,percent\n[]\n");
    free(text);
    bm_table_clear(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_aligned),
        cmocka_unit_test(narrow_text_is_shortened_in_the_middle),
        cmocka_unit_test(csv_is_exact),
        cmocka_unit_test(json_is_exact),
        cmocka_unit_test(markdown_is_shown_as_text),
        cmocka_unit_test(tones_are_colours_only_where_there_are_any),
        cmocka_unit_test(a_long_table_looks_like_a_short_one),
        cmocka_unit_test(made_rows_are_written_like_rows_of_cells),
        cmocka_unit_test(an_empty_table_has_its_heading),
    };

    bm_utf8_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
