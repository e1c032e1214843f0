/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "measure/manifest.h"

#include "base/error.h"
#include "base/json.h"
#include "base/output.h"
#include "measure/about.h"
#include "measure/outputs.h"
#include "measure/summary.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SCHEMA_VERSION 1
/* 1: the set-up is part of the process, before the operation. */
#define METHODOLOGY_VERSION 1
#define LINES 3

static void put_suites(struct bm_json *json, const char *suites)
{
    bm_json_key(json, "suites");
    bm_json_begin_array(json);
    while (suites && *suites) {
        size_t size = strcspn(suites, ",");
        struct bm_str name = BM_STR_INIT;

        bm_str_add(&name, suites, size);
        if (size)
            bm_json_string(json, name.data);
        bm_str_clear(&name);
        suites += size + (suites[size] == ',');
    }
    bm_json_end_array(json);
}

static void put_time(struct bm_json *json, uint64_t ns)
{
    time_t seconds = (time_t)(ns / 1000000000u);
    char text[64], whole[96];
    struct tm utc;

    bm_json_key(json, "timestamp");
    if (!gmtime_r(&seconds, &utc) ||
        !strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &utc)) {
        bm_json_null(json);
        return;
    }
    snprintf(whole, sizeof(whole), "%s.%03uZ", text,
             (unsigned)(ns / 1000000u % 1000u));
    bm_json_string(json, whole);
}

static void put_command(struct bm_json *json, char **argv)
{
    bm_json_key(json, "command");
    bm_json_begin_array(json);
    for (; *argv; argv++)
        bm_json_string(json, *argv);
    bm_json_end_array(json);
}

/* What is the same for every entry, so that each stands by itself. */
static void put_about(struct bm_json *json, const struct bm_session *session,
                      const char *platform)
{
    const struct bm_run_about *about = &session->run->about;

    bm_json_put_string(json, "revision", about->revision);
    bm_json_key(json, "dirty");
    if (about->dirty == BM_DIRTY_UNKNOWN)
        bm_json_null(json);
    else
        bm_json_bool(json, about->dirty == BM_DIRTY_YES);
    bm_json_put_string(json, "platform", platform);
    bm_json_put_string(json, "machine", about->machine);
    bm_json_put_string(json, "compiler", about->compiler);
    bm_json_put_string(json, "flags", about->flags);
    bm_json_put_string(json, "program", about->program);
    put_command(json, session->m->program);
    bm_json_key(json, "environment");
    bm_json_begin_object(json);
    for (size_t i = 0; i < about->nr_environment; i++) {
        bm_json_free_key(json, about->environment[i].name);
        bm_json_string(json, about->environment[i].value);
    }
    bm_json_end_object(json);
}

static void put_figures(struct bm_json *json, const struct bm_session *session,
                        const struct bm_measurement *entry)
{
    const char *slash;

    switch (entry->mode) {
    case BM_MODE_RSS:
        bm_json_key(json, "setup_peak_rss_bytes");
        if (entry->has_setup)
            bm_json_uint(json, entry->setup_peak_rss_bytes);
        else
            bm_json_null(json);
        bm_json_put_uint(json, "peak_rss_bytes", entry->peak_rss_bytes);
        bm_json_put_bool(json, "shared_process", entry->shared_process);
        return;
    case BM_MODE_TIME:
        bm_json_put_uint(json, "time_ns", entry->time_ns);
        return;
    default:
        break;
    }
    slash = strrchr(session->profile, '/');
    bm_json_put_uint(json, "allocation_high_water_bytes",
                     entry->high_water_bytes);
    bm_json_put_string(json, "capture", slash ? slash + 1 : session->profile);
}

static void put_entry(struct bm_json *json, const struct bm_session *session,
                      const struct bm_measurement *entry, const char *platform)
{
    bm_json_begin_object(json);
    bm_json_put_string(json, "workload_id", entry->workload);
    bm_json_put_string(json, "group", entry->group);
    put_suites(json, entry->suite);
    bm_json_put_string(json, "mode", bm_mode_names[entry->mode]);
    bm_json_put_uint(json, "repetition", entry->repetition);
    bm_json_put_uint(json, "memory_methodology_version", METHODOLOGY_VERSION);
    put_figures(json, session, entry);
    bm_json_put_uint(json, "pid", entry->pid);
    put_time(json, entry->start_ns);
    put_about(json, session, platform);
    bm_json_end_object(json);
}

static void write_manifest(struct bm_session *session, FILE *file)
{
    const char *platform = bm_about_platform(session->run);
    struct bm_json json;

    bm_json_init(&json, file, LINES);
    bm_json_begin_object(&json);
    bm_json_put_uint(&json, "schema_version", SCHEMA_VERSION);
    bm_json_key(&json, "measurements");
    bm_json_begin_array(&json);
    for (size_t i = 0; i < session->nr_entries; i++)
        put_entry(&json, session, &session->entries[i], platform);
    bm_json_end_array(&json);
    bm_json_end_object(&json);
    bm_json_finish(&json);
}

int bm_manifest_keep(struct bm_session *session)
{
    struct bm_output out;

    if (bm_output_open(&out, session->manifest, session->m->force))
        return -1;
    write_manifest(session, out.file);
    if (bm_output_close(&out))
        return -1;
    return bm_manifest_summarize(session->manifest, session->summary,
                                 session->m->force, true);
}

int bm_manifest_summarize(const char *path, const char *output, bool force,
                          bool quiet)
{
    char *beside = output ? NULL : bm_with_ending(path, ".md");
    const char *to = output ? output : beside;
    struct bm_output out;
    int result = bm_output_open(&out, to, force);

    if (!result && bm_summary_write(path, out.file)) {
        bm_output_abandon(&out);
        result = -1;
    } else if (!result) {
        result = bm_output_close(&out);
    }
    if (!result && !quiet && strcmp(to, "-") != 0)
        printf("%s\n", to);
    free(beside);
    return result;
}
