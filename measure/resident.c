/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Resident memory: each workload and repetition in a process of its own,
 * started by a program that is smaller than any, without warm-up and with no
 * block recorded. The kernel keeps a process's maximum alone, so where one
 * process ran several workloads, each has what all before it needed: entries
 * say so.
 */
#include "measure/session.h"

#include "base/error.h"
#include "base/memory.h"
#include "results/make.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static void add_values(struct bm_session *session, const char *id,
                       const struct bm_measurement *entry)
{
    struct bm_run_benchmark *benchmark = bm_run_take(session->run, id);

    if (!benchmark->name)
        benchmark->name = benchmark->id;
    *bm_series_extend(session->run, &benchmark->series[BM_MEASURE_RSS], 1) =
        entry->peak_rss_bytes;
    if (entry->has_setup)
        *bm_series_extend(session->run,
                          &benchmark->series[BM_MEASURE_SETUP_RSS], 1) =
            entry->setup_peak_rss_bytes;
}

/* ---- programs with the harness's main ---- */

static bool is_resident(const struct bm_benchmark_info *info)
{
    return info->nr_passes && !info->passes[0].open &&
           info->passes[0].measured == BM_MEASURED_RSS;
}

/* The one pass of the workload that a process was started for. */
static void take_pass(struct bm_session *session,
                      const struct bm_launch *launch, const char *id,
                      unsigned repetition)
{
    size_t count;
    struct bm_profile **profiles = bm_session_read(launch, &count);

    for (size_t i = 0; i < count; i++) {
        for (size_t b = 0; b < profiles[i]->nr_benchmarks; b++) {
            const struct bm_benchmark_info *info = &profiles[i]->benchmarks[b];
            struct bm_measurement *entry;

            if (!is_resident(info))
                continue;
            entry =
                bm_session_add(session, id, BM_MODE_RSS, launch, repetition);
            entry->has_setup = info->passes[0].setup_peak_rss_bytes != 0;
            entry->setup_peak_rss_bytes = info->passes[0].setup_peak_rss_bytes;
            entry->peak_rss_bytes = info->passes[0].peak_rss_bytes;
            entry->group = bm_xstrdup(info->declared.group);
            entry->suite = bm_xstrdup(info->declared.suite);
            bm_run_add_benchmark(session->run, info);
        }
        bm_profile_free(profiles[i]);
    }
    free(profiles);
}

static int run_workload(struct bm_session *session, const char *id,
                        unsigned repetition)
{
    struct bm_strvec arguments = BM_STRVEC_INIT;
    struct bm_launch launch;
    const struct bm_wish wish = {
        .mode = BM_MODE_RSS,
        .arguments = &arguments,
        .stdout_fd = bm_session_stdout(session),
    };

    bm_strvec_push(&arguments, "--quiet");
    bm_strvec_push(&arguments, "--in-process");
    bm_strvec_push(&arguments, "--mode");
    bm_strvec_push(&arguments, "rss");
    bm_strvec_push(&arguments, "--workload");
    bm_strvec_push(&arguments, id);
    int result = bm_target_launch(&session->target, &wish, &launch);
    if (!result && !bm_session_failed(session, &launch.child))
        take_pass(session, &launch, id, repetition);
    bm_launch_clear(&launch);
    bm_strvec_clear(&arguments);
    return result;
}

static uint64_t repeats_of(const struct bm_session *session, json_t *workload)
{
    json_int_t declared =
        json_integer_value(json_object_get(workload, "repeats"));

    if (declared > 0)
        return (uint64_t)declared;
    return session->m->repeats ? session->m->repeats : 1;
}

