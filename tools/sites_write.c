/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What benchmem-sites found: a page with a table, CSV, and JSON. Text leaves
 * out calls in system headers, of which C++ has many that are no one's own;
 * the formats for programs hold every call.
 */
#include "tools/sites.h"

#include "base/error.h"
#include "tools/report_json.h"
#include "tools/text_page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SCHEMA_VERSION 1

static bool is_system(const struct bm_coverage_site *site)
{
    return site->frame.flags & BM_FRAME_IS_SYSTEM;
}

static bool is_wrapper(const struct bm_coverage_site *site)
{
    return site->frame.flags & BM_FRAME_IS_WRAPPER;
}

static size_t count_system(const struct bm_survey *survey)
{
    size_t count = 0;

    for (size_t i = 0; i < survey->sites.nr_sites; i++)
        count += is_system(survey->sites.sites[i]);
    return count;
}

/* -- groups ---------------------------------------------------------------- */

struct group {
    const char *file;     /* of groups by file and function */
    const char *function; /* NULL where it does not tell or is not known */
    const char *type;     /* likewise */
    size_t nr_sites;
    size_t nr_wrappers;
};

static int compare_texts(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

static int compare_keys(const struct group *a, const struct group *b)
{
    int order = compare_texts(a->file, b->file);

    if (!order)
        order = compare_texts(a->function, b->function);
    return order ? order : compare_texts(a->type, b->type);
}

static int by_key(const void *a, const void *b)
{
    return compare_keys(a, b);
}

/* The largest first. */
static int by_size(const void *a, const void *b)
{
    const struct group *p = a, *q = b;

    if (p->nr_sites != q->nr_sites)
        return p->nr_sites < q->nr_sites ? 1 : -1;
    return compare_keys(p, q);
}

/* The caller's to free. */
static struct group *make_groups(const struct bm_survey *survey,
                                 enum bm_survey_by by, bool system, size_t *nr)
{
    const struct bm_coverage *sites = &survey->sites;
    struct group *groups = bm_xcalloc(sites->nr_sites + 1, sizeof(*groups));
    size_t count = 0, kept = 0;

    for (size_t i = 0; i < sites->nr_sites; i++) {
        const struct bm_coverage_site *site = sites->sites[i];
        bool in_file = by != BM_SURVEY_BY_TYPE;

        if (is_system(site) && !system)
            continue;
        groups[count++] = (struct group){
            .file = in_file ? site->shown : NULL,
            .function =
                by == BM_SURVEY_BY_FUNCTION ? site->frame.function : NULL,
            .type = in_file ? NULL : site->type,
            .nr_sites = 1,
            .nr_wrappers = is_wrapper(site),
        };
    }
    qsort(groups, count, sizeof(*groups), by_key);
    for (size_t i = 0; i < count; i++) {
        if (kept && !compare_keys(&groups[kept - 1], &groups[i])) {
            groups[kept - 1].nr_sites++;
            groups[kept - 1].nr_wrappers += groups[i].nr_wrappers;
        } else {
            groups[kept++] = groups[i];
        }
    }
    qsort(groups, kept, sizeof(*groups), by_size);
    *nr = kept;
    return groups;
}

static void fill_groups(struct bm_table *table, const struct bm_survey *survey,
                        const struct bm_survey_options *options, bool system)
{
    static const struct bm_column by_file[] = {
        {"SITES", "sites", BM_COLUMN_RIGHT},
        {"WRAPPERS", "wrappers", BM_COLUMN_RIGHT},
        {"FILE", "file", BM_COLUMN_MIDDLE},
    };
    static const struct bm_column by_function[] = {
        {"SITES", "sites", BM_COLUMN_RIGHT},
        {"WRAPPERS", "wrappers", BM_COLUMN_RIGHT},
        {"FILE", "file", BM_COLUMN_MIDDLE | BM_COLUMN_SPARE(1)},
        {"FUNCTION", "function", BM_COLUMN_MIDDLE},
    };
    static const struct bm_column by_type[] = {
        {"SITES", "sites", BM_COLUMN_RIGHT},
        {"WRAPPERS", "wrappers", BM_COLUMN_RIGHT},
        {"TYPE", "type", BM_COLUMN_END},
    };
    static const struct bm_column *const columns[] = {
        [BM_SURVEY_BY_FILE] = by_file,
        [BM_SURVEY_BY_FUNCTION] = by_function,
        [BM_SURVEY_BY_TYPE] = by_type,
    };
    size_t nr;
    struct group *groups = make_groups(survey, options->by, system, &nr);

    bm_table_init(table, columns[options->by],
                  options->by == BM_SURVEY_BY_FUNCTION ? 4 : 3);
    for (size_t i = 0; i < nr; i++) {
        struct bm_cell *cell = bm_table_add_row(table);

        cell[0] = bm_cell_count(groups[i].nr_sites);
        cell[1] = bm_cell_count(groups[i].nr_wrappers);
        cell[2] = bm_cell_text(
            options->by == BM_SURVEY_BY_TYPE ? groups[i].type : groups[i].file);
        if (options->by == BM_SURVEY_BY_FUNCTION)
            cell[3] = bm_cell_text(groups[i].function);
    }
    free(groups);
}

/* -- text ------------------------------------------------------------------ */

static void fill_sites(struct bm_table *table, const struct bm_survey *survey,
                       const struct bm_survey_options *options)
{
    static const struct bm_column columns[] = {
        {"LINE", "line", BM_COLUMN_MIDDLE},
        {"FUNCTION", "function", BM_COLUMN_MIDDLE},
        {"KIND", "kind", 0},
        {"TYPE", "type", BM_COLUMN_END | BM_COLUMN_SPARE(1)},
        {"SIZE", "size_expr", BM_COLUMN_END | BM_COLUMN_SPARE(2)},
        {"COUNT", "count", BM_COLUMN_END | BM_COLUMN_SPARE(3)},
        {"WRAPPER", "wrapper", BM_COLUMN_SPARE(4)},
    };

    bm_table_init(table, columns, sizeof(columns) / sizeof(columns[0]));
    for (size_t i = 0; i < survey->sites.nr_sites; i++) {
        const struct bm_coverage_site *site = survey->sites.sites[i];

        if (is_system(site) && !options->system)
            continue;
        struct bm_cell *cell = bm_table_add_row(table);
        cell[0] = bm_cell_text(site->shown);
        if (site->frame.line)
            cell[0] = bm_cell_text(bm_arena_printf(
                &table->arena, "%s:%" PRIu32, site->shown, site->frame.line));
        cell[1] = bm_cell_text(site->frame.function);
        cell[2] = bm_cell_text(site->kind);
        cell[3] = bm_cell_text(site->type);
        cell[4] = bm_cell_text(site->size_expr);
        cell[5] = bm_cell_text(site->count);
        cell[6] = bm_cell_text(is_wrapper(site) ? "yes" : NULL);
    }
}

static void put_facts(const struct bm_text_page *page,
                      const struct bm_survey *survey,
                      const struct bm_source_units *units, size_t nr_system)
{
    struct bm_str text = BM_STR_INIT;
    size_t nr_files, nr = survey->sites.nr_sites - nr_system;

    free(make_groups(survey, BM_SURVEY_BY_FILE, false, &nr_files));
    if (units->path) {
        bm_str_puts(&text, units->path);
        if (units->note)
            bm_str_printf(&text, " (%s)", units->note);
        bm_text_page_fact(page, "database", text.data);
        bm_str_truncate(&text, 0);
    }
    bm_str_printf(&text, "%zu file%s", survey->nr_read,
                  survey->nr_read == 1 ? "" : "s");
    if (survey->nr_left_out)
        bm_str_printf(&text, ", %zu left out (-v tells why)",
                      survey->nr_left_out);
    if (survey->nr_failed)
        bm_str_printf(&text, ", %zu could not be read", survey->nr_failed);
    bm_text_page_fact(page, "read", text.data);
    bm_str_truncate(&text, 0);
    bm_str_printf(&text, "%zu allocation call%s in %zu file%s", nr,
                  nr == 1 ? "" : "s", nr_files, nr_files == 1 ? "" : "s");
    bm_text_page_fact(page, "sites", text.data);
    bm_str_clear(&text);
}

static void write_text(const struct bm_survey *survey,
                       const struct bm_source_units *units,
                       const struct bm_survey_options *options, FILE *file)
{
    const struct bm_text_page page = {
        .file = file,
        .terminal = bm_terminal_of(fileno(file), options->common.color),
        .markdown = options->common.format == BM_FORMAT_MD,
    };
    size_t nr_system = count_system(survey);
    struct bm_table table;

    put_facts(&page, survey, units, nr_system);
    if (options->by == BM_SURVEY_BY_SITE)
        fill_sites(&table, survey, options);
    else
        fill_groups(&table, survey, options, options->system);
    if (table.nr_rows) {
        fputc('\n', file);
        bm_text_page_table(&page, &table);
    }
    if (nr_system && !options->system)
        fprintf(file, "%s+%zu more in system headers%s\n",
                bm_tone_begin(&page.terminal, BM_TONE_FAINT), nr_system,
                bm_tone_end(&page.terminal, BM_TONE_FAINT));
    bm_table_clear(&table);
}

/* -- for programs ---------------------------------------------------------- */

static void fill_all(struct bm_table *table, const struct bm_survey *survey)
{
    static const struct bm_column columns[] = {
        BM_COVERAGE_CSV_COLUMNS,
        {"COUNT", "count", 0},
        {"WRAPPER", "wrapper", 0},
        {"SYSTEM", "system", 0},
        {"LINKAGE NAME", "linkage_name", 0},
        {"ID", "id", 0},
    };

    bm_table_init(table, columns, sizeof(columns) / sizeof(columns[0]));
    for (size_t i = 0; i < survey->sites.nr_sites; i++) {
        const struct bm_coverage_site *site = survey->sites.sites[i];
        struct bm_cell *cell = bm_table_add_row(table);

        bm_coverage_csv_cells(cell, site);
        cell += BM_COVERAGE_NR_CSV;
        cell[0] = bm_cell_text(site->count);
        cell[1] = bm_cell_text(is_wrapper(site) ? "yes" : "no");
        cell[2] = bm_cell_text(is_system(site) ? "yes" : "no");
        cell[3] = bm_cell_text(site->frame.linkage_name);
        cell[4] = bm_cell_text(
            bm_arena_printf(&table->arena, "%016" PRIx64, site->key.site));
    }
}

static void write_csv(const struct bm_survey *survey,
                      const struct bm_survey_options *options, FILE *file)
{
    const struct bm_terminal none = {0};
    struct bm_table table;

    if (options->by == BM_SURVEY_BY_SITE)
        fill_all(&table, survey);
    else
        fill_groups(&table, survey, options, true);
    bm_table_write(&table, file, BM_FORMAT_CSV, &none);
    bm_table_clear(&table);
}

static void put_site(struct bm_json *json, const struct bm_coverage_site *site)
{
    bm_json_begin_object(json);
    bm_coverage_put_source(json, site);
    bm_json_put_string(json, "count", site->count);
    bm_json_put_bool(json, "wrapper", is_wrapper(site));
    bm_json_put_bool(json, "system", is_system(site));
    bm_json_end_object(json);
}

static void put_groups(struct bm_json *json, const struct bm_survey *survey,
                       enum bm_survey_by by)
{
    size_t nr;
    struct group *groups = make_groups(survey, by, true, &nr);

    bm_json_key(json, "groups");
    bm_json_begin_array(json);
    for (size_t i = 0; i < nr; i++) {
        bm_json_begin_object(json);
        if (by == BM_SURVEY_BY_TYPE)
            bm_json_put_string(json, "type", groups[i].type);
        else
            bm_json_put_string(json, "file", groups[i].file);
        if (by == BM_SURVEY_BY_FUNCTION)
            bm_json_put_string(json, "function", groups[i].function);
        bm_json_put_uint(json, "sites", groups[i].nr_sites);
        bm_json_put_uint(json, "wrappers", groups[i].nr_wrappers);
        bm_json_end_object(json);
    }
    bm_json_end_array(json);
    free(groups);
}

static void write_json(const struct bm_survey *survey,
                       const struct bm_source_units *units,
                       const struct bm_survey_options *options, FILE *file)
{
    struct bm_json json;

    bm_json_init(&json, file, 2);
    bm_json_begin_object(&json);
    bm_json_put_uint(&json, "schema_version", SCHEMA_VERSION);
    bm_json_put_string(&json, "database", units->path);
    bm_json_key(&json, "units");
    bm_json_begin_object(&json);
    bm_json_put_uint(&json, "read", survey->nr_read);
    bm_json_put_uint(&json, "left_out", survey->nr_left_out);
    bm_json_put_uint(&json, "failed", survey->nr_failed);
    bm_json_end_object(&json);
    if (options->by != BM_SURVEY_BY_SITE)
        put_groups(&json, survey, options->by);
    bm_json_key(&json, "sites");
    bm_json_begin_array(&json);
    for (size_t i = 0; i < survey->sites.nr_sites; i++)
        put_site(&json, survey->sites.sites[i]);
    bm_json_end_array(&json);
    bm_json_end_object(&json);
    bm_json_finish(&json);
}

void bm_survey_write(const struct bm_survey *survey,
                     const struct bm_source_units *units,
                     const struct bm_survey_options *options, FILE *file)
{
    switch (options->common.format) {
    case BM_FORMAT_JSON:
        write_json(survey, units, options, file);
        break;
    case BM_FORMAT_CSV:
        write_csv(survey, options, file);
        break;
    default:
        write_text(survey, units, options, file);
        break;
    }
}
