/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The run that one or several profiles hold.
 */
#include "results/make.h"

#include "base/error.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Where a profile has each metric. */
static const struct {
    enum bm_measured measured;
    size_t pass; /* in struct bm_pass_info */
} in_pass[BM_NR_MEASURES] = {
#define BM_MEASURE_OF_PASS(id, measured, pass)                                 \
    [BM_MEASURE_##id] = {measured, offsetof(struct bm_pass_info, pass)},
#include "results/metrics.inc"
};

/* In struct bm_benchmark_info, and in struct bm_figures, plus 1; 0: nowhere. */
static const size_t in_more[BM_NR_MEASURES] = {
#define BM_MEASURE_OF_MORE(id, more)                                           \
    [BM_MEASURE_##id] = offsetof(struct bm_benchmark_info, more) + 1,
#include "results/metrics.inc"
};
static const size_t in_totals[BM_NR_MEASURES] = {
#define BM_MEASURE_OF_TOTAL(id, total)                                         \
    [BM_MEASURE_##id] = offsetof(struct bm_figures, total) + 1,
#include "results/metrics.inc"
};

static uint64_t word_at(const void *base, size_t offset)
{
    return *(const uint64_t *)((const char *)base + offset);
}

struct bm_profile *bm_run_read(const char *path)
{
    struct bm_profile_error error = {0, NULL};

    if (access(path, R_OK)) {
        bm_error("cannot read %s: %s", path, strerror(errno));
        return NULL;
    }
    struct bm_profile *profile = bm_profile_read(path, &error);
    if (!profile)
        bm_error("cannot read %s: byte %" PRIu64 ": %s", path, error.offset,
                 error.why ? error.why : "unknown fault");
    return profile;
}

/*
 * Whether a pass has the metric. One that the process ended in is no part of
 * its benchmark; and what the system does not tell of resident memory is 0.
 */
static bool has_metric(const struct bm_pass_info *pass, int measure)
{
    if (pass->open || pass->measured != in_pass[measure].measured)
        return false;
    return pass->measured != BM_MEASURED_RSS ||
           word_at(pass, in_pass[measure].pass);
}

static void add_series(struct bm_run *run, struct bm_series *series,
                       const struct bm_benchmark_info *info, int measure)
{
    size_t count = 0;

    for (size_t i = 0; i < info->nr_passes; i++)
        count += has_metric(&info->passes[i], measure);
    if (count) {
        uint64_t *values = bm_series_extend(run, series, count);

        for (size_t i = 0; i < info->nr_passes; i++) {
            if (has_metric(&info->passes[i], measure))
                *values++ = word_at(&info->passes[i], in_pass[measure].pass);
        }
    }
    if (in_more[measure] && info->more_measured == in_pass[measure].measured)
        bm_series_add_more(series,
                           (const struct bm_range *)((const char *)info +
                                                     in_more[measure] - 1),
                           info->nr_more_passes);
}

static const char *copy(struct bm_run *run, const char *text)
{
    return text ? bm_arena_strdup(&run->arena, text) : NULL;
}

static const struct bm_param_info *
copy_params(struct bm_run *run, const struct bm_param_info *from, size_t count)
{
    struct bm_param_info *params =
        bm_arena_alloc(&run->arena, (count + 1) * sizeof(*params));

    for (size_t i = 0; i < count; i++) {
        params[i] = from[i];
        params[i].name = copy(run, from[i].name);
        params[i].text = copy(run, from[i].text);
        if (from[i].kind == BM_VALUE_STRING)
            params[i].value.s = copy(run, from[i].value.s);
        if (!from[i].text || !*from[i].text)
            params[i].text = bm_run_value_text(run, &params[i]);
    }
    return params;
}

static void add_benchmark(struct bm_run *run,
                          const struct bm_benchmark_info *info)
{
    struct bm_run_benchmark *benchmark = bm_run_take(run, info->id);
    const struct bm_frame_info *frame = info->frame;

    if (!benchmark->name) {
        benchmark->name = copy(run, info->name);
        benchmark->file = copy(run, info->file);
        benchmark->path =
            frame && frame->file ? copy(run, frame->file) : benchmark->file;
        benchmark->line = frame ? frame->line : 0;
        benchmark->params = copy_params(run, info->params, info->nr_params);
        benchmark->nr_params = info->nr_params;
        benchmark->extra = copy_params(run, info->labels, info->nr_labels);
        benchmark->nr_extra = info->nr_labels;
        benchmark->group = copy(run, info->declared.group);
        benchmark->suite = copy(run, info->declared.suite);
    }
    for (int m = 0; m < BM_NR_MEASURES; m++)
        add_series(run, &benchmark->series[m], info, m);
}

static void add_totals(struct bm_run *run, const struct bm_figures *totals,
                       bool has_peak)
{
    for (int m = 0; m < BM_NR_MEASURES; m++) {
        if (in_totals[m] && (m != BM_MEASURE_PEAK || has_peak))
            *bm_series_extend(run, &run->process.series[m], 1) =
                word_at(totals, in_totals[m] - 1);
    }
}

/* Of several runs, each is a pass; the peaks of several processes are none. */
static void add_process(struct bm_run *run, const struct bm_profile *profile)
{
    if (profile->flags & BM_STATE_RUNS && profile->nr_processes)
        for (size_t i = 0; i < profile->nr_processes; i++)
            add_totals(run, &profile->processes[i].totals, true);
    else
        add_totals(run, &profile->totals, !(profile->flags & BM_STATE_MERGED));
    run->has_process = true;
}

void bm_run_add_benchmark(struct bm_run *run,
                          const struct bm_benchmark_info *info)
{
    add_benchmark(run, info);
}

void bm_run_add_process(struct bm_run *run, const struct bm_profile *profile)
{
    add_process(run, profile);
}

void bm_run_describe(struct bm_run *run, const struct bm_profile *profile)
{
    time_t seconds = (time_t)(profile->start_ns / 1000000000u);
    struct tm utc;
    char text[64];

    run->about.program = copy(run, profile->program);
    run->about.machine = copy(run, profile->host);
    if (profile->start_ns && gmtime_r(&seconds, &utc) &&
        strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc))
        run->about.time = copy(run, text);
}

void bm_run_add_profile(struct bm_run *run, const struct bm_profile *profile)
{
    for (size_t i = 0; i < profile->nr_benchmarks; i++)
        add_benchmark(run, &profile->benchmarks[i]);
    add_process(run, profile);
}

struct bm_run *bm_run_from(const struct bm_profile *profile)
{
    struct bm_run *run = bm_run_new(profile->path, NULL);

    bm_run_add_profile(run, profile);
    bm_run_describe(run, profile);
    bm_strvec_push(&run->files, profile->path);
    return run;
}

struct bm_run *bm_run_of_profile(struct bm_profile *profile)
{
    struct bm_run *run = bm_run_from(profile);

    run->profiles = bm_xcalloc(1, sizeof(struct bm_profile *));
    run->profiles[run->nr_profiles++] = profile;
    bm_run_index_profile(run, profile);
    return run;
}
