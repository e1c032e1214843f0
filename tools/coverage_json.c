/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Coverage as JSON, written and read again as the base of a gate, and as a
 * tracefile of lcov (geninfo(1)).
 */
#include "base/error.h"
#include "base/escape.h"
#include "tools/coverage.h"
#include "tools/report_json.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SCHEMA_VERSION 1

const char *const bm_reach_names[] = {"no", "outside", "yes", NULL};

static void put_counts(struct bm_json *json, size_t nr_reached, size_t nr_sites)
{
    bm_json_put_uint(json, "sites", nr_sites);
    bm_json_put_uint(json, "reached", nr_reached);
    bm_json_key(json, "percent");
    if (nr_sites)
        bm_json_double(json, 100.0 * (double)nr_reached / (double)nr_sites);
    else
        bm_json_null(json);
}

static void put_groups(struct bm_json *json, const char *key,
                       const struct bm_coverage *coverage, bool by_function)
{
    size_t nr;
    struct bm_coverage_group *groups =
        bm_coverage_groups(coverage, by_function, &nr);

    bm_json_key(json, key);
    bm_json_begin_array(json);
    for (size_t i = 0; i < nr; i++) {
        bm_json_begin_object(json);
        bm_json_put_string(json, "file", groups[i].file);
        if (by_function)
            bm_json_put_string(json, "function", groups[i].function);
        put_counts(json, groups[i].nr_reached, groups[i].nr_sites);
        bm_json_end_object(json);
    }
    bm_json_end_array(json);
    free(groups);
}

void bm_coverage_put_source(struct bm_json *json,
                            const struct bm_coverage_site *site)
{
    bm_put_id(json, "id", site->key.site);
    bm_put_place(json, &site->frame);
    bm_json_put_string(json, "linkage_name", site->frame.linkage_name);
    bm_json_put_string(json, "kind", site->kind);
    bm_json_put_string(json, "callee", site->callee);
    bm_json_put_string(json, "type", site->type);
    bm_json_put_string(json, "size_expr", site->size_expr);
}

static void put_absent(struct bm_json *json, const struct bm_coverage *absent)
{
    bm_json_key(json, "absent");
    bm_json_begin_array(json);
    for (size_t i = 0; i < absent->nr_sites; i++) {
        bm_json_begin_object(json);
        bm_coverage_put_source(json, absent->sites[i]);
        bm_json_put_bool(json, "elided", absent->sites[i]->elided);
        bm_json_end_object(json);
    }
    bm_json_end_array(json);
}

static void put_site(struct bm_json *json, const struct bm_coverage_site *site)
{
    bm_json_begin_object(json);
    bm_coverage_put_source(json, site);
    bm_json_put_string(json, "reached", bm_reach_names[site->reach]);
    bm_json_put_uint(json, "allocations", site->allocations);
    bm_json_end_object(json);
}

static void put_strings(struct bm_json *json, const char *key,
                        const struct bm_strvec *strings)
{
    bm_json_key(json, key);
    bm_json_begin_array(json);
    for (size_t i = 0; i < strings->count; i++)
        bm_json_string(json, strings->items[i]);
    bm_json_end_array(json);
}

void bm_coverage_json(const struct bm_coverage *coverage,
                      const struct bm_inputs *inputs, FILE *file)
{
    struct bm_strvec profiles = BM_STRVEC_INIT;
    struct bm_json json;

    for (size_t i = 0; i < inputs->count; i++)
        bm_strvec_push(&profiles, inputs->items[i].path);
    bm_json_init(&json, file, 2);
    bm_json_begin_object(&json);
    bm_json_put_uint(&json, "schema_version", SCHEMA_VERSION);
    put_strings(&json, "profiles", &profiles);
    put_strings(&json, "binaries", &coverage->binaries);
    bm_json_key(&json, "coverage");
    bm_json_begin_object(&json);
    put_counts(&json, coverage->nr_reached, coverage->nr_sites);
    bm_json_put_uint(&json, "benchmarks", coverage->nr_benchmarks);
    bm_json_end_object(&json);
    put_groups(&json, "files", coverage, false);
    put_groups(&json, "functions", coverage, true);
    bm_json_key(&json, "sites");
    bm_json_begin_array(&json);
    for (size_t i = 0; i < coverage->nr_sites; i++)
        put_site(&json, coverage->sites[i]);
    bm_json_end_array(&json);
    if (coverage->absent)
        put_absent(&json, coverage->absent);
    bm_json_end_object(&json);
    bm_json_finish(&json);
    bm_strvec_clear(&profiles);
}

