/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "measure/summary.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/table.h"
#include "results/measure.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Figures of one mode, in the order of columns. */
struct figure {
    const char *key;
    const char *title;
    enum bm_unit unit;
};

static const struct section {
    const char *mode;
    const char *title;
    struct figure figures[2]; /* the second may have no key */
} sections[] = {
    {"memory",
     "Memory: requested heap",
     {{"allocation_high_water_bytes", "Peak of allocations", BM_UNIT_BYTES}}},
    {"time", "Time", {{"time_ns", "Time", BM_UNIT_NS}}},
    {"rss",
     "Resident memory: one fresh process a repetition",
     {{"setup_peak_rss_bytes", "Peak after set-up", BM_UNIT_BYTES},
      {"peak_rss_bytes", "Peak", BM_UNIT_BYTES}}},
};
#define NR_SECTIONS (sizeof(sections) / sizeof(*sections))

static const char *text_of(const json_t *entry, const char *key)
{
    const char *text = json_string_value(json_object_get(entry, key));

    return text ? text : "";
}

static int compare_values(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return (a > b) - (a < b);
}

/* "1.5 MiB (1.4 MiB to 1.6 MiB)"; one value is its own. */
static const char *describe(struct bm_table *table, uint64_t *values, size_t nr,
                            enum bm_unit unit)
{
    struct bm_str text = BM_STR_INIT;
    long double median;

    if (nr == 0)
        return NULL;
    qsort(values, nr, sizeof(*values), compare_values);
    median = nr % 2 ? (long double)values[nr / 2]
                    : ((long double)values[nr / 2 - 1] + values[nr / 2]) / 2;
    bm_value_print(&text, median, unit);
    if (values[0] != values[nr - 1]) {
        bm_str_puts(&text, " (");
        bm_value_print(&text, values[0], unit);
        bm_str_puts(&text, " to ");
        bm_value_print(&text, values[nr - 1], unit);
        bm_str_puts(&text, ")");
    }
    const char *copy = bm_arena_strdup(&table->arena, text.data);
    bm_str_clear(&text);
    return copy;
}

struct row {
    const char *workload;
    const char *group;
};

static bool is_of(const json_t *entry, const struct section *section,
                  const char *group, const char *workload)
{
    return strcmp(text_of(entry, "mode"), section->mode) == 0 &&
           strcmp(text_of(entry, "group"), group) == 0 &&
           (!workload || strcmp(text_of(entry, "workload_id"), workload) == 0);
}

static void put_row(struct bm_table *table, const json_t *entries,
                    const struct section *section, const struct row *row)
{
    size_t count = json_array_size(entries), nr_entries = 0;
    struct bm_cell *cell = bm_table_add_row(table);
    bool shared = false;

    *cell++ = bm_cell_text(row->workload);
    for (size_t f = 0; f < 2 && section->figures[f].key; f++) {
        uint64_t *values = bm_xcalloc(count, sizeof(*values));
        size_t nr = 0;

        nr_entries = 0;
        for (size_t i = 0; i < count; i++) {
            const json_t *entry = json_array_get(entries, i);
            const json_t *value =
                json_object_get(entry, section->figures[f].key);

            if (!is_of(entry, section, row->group, row->workload))
                continue;
            nr_entries++;
            shared |= json_is_true(json_object_get(entry, "shared_process"));
            if (json_is_integer(value))
                values[nr++] = (uint64_t)json_integer_value(value);
        }
        *cell++ =
            bm_cell_text(describe(table, values, nr, section->figures[f].unit));
        free(values);
    }
    *cell++ = bm_cell_count(nr_entries);
    if (strcmp(section->mode, "rss") == 0)
        *cell = bm_cell_text(shared ? "shared" : "own");
}

/* Whether an earlier entry has this group, and workload if there is one. */
static bool came_before(const json_t *entries, size_t at,
                        const struct section *section, const char *group,
                        const char *workload)
{
    for (size_t i = 0; i < at; i++)
        if (is_of(json_array_get(entries, i), section, group, workload))
            return true;
    return false;
}

