/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Writes a run as docs/saved-runs.md has it: a manifest in JSON with every
 * figure, and the profiles beside it. The keys of benchmarks are those of
 * benchmem-report --format json.
 */
#include "results/make.h"

#include "base/error.h"
#include "base/json.h"
#include "base/locate.h"
#include "base/output.h"
#include "base/str.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SCHEMA_VERSION 1
#define LAST "last"
#define LONGEST_NAME 200 /* with a suffix, below the 255 of file systems */

/* Levels of the document that have a line for each value. */
#define LINES 2

bool bm_run_valid_name(const char *name, const char **why)
{
    *why = NULL;
    if (!*name)
        *why = "it is empty";
    else if (*name == '.' || *name == '-')
        *why = "it begins with . or -";
    else if (strlen(name) > LONGEST_NAME)
        *why = "it is longer than 200 bytes";
    for (const char *p = name; *p && !*why; p++) {
        if (*p == '/')
            *why = "it has a / in it";
        else if ((unsigned char)*p < 0x20 || *p == 0x7f)
            *why = "it has control characters in it";
    }
    return !*why;
}

/* -- the manifest ---------------------------------------------------------- */

static void put_values(struct bm_json *json, const char *key,
                       const struct bm_param_info *values, size_t count)
{
    bm_json_key(json, key);
    bm_json_begin_object(json);
    for (size_t i = 0; i < count; i++) {
        bm_json_free_key(json, values[i].name);
        switch (values[i].kind) {
        case BM_VALUE_SIGNED:
            bm_json_int(json, values[i].value.i);
            break;
        case BM_VALUE_UNSIGNED:
            bm_json_uint(json, values[i].value.u);
            break;
        case BM_VALUE_DOUBLE:
            bm_json_double(json, values[i].value.d);
            break;
        case BM_VALUE_BOOL:
            bm_json_bool(json, values[i].value.u != 0);
            break;
        case BM_VALUE_STRING:
            bm_json_string(json, values[i].value.s);
            break;
        }
    }
    bm_json_end_object(json);
}

/* Metrics taken apart may have fewer passes than others: those come first. */
static void put_passes(struct bm_json *json,
                       const struct bm_run_benchmark *benchmark)
{
    size_t nr_passes = 0;

    for (int m = 0; m < BM_NR_MEASURES; m++) {
        if (benchmark->series[m].nr_values > nr_passes)
            nr_passes = benchmark->series[m].nr_values;
    }
    bm_json_key(json, "passes");
    bm_json_begin_array(json);
    for (size_t i = 0; i < nr_passes; i++) {
        bm_json_begin_object(json);
        for (int m = 0; m < BM_NR_MEASURES; m++) {
            if (i < benchmark->series[m].nr_values)
                bm_json_put_uint(json, bm_measure_info((enum bm_measure)m)->key,
                                 benchmark->series[m].values[i]);
        }
        bm_json_end_object(json);
    }
    bm_json_end_array(json);
}

static void put_more(struct bm_json *json,
                     const struct bm_run_benchmark *benchmark)
{
    uint64_t count = 0;

    for (int m = 0; m < BM_NR_MEASURES; m++) {
        if (benchmark->series[m].nr_more > count)
            count = benchmark->series[m].nr_more;
    }
    bm_json_key(json, "more_passes");
    if (!count) {
        bm_json_null(json);
        return;
    }
    bm_json_begin_object(json);
    bm_json_put_uint(json, "count", count);
    for (int m = 0; m < BM_NR_MEASURES; m++) {
        const struct bm_series *series = &benchmark->series[m];

        if (!series->nr_more)
            continue;
        bm_json_key(json, bm_measure_info((enum bm_measure)m)->key);
        bm_json_begin_object(json);
        bm_json_put_uint(json, "count", series->nr_more);
        bm_json_put_uint(json, "min", series->more.min);
        bm_json_put_uint(json, "max", series->more.max);
        bm_json_put_uint(json, "sum", series->more.sum);
        bm_json_end_object(json);
    }
    bm_json_end_object(json);
}

static void put_benchmark(struct bm_json *json,
                          const struct bm_run_benchmark *benchmark)
{
    bm_json_begin_object(json);
    bm_json_put_string(json, "id", benchmark->id);
    bm_json_put_string(json, "name", benchmark->name);
    bm_json_put_string(json, "file", benchmark->path);
    bm_json_key(json, "line");
    if (benchmark->line)
        bm_json_uint(json, benchmark->line);
    else
        bm_json_null(json);
    bm_json_put_string(json, "group", benchmark->group);
    bm_json_put_string(json, "suite", benchmark->suite);
    put_values(json, "params", benchmark->params, benchmark->nr_params);
    put_values(json, "labels", benchmark->extra, benchmark->nr_extra);
    put_passes(json, benchmark);
    put_more(json, benchmark);
    bm_json_end_object(json);
}

static void put_about(struct bm_json *json, const struct bm_run_about *about)
{
    bm_json_key(json, "run");
    bm_json_begin_object(json);
    bm_json_put_string(json, "time", about->time);
    bm_json_put_string(json, "revision", about->revision);
    bm_json_key(json, "dirty");
    if (about->dirty == BM_DIRTY_UNKNOWN)
        bm_json_null(json);
    else
        bm_json_bool(json, about->dirty == BM_DIRTY_YES);
    bm_json_put_string(json, "compiler", about->compiler);
    bm_json_put_string(json, "flags", about->flags);
    bm_json_put_string(json, "machine", about->machine);
    bm_json_put_string(json, "program", about->program);
    bm_json_key(json, "environment");
    bm_json_begin_object(json);
    for (size_t i = 0; i < about->nr_environment; i++) {
        bm_json_free_key(json, about->environment[i].name);
        bm_json_string(json, about->environment[i].value);
    }
    bm_json_end_object(json);
    bm_json_end_object(json);
}

