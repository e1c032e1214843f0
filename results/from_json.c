/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Runs from JSON: a saved run (docs/saved-runs.md) or a report. Keys that are
 * not known are skipped; known ones of a wrong type are an error that says
 * where.
 */
#include "results/make.h"

#include "base/error.h"
#include "base/str.h"

#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <string.h>

#define SCHEMA_VERSION 1

struct parse {
    struct bm_run *run;
    const char *path;
    const char *id; /* of the benchmark that is read, or NULL */
};

static int fault(const struct parse *parse, const char *key, const char *what)
{
    if (parse->id)
        return bm_error("cannot read %s: benchmark %s: \"%s\" is not %s",
                        parse->path, parse->id, key, what);
    return bm_error("cannot read %s: \"%s\" is not %s", parse->path, key, what);
}

/* A number of 64 bits; real where the reader took it as one. */
static bool whole_number(const json_t *value, uint64_t *number)
{
    if (json_is_integer(value)) {
        *number = (uint64_t)json_integer_value(value);
        return json_integer_value(value) >= 0;
    }
    double real = json_real_value(value);
    *number = real >= 0 && real < 18446744073709551616.0 ? (uint64_t)real : 0;
    return json_is_real(value) && (double)*number == real;
}

/* NULL and null are absent; *out is in the run's arena. */
static int get_string(struct parse *parse, const json_t *object,
                      const char *key, const char **out)
{
    const json_t *value = json_object_get(object, key);

    if (!value || json_is_null(value))
        return 0;
    if (!json_is_string(value))
        return fault(parse, key, "text");
    *out = bm_arena_strdup(&parse->run->arena, json_string_value(value));
    return 0;
}

/* -- parameters and extras ------------------------------------------------- */

static int get_value(struct parse *parse, const char *name, const json_t *value,
                     struct bm_param_info *param)
{
    struct bm_arena *arena = &parse->run->arena;

    *param = (struct bm_param_info){.name = bm_arena_strdup(arena, name)};
    switch (json_typeof(value)) {
    case JSON_INTEGER:
        param->kind = BM_VALUE_SIGNED;
        param->value.i = json_integer_value(value);
        break;
    case JSON_REAL:
        param->kind = BM_VALUE_DOUBLE;
        param->value.d = json_real_value(value);
        break;
    case JSON_TRUE:
    case JSON_FALSE:
        param->kind = BM_VALUE_BOOL;
        param->value.u = json_is_true(value);
        break;
    case JSON_STRING:
    case JSON_NULL:
        param->kind = BM_VALUE_STRING;
        param->value.s = json_is_null(value)
                             ? NULL
                             : bm_arena_strdup(arena, json_string_value(value));
        break;
    default:
        return fault(parse, name, "a single value");
    }
    param->text = bm_run_value_text(parse->run, param);
    return 0;
}

static int get_values(struct parse *parse, const json_t *object,
                      const char *key, const struct bm_param_info **values,
                      size_t *count)
{
    json_t *list = json_object_get(object, key);
    const char *name;
    json_t *value;
    size_t i = 0;

    if (!list || json_is_null(list))
        return 0;
    if (!json_is_object(list))
        return fault(parse, key, "an object");
    struct bm_param_info *items = bm_arena_alloc(
        &parse->run->arena, (json_object_size(list) + 1) * sizeof(*items));
    json_object_foreach(list, name, value)
    {
        if (get_value(parse, name, value, &items[i++]))
            return -1;
    }
    *values = items;
    *count = i;
    return 0;
}

/*
 * The texts as they are in the id, which has all digits of every number:
 * `[name=text,name=text]`, with backslashes before , and ].
 */
static void take_texts(struct parse *parse, struct bm_run_benchmark *benchmark)
{
    struct bm_param_info *params = (struct bm_param_info *)benchmark->params;
    const char *at = strstr(benchmark->id, "::");

    for (size_t i = 0; at && i < benchmark->nr_params; i++) {
        struct bm_str start = BM_STR_INIT;

        bm_str_printf(&start, "%c%s=", i ? ',' : '[', params[i].name);
        at = i ? (strncmp(at, start.data, start.size) ? NULL : at)
               : strstr(at, start.data);
        if (at) {
            const char *text = at + start.size;

            for (at = text; *at && *at != ',' && *at != ']'; at++)
                at += *at == '\\' && at[1];
            params[i].text = bm_arena_printf(&parse->run->arena, "%.*s",
                                             (int)(at - text), text);
        }
        bm_str_clear(&start);
    }
}

/* -- passes ---------------------------------------------------------------- */

static bool is_open(const json_t *pass)
{
    return json_is_true(json_object_get(pass, "open"));
}

/* The passes that have this metric. */
static int get_series(struct parse *parse, const json_t *passes,
                      enum bm_measure measure, struct bm_series *series)
{
    const char *key = bm_measure_info(measure)->key;
    size_t count = 0, i;
    json_t *pass;