static void put_group(FILE *file, const json_t *entries,
                      const struct section *section, const char *group)
{
    struct bm_column columns[5] = {{"Workload", "workload", 0}};
    size_t nr = 1;
    struct bm_table table;

    for (size_t f = 0; f < 2 && section->figures[f].key; f++)
        columns[nr++] =
            (struct bm_column){section->figures[f].title,
                               section->figures[f].key, BM_COLUMN_RIGHT};
    columns[nr++] =
        (struct bm_column){"Repetitions", "repetitions", BM_COLUMN_RIGHT};
    if (strcmp(section->mode, "rss") == 0)
        columns[nr++] = (struct bm_column){"Process", "process", 0};
    bm_table_init(&table, columns, nr);
    for (size_t i = 0; i < json_array_size(entries); i++) {
        const json_t *entry = json_array_get(entries, i);
        const struct row row = {text_of(entry, "workload_id"), group};

        if (is_of(entry, section, group, NULL) &&
            !came_before(entries, i, section, group, row.workload))
            put_row(&table, entries, section, &row);
    }
    if (*group)
        fprintf(file, "### %s\n\n", group);
    bm_table_write_markdown(&table, file);
    fputc('\n', file);
    bm_table_clear(&table);
}

static void put_section(FILE *file, const json_t *entries,
                        const struct section *section)
{
    bool any = false;

    for (size_t i = 0; i < json_array_size(entries); i++) {
        const json_t *entry = json_array_get(entries, i);
        const char *group = text_of(entry, "group");

        if (strcmp(text_of(entry, "mode"), section->mode) != 0 ||
            came_before(entries, i, section, group, NULL))
            continue;
        if (!any)
            fprintf(file, "## %s\n\n", section->title);
        any = true;
        put_group(file, entries, section, group);
    }
}

static void put_origin(FILE *file, const json_t *entry)
{
    static const struct {
        const char *key, *title;
    } facts[] = {{"program", "Program"},   {"revision", "Revision"},
                 {"compiler", "Compiler"}, {"flags", "Flags"},
                 {"platform", "Platform"}, {"timestamp", "Begun"}};

    for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++) {
        const char *text = text_of(entry, facts[i].key);
        bool dirty = strcmp(facts[i].key, "revision") == 0 &&
                     json_is_true(json_object_get(entry, "dirty"));

        if (*text)
            fprintf(file, "- %s: `%s`%s\n", facts[i].title, text,
                    dirty ? ", with changes" : "");
    }
    fputc('\n', file);
}

static int check(const char *path, const json_t *document,
                 const json_error_t *error)
{
    json_int_t version =
        json_integer_value(json_object_get(document, "schema_version"));

    if (!document && error->line < 0)
        return bm_error("cannot read %s: %s", path, strerror(errno));
    if (!document)
        return bm_error("cannot read %s: line %d: %s", path, error->line,
                        error->text);
    if (!json_is_array(json_object_get(document, "measurements")))
        return bm_error("cannot read %s: no manifest: it has no measurements",
                        path);
    if (version != 1)
        return bm_error("cannot read %s: schema_version %" JSON_INTEGER_FORMAT
                        " is not known; this benchmem reads 1",
                        path, version);
    return 0;
}

int bm_summary_write(const char *path, FILE *file)
{
    json_error_t error;
    json_t *document = json_load_file(path, 0, &error);
    const json_t *entries = json_object_get(document, "measurements");
    int result = check(path, document, &error);

    if (!result) {
        fputs("# Measurements\n\n", file);
        if (json_array_size(entries))
            put_origin(file, json_array_get(entries, 0));
        for (size_t i = 0; i < NR_SECTIONS; i++)
            put_section(file, entries, &sections[i]);
        fputs("Figures are medians over the repetitions, with the range that "
              "was seen. Resident\npeaks are maxima of a process since its "
              "start: the one after set-up is no baseline\nto subtract, and "
              "that of a shared process holds what ran before.\n",
              file);
    }
    json_decref(document);
    return result;
}
