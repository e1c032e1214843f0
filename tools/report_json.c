/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A report as JSON, for programs: everything, with exact numbers. Every key
 * is always there, null where the value is not known. docs/report.md describes
 * the keys.
 */
#include "tools/report_json.h"

#include "tools/measured.h"
#include "tools/report_cells.h"
#include "tools/spread.h"

#include <stdlib.h>

/* Levels of one profile's document that have a line for each value. */
#define LINES 2

/* -- benchmarks ------------------------------------------------------------ */

static void put_params(struct bm_json *json,
                       const struct bm_benchmark_info *benchmark)
{
    bm_json_key(json, "params");
    bm_json_begin_object(json);
    for (size_t i = 0; i < benchmark->nr_params; i++) {
        const struct bm_param_info *param = &benchmark->params[i];

        bm_json_free_key(json, param->name);
        switch (param->kind) {
        case BM_VALUE_SIGNED:
            bm_json_int(json, param->value.i);
            break;
        case BM_VALUE_UNSIGNED:
            bm_json_uint(json, param->value.u);
            break;
        case BM_VALUE_DOUBLE:
            bm_json_double(json, param->value.d);
            break;
        case BM_VALUE_BOOL:
            bm_json_bool(json, param->value.u != 0);
            break;
        case BM_VALUE_STRING:
            bm_json_string(json, param->value.s);
            break;
        }
    }
    bm_json_end_object(json);
}

static void put_passes(struct bm_json *json,
                       const struct bm_benchmark_info *benchmark)
{
    bm_json_key(json, "passes");
    bm_json_begin_array(json);
    for (size_t i = 0; i < benchmark->nr_passes; i++) {
        const struct bm_pass_info *pass = &benchmark->passes[i];

        bm_json_begin_object(json);
        bm_measured_pass(json, pass);
        bm_json_put_bool(json, "open", pass->open);
        bm_json_end_object(json);
    }
    bm_json_end_array(json);
}

static void put_range(struct bm_json *json, const char *key,
                      const struct bm_range *range)
{
    bm_json_key(json, key);
    bm_json_begin_object(json);
    bm_json_put_uint(json, "min", range->min);
    bm_json_put_uint(json, "max", range->max);
    bm_json_put_uint(json, "sum", range->sum);
    bm_json_end_object(json);
}

/* Passes beyond those that are kept singly. */
static void put_more_passes(struct bm_json *json,
                            const struct bm_benchmark_info *benchmark)
{
    bm_json_key(json, "more_passes");
    if (!benchmark->nr_more_passes) {
        bm_json_null(json);
        return;
    }
    bm_json_begin_object(json);
    bm_json_put_uint(json, "count", benchmark->nr_more_passes);
    put_range(json, "peak_bytes", &benchmark->more_peak);
    put_range(json, "allocated_bytes", &benchmark->more_allocated);
    put_range(json, "allocations", &benchmark->more_allocations);
    put_range(json, "retained_bytes", &benchmark->more_retained);
    if (benchmark->more_measured == BM_MEASURED_TIME)
        put_range(json, "time_ns", &benchmark->more_time);
    bm_json_end_object(json);
}

static void put_benchmark(struct bm_json *json, struct bm_view *view,
                          const struct bm_benchmark_info *benchmark)
{
    const struct bm_frame_info *frame = benchmark->frame;

    bm_json_begin_object(json);
    bm_json_put_string(json, "id", benchmark->id);
    bm_json_put_string(json, "name", benchmark->name);
    bm_json_put_string(json, "file",
                       frame && frame->file ? frame->file : benchmark->file);
    bm_put_line(json, "line", frame ? frame->line : 0);
    put_params(json, benchmark);
    bm_measured_declared(json, benchmark);
    bm_put_ordinal(json, &benchmark->figures);
    put_passes(json, benchmark);
    put_more_passes(json, benchmark);
    bm_put_sites(json, view, benchmark);
    bm_json_end_object(json);
}