/* A workload that fails is left out; the others are measured all the same. */
static int run_workloads(struct bm_session *session)
{
    json_t *list = bm_session_list(session);
    json_t *items = json_object_get(list, "benchmarks");
    size_t count = json_array_size(items);
    int result = list || session->status ? 0 : -1;

    for (size_t i = 0; i < count && !result; i++) {
        json_t *workload = json_array_get(items, i);
        const char *id = json_string_value(json_object_get(workload, "id"));
        uint64_t nr = repeats_of(session, workload);

        for (uint64_t r = 1; id && r <= nr && !result; r++) {
            bm_progress(session,
                        "rss: %zu of %zu workloads, %" PRIu64 " of %" PRIu64
                        ": %s",
                        i + 1, count, r, nr, id);
            result = run_workload(session, id, (unsigned)r);
        }
    }
    json_decref(list);
    return result;
}

/* ---- programs that run benchmarks by themselves ---- */

/* From a benchmark's first entry to its last exit. */
static void take_benchmarks(struct bm_session *session,
                            const struct bm_launch *launch, unsigned run)
{
    size_t count;
    struct bm_profile **profiles = bm_session_read(launch, &count);

    for (size_t i = 0; i < count; i++) {
        const struct bm_profile *profile = profiles[i];

        for (size_t b = 0; b < profile->nr_benchmarks; b++) {
            const struct bm_benchmark_info *info = &profile->benchmarks[b];
            struct bm_measurement *entry;

            if (!is_resident(info) ||
                !bm_session_wants(session, info->id, info->declared.suite))
                continue;
            entry = bm_session_add(session, info->id, BM_MODE_RSS, launch, run);
            entry->shared_process = profile->nr_benchmarks > 1;
            entry->has_setup = info->passes[0].setup_peak_rss_bytes != 0;
            entry->setup_peak_rss_bytes = info->passes[0].setup_peak_rss_bytes;
            for (size_t p = 0; p < info->nr_passes; p++)
                if (info->passes[p].peak_rss_bytes > entry->peak_rss_bytes)
                    entry->peak_rss_bytes = info->passes[p].peak_rss_bytes;
            add_values(session, info->id, entry);
        }
        bm_profile_free(profiles[i]);
    }
    free(profiles);
}

static void take_process(struct bm_session *session,
                         const struct bm_launch *launch, unsigned run)
{
    const char *program = session->target.argv[0];
    const char *slash = strrchr(program, '/');
    struct bm_series *series = &session->run->process.series[BM_MEASURE_RSS];
    struct bm_measurement *entry = bm_session_add(
        session, slash ? slash + 1 : program, BM_MODE_RSS, launch, run);

    entry->peak_rss_bytes = launch->child.peak_rss_bytes;
    *bm_series_extend(session->run, series, 1) = entry->peak_rss_bytes;
    session->run->has_process = true;
}

static int run_program(struct bm_session *session, unsigned run, bool *failed)
{
    bool has_benchmarks = session->target.has_benchmarks;
    struct bm_launch launch;
    const struct bm_wish wish = {
        .mode = BM_MODE_RSS,
        .off = !has_benchmarks,
        .stdout_fd = bm_session_stdout(session),
    };
    int result = bm_target_launch(&session->target, &wish, &launch);

    *failed = !result && bm_session_failed(session, &launch.child);
    if (!result && !*failed && has_benchmarks)
        take_benchmarks(session, &launch, run);
    else if (!result && !*failed)
        take_process(session, &launch, run);
    bm_launch_clear(&launch);
    return result;
}

static int run_programs(struct bm_session *session)
{
    struct bm_rounds rounds = bm_session_rounds(session, BM_MODE_RSS);
    bool failed = false;

    for (uint64_t i = 0; i < rounds.least && !failed; i++) {
        bm_progress(session, "rss: run %" PRIu64 " of %" PRIu64, i + 1,
                    rounds.least);
        if (run_program(session, (unsigned)i + 1, &failed))
            return -1;
    }
    return 0;
}

int bm_measure_rss(struct bm_session *session)
{
    int result = session->target.has_main ? run_workloads(session)
                                          : run_programs(session);

    bm_progress_end(session);
    return result;
}