static void put_totals(struct bm_json *json, const struct bm_run *run)
{
    if (!run->has_process)
        return;
    bm_json_key(json, "totals");
    bm_json_begin_object(json);
    for (int m = 0; m < BM_NR_MEASURES; m++) {
        const struct bm_series *series = &run->process.series[m];

        if (series->nr_values)
            bm_json_put_uint(json,
                             m == BM_MEASURE_LEAKED
                                 ? "live_bytes"
                                 : bm_measure_info((enum bm_measure)m)->key,
                             series->values[0]);
    }
    bm_json_end_object(json);
}

/* The names of the profiles, as they lie beside the manifest. */
static void put_files(struct bm_json *json, const struct bm_strvec *files)
{
    const char *single = files->count == 1 ? files->items[0] : NULL;

    bm_json_put_string(json, "profile",
                       single ? strrchr(single, '/') + 1 : NULL);
    if (files->count < 2)
        return;
    bm_json_key(json, "profiles");
    bm_json_begin_array(json);
    for (size_t i = 0; i < files->count; i++)
        bm_json_string(json, strrchr(files->items[i], '/') + 1);
    bm_json_end_array(json);
}

static void write_manifest(const struct bm_run *run, const char *label,
                           const struct bm_strvec *files, FILE *file,
                           void (*more)(struct bm_json *, void *),
                           void *context)
{
    struct bm_json json;

    bm_json_init(&json, file, LINES);
    bm_json_begin_object(&json);
    bm_json_put_uint(&json, "schema_version", SCHEMA_VERSION);
    bm_json_put_string(&json, "label", label);
    put_about(&json, &run->about);
    put_files(&json, files);
    put_totals(&json, run);
    bm_json_key(&json, "benchmarks");
    bm_json_begin_array(&json);
    for (size_t i = 0; i < run->nr_benchmarks; i++)
        put_benchmark(&json, &run->benchmarks[i]);
    bm_json_end_array(&json);
    if (more)
        more(&json, context);
    bm_json_end_object(&json);
    bm_json_finish(&json);
}

void bm_run_write_json(const struct bm_run *run, FILE *file)
{
    bm_run_write_json_with(run, file, NULL, NULL);
}

void bm_run_write_json_with(const struct bm_run *run, FILE *file,
                            void (*more)(struct bm_json *, void *),
                            void *context)
{
    const struct bm_strvec none = BM_STRVEC_INIT;

    write_manifest(run, run->label, &none, file, more, context);
}

/* -- files ----------------------------------------------------------------- */

static int write_profile(const struct bm_profile *profile, const char *path,
                         bool force)
{
    struct bm_output out;

    if (bm_output_open(&out, path, force))
        return -1;
    if (bm_profile_write(profile, fileno(out.file))) {
        bm_output_abandon(&out);
        return bm_error("cannot write %s: %s", path, strerror(errno));
    }
    return bm_output_close(&out);
}

static int write_last(const char *folder, const char *name)
{
    struct bm_str path = BM_STR_INIT;
    struct bm_output out;

    bm_str_printf(&path, "%s/" LAST, folder);
    int failed = bm_output_open(&out, path.data, true);
    if (!failed) {
        fprintf(out.file, "%s\n", name);
        failed = bm_output_close(&out);
    }
    bm_str_clear(&path);
    return failed;
}

/* Paths of the profiles to be written, and then the profiles. */
static int write_profiles(struct bm_run *run, const char *stem, bool force,
                          struct bm_strvec *files)
{
    size_t count;
    struct bm_profile *const *profiles = bm_run_profiles(run, &count);

    if (!profiles)
        return -1;
    for (size_t i = 0; i < count; i++) {
        if (count == 1)
            bm_strvec_pushf(files, "%s" BM_PROFILE_SUFFIX, stem);
        else
            bm_strvec_pushf(files, "%s.%zu" BM_PROFILE_SUFFIX, stem, i + 1);
        if (write_profile(profiles[i], files->items[i], force))
            return -1;
    }
    return 0;
}

static int write_all(struct bm_run *run, const char *stem, const char *name,
                     bool force)
{
    struct bm_strvec files = BM_STRVEC_INIT;
    struct bm_str path = BM_STR_INIT;
    struct bm_output out;

    bm_str_printf(&path, "%s.json", stem);
    int failed = bm_output_open(&out, path.data, force);
    if (!failed) {
        failed = write_profiles(run, stem, force, &files);
        if (failed) {
            bm_output_abandon(&out);
        } else {
            write_manifest(run, name, &files, out.file, NULL, NULL);
            failed = bm_output_close(&out);
        }
    }
    bm_str_clear(&path);
    bm_strvec_clear(&files);
    return failed;
}

int bm_run_save(struct bm_run *run, const char *folder, const char *name,
                bool force)
{
    struct bm_str stem = BM_STR_INIT;
    const char *why;
    int failed;

    if (!strcmp(name, LAST))
        return bm_error("cannot save as %s: that is the name of the run saved "
                        "last, whatever its own",
                        name);
    if (!bm_run_valid_name(name, &why))
        return bm_error("cannot save as \"%s\": %s", name, why);
    char *found = folder ? NULL : bm_locate_folder();
    folder = folder ? folder : found ? found : BM_FOLDER_NAME;
    bm_str_printf(&stem, "%s/%s", folder, name);
    failed = bm_locate_make_folder(folder) ||
                     write_all(run, stem.data, name, force) ||
                     write_last(folder, name)
                 ? -1
                 : 0;
    bm_str_clear(&stem);
    free(found);
    return failed;
}