static void put_benchmarks(struct bm_json *json, struct bm_view *view)
{
    const struct bm_profile *profile = view->profile;

    bm_json_key(json, "benchmarks");
    bm_json_begin_array(json);
    for (size_t i = 0; i < profile->nr_benchmarks; i++) {
        if (!view->benchmark || view->benchmark == &profile->benchmarks[i])
            put_benchmark(json, view, &profile->benchmarks[i]);
    }
    bm_json_end_array(json);
}

/* Pools that the program annotates: no heap, so in no total. */
static void put_pools(struct bm_json *json, const struct bm_profile *profile)
{
    if (!profile->nr_pools)
        return;
    bm_json_key(json, "pools");
    bm_json_begin_array(json);
    for (size_t i = 0; i < profile->nr_pools; i++) {
        const struct bm_pool_info *pool = &profile->pools[i];

        bm_json_begin_object(json);
        bm_json_put_string(json, "name", pool->name);
        bm_json_put_uint(json, "takes", pool->takes);
        bm_json_put_uint(json, "gives", pool->gives);
        bm_json_put_uint(json, "resets", pool->resets);
        bm_json_put_uint(json, "taken_bytes", pool->taken_bytes);
        bm_json_put_uint(json, "given_bytes", pool->given_bytes);
        bm_json_put_uint(json, "live_bytes", pool->live_bytes);
        bm_json_put_uint(json, "peak_bytes", pool->peak_bytes);
        bm_json_end_object(json);
    }
    bm_json_end_array(json);
}

/* -- other groupings --------------------------------------------------------
 */

/* Each frame of the profile as JSON, made once: paths share their frames. */
struct frame_texts {
    char *text;
    size_t *ends; /* by frame */
    struct bm_frames frames;
};

static void write_frame(struct bm_json *json, const struct bm_frame_info *frame)
{
    bm_json_begin_object(json);
    bm_put_place(json, frame);
    bm_json_put_bool(json, "inlined", frame->inlined_into != NULL);
    bm_json_put_bool(json, "tail", frame->flags & BM_FRAME_IS_TAIL);
    bm_json_put_string(json, "module",
                       frame->module ? frame->module->path : NULL);
    bm_json_end_object(json);
}

static void make_frame_texts(struct frame_texts *texts,
                             const struct bm_profile *profile)
{
    struct bm_str text = BM_STR_INIT;

    texts->ends = bm_xcalloc(profile->nr_frames, sizeof(*texts->ends));
    texts->frames = (struct bm_frames){NULL, 0, 0};
    for (size_t i = 0; i < profile->nr_frames; i++) {
        struct bm_json json;

        bm_json_init_text(&json, &text, 0);
        write_frame(&json, &profile->frames[i]);
        bm_json_flush(&json);
        texts->ends[i] = text.size;
    }
    texts->text = bm_str_detach(&text);
}

static void put_frames(struct bm_json *json, const struct bm_view *view,
                       const struct bm_row *row, struct frame_texts *texts)
{
    bm_frames_of(row->site, bm_row_path(row), &texts->frames);
    bm_json_key(json, "frames");
    bm_json_begin_array(json);
    for (size_t i = texts->frames.count; i-- > 0;) {
        size_t frame = (size_t)(texts->frames.items[i] - view->profile->frames);
        size_t start = frame ? texts->ends[frame - 1] : 0;

        bm_json_value(json, texts->text + start, texts->ends[frame] - start);
    }
    bm_json_end_array(json);
}

static void put_path(struct bm_json *json, const struct bm_view *view,
                     const struct bm_ranking *ranking, const struct bm_row *row,
                     struct frame_texts *texts)
{
    bm_json_begin_object(json);
    put_frames(json, view, row, texts);
    bm_put_id(json, "site", row->site->id);
    bm_json_put_bool(json, "other",
                     bm_row_path(row) && bm_row_path(row)->other);
    bm_put_row(json, ranking, row);
    bm_json_end_object(json);
}