/* -- read again ------------------------------------------------------------ */

static const char *text_of(struct bm_coverage *coverage, const json_t *object,
                           const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? bm_arena_strdup(&coverage->arena, text) : NULL;
}

static uint32_t number_of(const json_t *object, const char *key)
{
    json_int_t value = json_integer_value(json_object_get(object, key));

    return value > 0 && value <= UINT32_MAX ? (uint32_t)value : 0;
}

struct bm_coverage_site *bm_coverage_site_of(struct bm_coverage *coverage,
                                             const json_t *object)
{
    const char *id = json_string_value(json_object_get(object, "id"));
    struct bm_coverage_key key = {0};
    struct bm_frame_info frame = {
        .file = text_of(coverage, object, "file"),
        .dir = text_of(coverage, object, "dir"),
        .function = text_of(coverage, object, "function"),
        .linkage_name = text_of(coverage, object, "linkage_name"),
        .line = number_of(object, "line"),
        .column = number_of(object, "column"),
    };

    if (!id || sscanf(id, "%16" SCNx64, &key.site) != 1)
        return NULL;
    if (json_is_true(json_object_get(object, "system")))
        frame.flags |= BM_FRAME_IS_SYSTEM;
    key.place = bm_coverage_place(&frame);
    struct bm_coverage_site *site = bm_coverage_site(coverage, &key);
    site->frame = frame;
    site->kind = text_of(coverage, object, "kind");
    site->callee = text_of(coverage, object, "callee");
    site->type = text_of(coverage, object, "type");
    site->size_expr = text_of(coverage, object, "size_expr");
    return site;
}

static bool read_site(struct bm_coverage *coverage, const json_t *object)
{
    const char *reached = json_string_value(json_object_get(object, "reached"));
    enum bm_reach reach = BM_REACH_NEVER;

    while (reached && bm_reach_names[reach] &&
           strcmp(bm_reach_names[reach], reached) != 0)
        reach++;
    if (!reached || !bm_reach_names[reach])
        return false;
    struct bm_coverage_site *site = bm_coverage_site_of(coverage, object);
    if (site)
        site->reach = reach;
    return site;
}

json_t *bm_coverage_load(const char *path, const char *key, const char *what)
{
    json_error_t error;
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);

    if (!root) {
        bm_error("cannot read %s: line %d: %s", path, error.line, error.text);
        return NULL;
    }
    if (json_is_object(json_object_get(root, key)) &&
        json_is_array(json_object_get(root, "sites")))
        return root;
    bm_error("cannot read %s: it is not what %s --format json writes", path,
             what);
    json_decref(root);
    return NULL;
}

int bm_coverage_read_json(struct bm_coverage *coverage, const char *path)
{
    json_t *root = bm_coverage_load(path, "coverage", "--coverage");
    const json_t *sites = json_object_get(root, "sites");
    int result = root ? 0 : -1;

    for (size_t i = 0; !result && i < json_array_size(sites); i++)
        if (!read_site(coverage, json_array_get(sites, i)))
            result = bm_error("cannot read %s: site %zu has no \"id\" or no "
                              "\"reached\" that is known",
                              path, i);
    json_decref(root);
    if (!result)
        bm_coverage_sort(coverage);
    return result;
}

/* -- lcov ------------------------------------------------------------------ */

/* How many "../" the compiler's name of a file may have lost. */
#define MOST_UPS 4