    json_array_foreach(passes, i, pass)
    {
        if (!json_is_object(pass))
            return fault(parse, "passes", "a list of objects");
        const json_t *value = json_object_get(pass, key);
        count += value && !json_is_null(value) && !is_open(pass);
    }
    if (!count)
        return 0;
    uint64_t *values = bm_series_extend(parse->run, series, count);
    json_array_foreach(passes, i, pass)
    {
        const json_t *value = json_object_get(pass, key);

        if (!value || json_is_null(value) || is_open(pass))
            continue;
        if (!whole_number(value, values++))
            return fault(parse, key, "a whole number from 0");
    }
    return 0;
}

/*
 * A range has its own count where several things were measured. A report has
 * one for all, and ranges of 0 for what was not: those beside a time.
 */
static int get_more(struct parse *parse, const json_t *more,
                    enum bm_measure measure, struct bm_series *series)
{
    const char *key = bm_measure_info(measure)->key;
    const json_t *range = json_object_get(more, key);
    const json_t *own = json_object_get(range, "count");
    struct bm_range values;
    uint64_t count;

    if (!range || json_is_null(range) ||
        (!own && measure != BM_MEASURE_TIME &&
         json_object_get(more, "time_ns")))
        return 0;
    if (!whole_number(own ? own : json_object_get(more, "count"), &count) ||
        !whole_number(json_object_get(range, "min"), &values.min) ||
        !whole_number(json_object_get(range, "max"), &values.max) ||
        !whole_number(json_object_get(range, "sum"), &values.sum))
        return fault(parse, "more_passes", "count, and min, max and sum");
    bm_series_add_more(series, &values, count);
    return 0;
}

static int get_passes(struct parse *parse, const json_t *object,
                      struct bm_run_benchmark *benchmark)
{
    const json_t *passes = json_object_get(object, "passes");
    const json_t *more = json_object_get(object, "more_passes");

    if (!json_is_array(passes))
        return fault(parse, "passes", "a list");
    for (int m = 0; m < BM_NR_MEASURES; m++) {
        if (get_series(parse, passes, (enum bm_measure)m,
                       &benchmark->series[m]) ||
            get_more(parse, more, (enum bm_measure)m, &benchmark->series[m]))
            return -1;
    }
    return 0;
}

/* -- benchmarks ------------------------------------------------------------ */

static int get_place(struct parse *parse, const json_t *object,
                     struct bm_run_benchmark *benchmark)
{
    const char *end = strstr(benchmark->id, "::");
    uint64_t line;

    if (end)
        benchmark->file =
            bm_arena_printf(&parse->run->arena, "%.*s",
                            (int)(end - benchmark->id), benchmark->id);
    if (whole_number(json_object_get(object, "line"), &line) &&
        line <= UINT32_MAX)
        benchmark->line = (uint32_t)line;
    benchmark->path = benchmark->file;
    return get_string(parse, object, "file", &benchmark->path);
}

static int get_benchmark(struct parse *parse, const json_t *object)
{
    const json_t *id = json_object_get(object, "id");

    parse->id = NULL;
    if (!json_is_string(id))
        return fault(parse, "id", "text in every benchmark");
    parse->id = json_string_value(id);

    struct bm_run_benchmark *benchmark = bm_run_take(parse->run, parse->id);
    benchmark->name = benchmark->id;
    if (get_string(parse, object, "name", &benchmark->name) ||
        get_string(parse, object, "group", &benchmark->group) ||
        get_string(parse, object, "suite", &benchmark->suite) ||
        get_place(parse, object, benchmark) ||
        get_values(parse, object, "params", &benchmark->params,
                   &benchmark->nr_params) ||
        get_values(parse, object, "labels", &benchmark->extra,
                   &benchmark->nr_extra) ||
        get_passes(parse, object, benchmark))
        return -1;
    take_texts(parse, benchmark);
    parse->id = NULL;
    return 0;
}

static int get_benchmarks(struct parse *parse, const json_t *document)
{
    const json_t *benchmarks = json_object_get(document, "benchmarks");
    json_t *object;
    size_t i;

    if (!json_is_array(benchmarks))
        return bm_error("cannot read %s: it has no \"benchmarks\": neither a "
                        "saved run nor a report in JSON",
                        parse->path);
    json_array_foreach(benchmarks, i, object)
    {
        if (get_benchmark(parse, object))
            return -1;
    }
    return 0;
}

/* -- the process ----------------------------------------------------------- */

/* Keys of the totals are those of passes, but for what is left at the end. */
static const char *total_key(enum bm_measure measure)
{
    return measure == BM_MEASURE_LEAKED ? "live_bytes"
                                        : bm_measure_info(measure)->key;
}

static int get_process(struct parse *parse, const json_t *document)
{
    const json_t *totals = json_object_get(document, "totals");

    if (!json_is_object(totals))
        return 0;
    for (int m = 0; m < BM_NR_MEASURES; m++) {
        const char *key = total_key((enum bm_measure)m);
        const json_t *value = json_object_get(totals, key);

        if (!value || json_is_null(value))
            continue;
        if (!whole_number(value,
                          bm_series_extend(parse->run,
                                           &parse->run->process.series[m], 1)))
            return fault(parse, key, "a whole number from 0");
    }
    parse->run->has_process = true;
    return 0;
}