static void put_paths(struct bm_json *json, const struct bm_view *view,
                      const struct bm_ranking *ranking, size_t shown)
{
    struct frame_texts texts;

    make_frame_texts(&texts, view->profile);
    for (size_t i = 0; i < shown; i++)
        put_path(json, view, ranking, &ranking->rows[i], &texts);
    free(texts.text);
    free(texts.ends);
    free(texts.frames.items);
}

static void put_group(struct bm_json *json, struct bm_view *view,
                      const struct bm_ranking *ranking,
                      const struct bm_row *row)
{
    bm_json_begin_object(json);
    if (view->report->by == BM_BY_THREAD) {
        bm_json_key(json, "key");
        if (bm_row_thread(row))
            bm_json_uint(json, bm_row_thread(row)->tid);
        else
            bm_json_null(json);
        bm_json_put_string(
            json, "name", bm_row_thread(row) ? bm_row_thread(row)->name : NULL);
    } else {
        bm_json_put_string(json, "key", row->label);
    }
    if (view->report->by == BM_BY_FUNCTION)
        bm_json_put_string(json, "file",
                           bm_names_file(&view->names, row->frame));
    bm_put_row(json, ranking, row);
    bm_json_end_object(json);
}

static void put_benchmark_groups(struct bm_json *json,
                                 const struct bm_view *view)
{
    size_t count;
    struct bm_ranked_benchmark *list = bm_benchmarks_of(view, true, &count);
    size_t shown = bm_view_top(view->report, count);

    for (size_t i = 0; i < shown; i++) {
        bm_json_begin_object(json);
        bm_json_put_string(json, "key", list[i].benchmark->id);
        bm_put_figures(json, &list[i].benchmark->figures, true);
        bm_json_end_object(json);
    }
    free(list);
}

static void put_groups(struct bm_json *json, struct bm_view *view)
{
    bool paths = view->report->by == BM_BY_PATH;
    struct bm_ranking ranking;

    bm_json_key(json, paths ? "paths" : "groups");
    bm_json_begin_array(json);
    if (view->report->by == BM_BY_BENCHMARK) {
        put_benchmark_groups(json, view);
        bm_json_end_array(json);
        return;
    }

    bm_ranking_init(&ranking, view->report->by, &view->source, view->benchmark);
    bm_ranking_sort(&ranking, view->report->metric,
                    bm_view_top(view->report, ranking.nr_rows));
    size_t shown = bm_view_top(view->report, ranking.nr_rows);
    if (paths)
        put_paths(json, view, &ranking, shown);
    for (size_t i = 0; !paths && i < shown; i++)
        put_group(json, view, &ranking, &ranking.rows[i]);
    bm_json_end_array(json);
    bm_ranking_clear(&ranking);
}

/* -- the document -----------------------------------------------------------
 */

static void put_strings(struct bm_json *json, const char *key,
                        const char *const *items, size_t count)
{
    bm_json_key(json, key);
    bm_json_begin_array(json);
    for (size_t i = 0; i < count; i++)
        bm_json_string(json, items[i]);
    bm_json_end_array(json);
}

static void put_end(struct bm_json *json, const struct bm_profile *profile)
{
    bm_json_key(json, "end");
    bm_json_begin_object(json);
    if (profile->end == BM_END_STATUS)
        bm_json_put_uint(json, "status", profile->end_value);
    else if (profile->end == BM_END_SIGNAL)
        bm_json_put_uint(json, "signal", profile->end_value);
    else if (profile->end == BM_END_EXEC)
        bm_json_put_bool(json, "exec", true);
    bm_json_end_object(json);
}