/* The path that a reader of the tracefile finds the source at. */
static void add_source(struct bm_str *out, const struct bm_frame_info *frame)
{
    if (frame->file[0] == '/' || !frame->dir) {
        bm_str_puts(out, frame->file);
        return;
    }
    for (unsigned ups = 0; ups <= MOST_UPS; ups++) {
        bm_str_truncate(out, 0);
        bm_str_printf(out, "%s/", frame->dir);
        for (unsigned i = 0; i < ups; i++)
            bm_str_puts(out, "../");
        bm_str_puts(out, frame->file);
        if (access(out->data, F_OK) == 0)
            return;
    }
    bm_str_truncate(out, 0);
    bm_str_printf(out, "%s/%s", frame->dir, frame->file);
}

/* A line of the format ends at a line end, whatever a name holds. */
static void put_text(FILE *file, const char *text)
{
    struct bm_str out = BM_STR_INIT;

    bm_escape_terminal(&out, text);
    fprintf(file, "%s\n", out.data);
    bm_str_clear(&out);
}

static bool same_file(const struct bm_coverage_site *a,
                      const struct bm_coverage_site *b)
{
    return !strcmp(a->shown, b->shown);
}

/* Sites of one line are together; those without a line are left out. */
static void put_lines(struct bm_coverage_site *const *sites, size_t nr,
                      FILE *file)
{
    size_t found = 0, hit = 0;

    for (size_t i = 0, next; i < nr; i = next) {
        uint64_t allocations = 0;

        for (next = i;
             next < nr && sites[next]->frame.line == sites[i]->frame.line;
             next++)
            allocations += sites[next]->allocations;
        if (!sites[i]->frame.line)
            continue;
        fprintf(file, "DA:%" PRIu32 ",%" PRIu64 "\n", sites[i]->frame.line,
                allocations);
        found++;
        hit += allocations > 0;
    }
    fprintf(file, "LF:%zu\nLH:%zu\n", found, hit);
}

static int compare_functions(const void *a, const void *b)
{
    const struct bm_coverage_site *p = *(struct bm_coverage_site *const *)a;
    const struct bm_coverage_site *q = *(struct bm_coverage_site *const *)b;
    int order = strcmp(p->frame.function, q->frame.function);

    if (!order && p->frame.line != q->frame.line)
        order = p->frame.line < q->frame.line ? -1 : 1;
    return order;
}

/* A function's line is that of its first call: where it begins is not known. */
static void put_functions(struct bm_coverage_site *const *sites, size_t nr,
                          FILE *file)
{
    struct bm_coverage_site **named =
        bm_xcalloc(nr, sizeof(struct bm_coverage_site *));
    size_t count = 0, found = 0, hit = 0;

    for (size_t i = 0; i < nr; i++)
        if (sites[i]->frame.function && sites[i]->frame.line)
            named[count++] = sites[i];
    qsort(named, count, sizeof(struct bm_coverage_site *), compare_functions);
    for (size_t i = 0, next; i < count; i = next) {
        uint64_t allocations = 0;

        for (next = i; next < count && !strcmp(named[next]->frame.function,
                                               named[i]->frame.function);
             next++)
            allocations += named[next]->allocations;
        fprintf(file, "FN:%" PRIu32 ",", named[i]->frame.line);
        put_text(file, named[i]->frame.function);
        fprintf(file, "FNDA:%" PRIu64 ",", allocations);
        put_text(file, named[i]->frame.function);
        found++;
        hit += allocations > 0;
    }
    fprintf(file, "FNF:%zu\nFNH:%zu\n", found, hit);
    free(named);
}

void bm_coverage_lcov(const struct bm_coverage *coverage, FILE *file)
{
    struct bm_str source = BM_STR_INIT;

    for (size_t i = 0, next; i < coverage->nr_sites; i = next) {
        struct bm_coverage_site *const *sites = &coverage->sites[i];

        for (next = i + 1; next < coverage->nr_sites &&
                           same_file(sites[0], coverage->sites[next]);
             next++)
            continue;
        if (!sites[0]->frame.file)
            continue;
        bm_str_truncate(&source, 0);
        add_source(&source, &sites[0]->frame);
        fputs("TN:\nSF:", file);
        put_text(file, source.data);
        put_functions(sites, next - i, file);
        put_lines(sites, next - i, file);
        fputs("end_of_record\n", file);
    }
    bm_str_clear(&source);
}