/* -- where it comes from --------------------------------------------------- */

static int get_environment(struct parse *parse, json_t *about)
{
    json_t *list = json_object_get(about, "environment"), *value;
    const char *name;
    size_t i = 0;

    if (!list || json_is_null(list))
        return 0;
    if (!json_is_object(list))
        return fault(parse, "environment", "an object");
    struct bm_run_setting *items = bm_arena_alloc(
        &parse->run->arena, (json_object_size(list) + 1) * sizeof(*items));
    json_object_foreach(list, name, value)
    {
        if (!json_is_string(value))
            return fault(parse, "environment", "an object of texts");
        items[i].name = bm_arena_strdup(&parse->run->arena, name);
        items[i++].value =
            bm_arena_strdup(&parse->run->arena, json_string_value(value));
    }
    parse->run->about.environment = items;
    parse->run->about.nr_environment = i;
    return 0;
}

static int get_about(struct parse *parse, const json_t *document)
{
    struct bm_run_about *about = &parse->run->about;
    json_t *run = json_object_get(document, "run");
    const json_t *dirty = json_object_get(run, "dirty");

    if (json_is_boolean(dirty))
        about->dirty = json_is_true(dirty) ? BM_DIRTY_YES : BM_DIRTY_NO;
    return get_string(parse, document, "label", &parse->run->label) ||
                   get_string(parse, run, "time", &about->time) ||
                   get_string(parse, run, "revision", &about->revision) ||
                   get_string(parse, run, "compiler", &about->compiler) ||
                   get_string(parse, run, "flags", &about->flags) ||
                   get_string(parse, run, "machine", &about->machine) ||
                   get_string(parse, run, "program", &about->program) ||
                   get_environment(parse, run)
               ? -1
               : 0;
}

/* A profile lies beside the file that names it, and nowhere else. */
static int add_file(struct parse *parse, const json_t *name)
{
    const char *text = json_string_value(name);
    const char *slash = strrchr(parse->path, '/');

    if (!text || !*text || strchr(text, '/'))
        return fault(parse, "profile", "the name of a file beside it");
    bm_strvec_pushf(&parse->run->files, "%.*s%s",
                    slash ? (int)(slash - parse->path) + 1 : 0, parse->path,
                    text);
    return 0;
}

/* -- documents ------------------------------------------------------------- */

/* One profile of a report, or the whole document. */
static int get_part(struct parse *parse, const json_t *document)
{
    return get_benchmarks(parse, document) || get_process(parse, document) ? -1
                                                                           : 0;
}

static int get_document(struct parse *parse, const json_t *document)
{
    const json_t *profiles = json_object_get(document, "profiles");
    const json_t *profile = json_object_get(document, "profile");
    /* A report says where its profile was then; its figures are all here. */
    bool is_report = json_is_array(json_object_get(document, "sites"));
    uint64_t version;
    json_t *item;
    size_t i;

    if (!whole_number(json_object_get(document, "schema_version"), &version))
        return fault(parse, "schema_version", "a number");
    if (version > SCHEMA_VERSION)
        return bm_error("cannot read %s: schema_version %" PRIu64
                        " is of a newer benchmem; this one knows %d",
                        parse->path, version, SCHEMA_VERSION);
    if (!is_report && profile && !json_is_null(profile) &&
        add_file(parse, profile))
        return -1;
    if (get_about(parse, document))
        return -1;
    if (!json_is_object(json_array_get(profiles, 0))) {
        json_array_foreach(profiles, i, item)
        {
            if (add_file(parse, item))
                return -1;
        }
        return get_part(parse, document);
    }
    json_array_foreach(profiles, i, item)
    {
        if (get_part(parse, item))
            return -1;
    }
    parse->run->has_process &= json_array_size(profiles) == 1;
    return 0;
}

/*
 * Integers above 2^63 are no integers to jansson: where there are any, all
 * numbers are read as real ones, which are exact up to 2^53.
 */
static json_t *load(const char *path, json_error_t *error)
{
    json_t *document = json_load_file(path, JSON_REJECT_DUPLICATES, error);

    if (!document && json_error_code(error) == json_error_numeric_overflow)
        document = json_load_file(
            path, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, error);
    return document;
}

struct bm_run *bm_run_read_json(const char *path)
{
    json_error_t error;
    json_t *document = load(path, &error);

    if (!document) {
        bm_error("cannot read %s: line %d: %s", path, error.line, error.text);
        return NULL;
    }
    struct parse parse = {.run = bm_run_new(path, NULL), .path = path};
    int failed = json_is_object(document)
                     ? get_document(&parse, document)
                     : bm_error("cannot read %s: not a saved run", path);
    json_decref(document);
    if (!failed)
        return parse.run;
    bm_run_free(parse.run);
    return NULL;
}