/* A sum of peaks is not under the key of a peak. */
static void put_peak(struct bm_json *json, const struct bm_profile *profile)
{
    struct bm_spread spread;

    if (!bm_is_merged(profile)) {
        bm_json_put_uint(json, "peak_bytes", profile->totals.peak_bytes);
        bm_put_ordinal(json, &profile->totals);
        return;
    }
    spread = bm_spread_of_peaks(profile);
    bm_json_key(json, "peak_bytes");
    bm_json_null(json);
    bm_put_ordinal(json, &profile->totals);
    bm_json_put_uint(json, "peak_upper_bound_bytes",
                     profile->totals.peak_bytes);
    bm_spread_put(json, "peak_bytes_over_processes", &spread);
}

static void put_totals(struct bm_json *json, const struct bm_profile *profile)
{
    const struct bm_figures *t = &profile->totals;

    bm_json_key(json, "totals");
    bm_json_begin_object(json);
    bm_json_put_uint(json, "allocations", t->allocations);
    bm_json_put_uint(json, "frees", t->frees);
    bm_json_put_uint(json, "allocated_bytes", t->allocated_bytes);
    bm_json_put_uint(json, "freed_bytes", t->freed_bytes);
    put_peak(json, profile);
    bm_json_put_uint(json, "live_bytes", t->live_bytes);
    bm_json_put_uint(json, "live_blocks", t->live_blocks);
    bm_json_put_uint(json, "temporary", t->temporary);
    bm_json_put_uint(json, "unknown_frees", profile->unknown_frees);
    bm_json_put_uint(json, "failed_allocations", profile->failed_allocations);
    bm_json_put_uint(json, "dropped", profile->dropped);
    bm_json_put_uint(json, "inherited_bytes", t->inherited_bytes);
    bm_json_put_uint(json, "inherited_blocks", t->inherited_blocks);
    if (profile->has_access)
        bm_put_access(json, bm_access_of(t));
    bm_json_end_object(json);
}

static void put_head(struct bm_json *json, const struct bm_view *view)
{
    const struct bm_profile *profile = view->profile;

    bm_json_put_string(json, "profile", view->input->path);
    bm_json_put_bool(json, "complete", profile->complete);
    put_strings(json, "command", profile->arguments, profile->nr_arguments);
    bm_json_put_string(json, "program", profile->program);
    bm_json_put_string(json, "cwd", profile->cwd);
    bm_json_put_string(json, "host", profile->host);
    bm_json_put_string(json, "rank", profile->rank);
    bm_json_put_uint(json, "pid", profile->pid);
    bm_json_put_uint(json, "parent_pid", profile->parent_pid);
    bm_json_put_uint(json, "start_ns", profile->start_ns);
    put_end(json, profile);
    put_strings(json, "notes", profile->notes, profile->nr_notes);
    put_totals(json, profile);
    bm_put_processes(json, profile);
}

static void put_view(struct bm_json *json, struct bm_view *view)
{
    put_head(json, view);
    bm_put_sites(json, view, NULL);
    if (view->report->elided)
        bm_put_elided(json, view);
    put_benchmarks(json, view);
    put_pools(json, view->profile);
    if (view->report->by != BM_BY_SITE)
        put_groups(json, view);
}

void bm_report_json(struct bm_views *views, FILE *file)
{
    struct bm_json json;

    bm_json_init(&json, file, views->count > 1 ? LINES + 2 : LINES);
    bm_json_begin_object(&json);
    bm_json_put_uint(&json, "schema_version", 1);
    if (views->count == 1) {
        put_view(&json, &views->items[0]);
    } else {
        bm_json_key(&json, "profiles");
        bm_json_begin_array(&json);
        for (size_t i = 0; i < views->count; i++) {
            bm_json_begin_object(&json);
            bm_json_put_uint(&json, "schema_version", 1);
            put_view(&json, &views->items[i]);
            bm_json_end_object(&json);
        }
        bm_json_end_array(&json);
    }
    bm_json_end_object(&json);
    bm_json_finish(&json);
}
