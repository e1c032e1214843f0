/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The processes of a merged profile, or the runs of one of several runs, as
 * a table for people and in the JSON.
 */
#include "tools/report_cells.h"
#include "tools/report_json.h"
#include "tools/spread.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PROCESSES 20

static const char *describe_end(struct bm_table *table,
                                const struct bm_process_info *process)
{
    const char *rest = process->complete ? "" : ", incomplete";

    switch (process->end) {
    case BM_END_STATUS:
        return bm_arena_printf(&table->arena, "status %" PRIu64 "%s",
                               process->end_value, rest);
    case BM_END_SIGNAL:
        return bm_arena_printf(&table->arena, "signal %" PRIu64 "%s",
                               process->end_value, rest);
    case BM_END_EXEC:
        return "exec, incomplete";
    case BM_END_UNKNOWN:
        break;
    }
    return "unknown, incomplete";
}

static void put_process(const struct bm_process_info *process,
                        struct bm_table *table)
{
    const struct bm_figures *totals = &process->totals;
    const char *slash = strrchr(process->program, '/');
    struct bm_cell *cell = bm_table_add_row(table);

    cell[0] = bm_cell_bytes(totals->peak_bytes);
    cell[1] = bm_cell_bytes(totals->allocated_bytes);
    cell[2] = bm_cell_count(totals->allocations);
    cell[3] = bm_cell_bytes(totals->live_bytes);
    cell[4] = bm_cell_text(process->rank);
    cell[5] =
        bm_cell_text(bm_arena_printf(&table->arena, "%" PRIu64, process->pid));
    cell[6] = bm_cell_text(describe_end(table, process));
    cell[7] = bm_cell_text(process->host);
    cell[8] = bm_cell_text(slash ? slash + 1 : process->program);
}

static void put_spread(const struct bm_profile *profile, struct bm_table *table)
{
    static const char *const names[] = {"minimum", "mean", "maximum"};
    static const size_t members[] = {
        offsetof(struct bm_figures, peak_bytes),
        offsetof(struct bm_figures, allocated_bytes),
        offsetof(struct bm_figures, allocations),
        offsetof(struct bm_figures, live_bytes),
    };
    struct bm_spread spreads[4] = {0};

    for (size_t i = 0; i < profile->nr_processes; i++)
        for (size_t m = 0; m < 4; m++)
            bm_spread_add(&spreads[m],
                          *(const uint64_t
                                *)((const char *)&profile->processes[i].totals +
                                   members[m]));
    for (size_t row = 0; row < 3; row++) {
        struct bm_cell *cell = bm_table_add_row(table);

        for (size_t m = 0; m < 4; m++) {
            uint64_t value = row == 0   ? spreads[m].min
                             : row == 1 ? bm_spread_mean(&spreads[m])
                                        : spreads[m].max;
            cell[m] = m == 2 ? bm_cell_count(value) : bm_cell_bytes(value);
        }
        cell[5] = bm_cell_text(names[row]);
        bm_table_tone_row(table, BM_TONE_FAINT);
    }
}

void bm_table_of_processes(const struct bm_view *view, struct bm_table *table)
{
    static const struct bm_column columns[] = {
        {"PEAK", "peak_bytes", BM_COLUMN_RIGHT},
        {"ALLOCATED", "allocated_bytes", BM_COLUMN_RIGHT},
        {"ALLOCATIONS", "allocations", BM_COLUMN_RIGHT},
        {"LIVE AT EXIT", "live_bytes", BM_COLUMN_RIGHT | BM_COLUMN_SPARE(2)},
        {"RANK", "rank", BM_COLUMN_RIGHT},
        {"PID", "pid", BM_COLUMN_RIGHT},
        {"END", "end", 0},
        {"HOST", "host", BM_COLUMN_END | BM_COLUMN_SPARE(1)},
        {"PROGRAM", "program", BM_COLUMN_MIDDLE},
    };
    const struct bm_profile *profile = view->profile;
    const struct bm_report *report = view->report;
    size_t nr = profile->nr_processes;
    size_t shown = report->top_given ? bm_view_top(report, nr) : MOST_PROCESSES;

    bm_table_init(table, columns, sizeof(columns) / sizeof(columns[0]));
    for (size_t i = 0; i < nr && i < shown; i++)
        put_process(&profile->processes[i], table);
    if (shown < nr) {
        struct bm_cell *cell = bm_table_add_row(table);
        cell[8] = bm_cell_text(bm_arena_printf(
            &table->arena, "+%zu more (--top 0 lists them)", nr - shown));
        bm_table_tone_row(table, BM_TONE_FAINT);
    }
    if (nr > 1)
        put_spread(profile, table);
}

static void put_process_json(struct bm_json *json,
                             const struct bm_process_info *process)
{
    const struct bm_figures *totals = &process->totals;

    bm_json_begin_object(json);
    bm_json_put_string(json, "rank", process->rank);
    bm_json_put_uint(json, "pid", process->pid);
    bm_json_put_uint(json, "parent_pid", process->parent_pid);
    bm_json_put_uint(json, "start_ns", process->start_ns);
    bm_json_put_string(json, "host", process->host);
    bm_json_put_string(json, "program", process->program);
    bm_json_put_string(json, "cwd", process->cwd);
    bm_json_key(json, "command");
    bm_json_begin_array(json);
    for (size_t i = 0; i < process->nr_arguments; i++)
        bm_json_string(json, process->arguments[i]);
    bm_json_end_array(json);
    bm_json_put_bool(json, "complete", process->complete);
    bm_json_key(json, "end");
    bm_json_begin_object(json);
    if (process->end == BM_END_STATUS)
        bm_json_put_uint(json, "status", process->end_value);
    else if (process->end == BM_END_SIGNAL)
        bm_json_put_uint(json, "signal", process->end_value);
    bm_json_end_object(json);
    bm_json_put_uint(json, "allocations", totals->allocations);
    bm_json_put_uint(json, "frees", totals->frees);
    bm_json_put_uint(json, "allocated_bytes", totals->allocated_bytes);
    bm_json_put_uint(json, "freed_bytes", totals->freed_bytes);
    bm_json_put_uint(json, "peak_bytes", totals->peak_bytes);
    bm_json_put_uint(json, "live_bytes", totals->live_bytes);
    bm_json_put_uint(json, "live_blocks", totals->live_blocks);
    bm_json_put_uint(json, "temporary", totals->temporary);
    bm_json_put_uint(json, "unknown_frees", process->unknown_frees);
    bm_json_put_uint(json, "failed_allocations", process->failed_allocations);
    bm_json_put_uint(json, "dropped", process->dropped);
    bm_json_put_uint(json, "inherited_bytes", totals->inherited_bytes);
    bm_json_put_uint(json, "inherited_blocks", totals->inherited_blocks);
    bm_json_end_object(json);
}

void bm_put_processes(struct bm_json *json, const struct bm_profile *profile)
{
    if (!profile->nr_processes)
        return;
    bm_json_key(json, bm_is_merged(profile) ? "processes" : "runs");
    bm_json_begin_array(json);
    for (size_t i = 0; i < profile->nr_processes; i++)
        put_process_json(json, &profile->processes[i]);
    bm_json_end_array(json);
}
