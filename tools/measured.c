/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/measured.h"

#include "tools/metric.h"

#include <string.h>

bool bm_measured_memory(const struct bm_benchmark_info *benchmark)
{
    if (benchmark->nr_more_passes &&
        benchmark->more_measured == BM_MEASURED_MEMORY)
        return true;
    for (size_t i = 0; i < benchmark->nr_passes; i++)
        if (benchmark->passes[i].measured == BM_MEASURED_MEMORY)
            return true;
    return benchmark->nr_passes == 0;
}

bool bm_measured_no_memory(const struct bm_profile *profile)
{
    if (profile->totals.allocations || profile->totals.inherited_blocks)
        return false;
    for (size_t i = 0; i < profile->nr_benchmarks; i++)
        if (bm_measured_memory(&profile->benchmarks[i]))
            return false;
    return profile->nr_benchmarks ||
           (profile->options && strstr(profile->options, "measure=") &&
            !strstr(profile->options, "measure=memory"));
}

/* ---- the table ---- */

static bool is_all_memory(const struct bm_profile *profile)
{
    for (size_t i = 0; i < profile->nr_benchmarks; i++)
        if (!bm_measured_memory(&profile->benchmarks[i]))
            return false;
    return true;
}

/* The minimum over the passes; 0 if none was measured so. */
static uint64_t least(const struct bm_benchmark_info *benchmark,
                      enum bm_measured measured, size_t field)
{
    uint64_t found = UINT64_MAX;

    for (size_t i = 0; i < benchmark->nr_passes; i++) {
        const struct bm_pass_info *pass = &benchmark->passes[i];
        uint64_t value = *(const uint64_t *)((const char *)pass + field);

        if (pass->measured == measured && !pass->open && value < found)
            found = value;
    }
    return found == UINT64_MAX ? 0 : found;
}

uint64_t bm_measured_time(const struct bm_benchmark_info *benchmark)
{
    return least(benchmark, BM_MEASURED_TIME,
                 offsetof(struct bm_pass_info, time_ns));
}

uint64_t bm_measured_setup_rss(const struct bm_benchmark_info *benchmark)
{
    return least(benchmark, BM_MEASURED_RSS,
                 offsetof(struct bm_pass_info, setup_peak_rss_bytes));
}

uint64_t bm_measured_rss(const struct bm_benchmark_info *benchmark)
{
    return least(benchmark, BM_MEASURED_RSS,
                 offsetof(struct bm_pass_info, peak_rss_bytes));
}

static struct bm_cell time_cell(struct bm_table *table, uint64_t ns)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    double value = (double)ns;
    unsigned unit = 0;

    if (ns == 0)
        return bm_cell_text(NULL);
    while (value >= 999.95 && unit < 3) {
        value /= 1000;
        unit++;
    }
    return bm_cell_text(bm_arena_printf(&table->arena, "%.*f %s", unit ? 1 : 0,
                                        value, units[unit]));
}

/* Whether any benchmark that is shown has it. */
static bool is_measured(const struct bm_view *view, enum bm_measured measured)
{
    for (size_t i = 0; i < view->profile->nr_benchmarks; i++) {
        const struct bm_benchmark_info *b = &view->profile->benchmarks[i];

        for (size_t p = 0; p < b->nr_passes; p++)
            if ((!view->benchmark || view->benchmark == b) &&
                b->passes[p].measured == measured)
                return true;
    }
    return false;
}

static struct bm_cell bytes_cell(uint64_t bytes)
{
    return bytes ? bm_cell_bytes(bytes) : bm_cell_text(NULL);
}

void bm_measured_columns(struct bm_columns *columns, bool time, bool rss)
{
    if (time)
        bm_columns_add(columns, "TIME", "time_ns", BM_COLUMN_RIGHT);
    if (!rss)
        return;
    bm_columns_add(columns, "SET-UP RSS", "setup_peak_rss_bytes",
                   BM_COLUMN_RIGHT);
    bm_columns_add(columns, "PEAK RSS", "peak_rss_bytes", BM_COLUMN_RIGHT);
}

bool bm_measured_table(const struct bm_view *view, struct bm_table *table)
{
    const struct bm_profile *profile = view->profile;
    bool time = is_measured(view, BM_MEASURED_TIME);
    bool rss = is_measured(view, BM_MEASURED_RSS);
    struct bm_columns columns = {0};

    if (is_all_memory(profile))
        return false;
    bm_measured_columns(&columns, time, rss);
    bm_columns_add(&columns, "PASSES", "passes", BM_COLUMN_RIGHT);
    bm_columns_add(&columns, "BENCHMARK", "id", BM_COLUMN_MIDDLE);
    bm_columns_begin(&columns, table);
    for (size_t i = 0; i < profile->nr_benchmarks; i++) {
        const struct bm_benchmark_info *b = &profile->benchmarks[i];

        if (view->benchmark && view->benchmark != b)
            continue;
        struct bm_cell *cell = bm_table_add_row(table);
        if (time)
            *cell++ = time_cell(table, bm_measured_time(b));
        if (rss) {
            *cell++ = bytes_cell(bm_measured_setup_rss(b));
            *cell++ = bytes_cell(bm_measured_rss(b));
        }
        *cell++ = bm_cell_count(bm_nr_passes(b));
        *cell = bm_cell_text(b->id);
    }
    return true;
}

/* ---- JSON ---- */

static void put_memory(struct bm_json *json, const char *key, uint64_t value,
                       bool is_measured)
{
    bm_json_key(json, key);
    if (is_measured)
        bm_json_uint(json, value);
    else
        bm_json_null(json);
}

void bm_measured_pass(struct bm_json *json, const struct bm_pass_info *pass)
{
    bool memory = pass->measured == BM_MEASURED_MEMORY;

    put_memory(json, "peak_bytes", pass->peak_bytes, memory);
    put_memory(json, "allocated_bytes", pass->allocated_bytes, memory);
    put_memory(json, "allocations", pass->allocations, memory);
    put_memory(json, "retained_bytes", pass->retained_bytes, memory);
    if (pass->measured == BM_MEASURED_TIME)
        bm_json_put_uint(json, "time_ns", pass->time_ns);
    if (pass->measured == BM_MEASURED_RSS) {
        bm_json_put_uint(json, "setup_peak_rss_bytes",
                         pass->setup_peak_rss_bytes);
        bm_json_put_uint(json, "peak_rss_bytes", pass->peak_rss_bytes);
    }
}

static void put_labels(struct bm_json *json,
                       const struct bm_benchmark_info *benchmark)
{
    bm_json_key(json, "labels");
    bm_json_begin_object(json);
    for (size_t i = 0; i < benchmark->nr_labels; i++) {
        const struct bm_param_info *label = &benchmark->labels[i];

        bm_json_free_key(json, label->name);
        if (label->kind == BM_VALUE_STRING)
            bm_json_string(json, label->value.s);
        else if (label->kind == BM_VALUE_DOUBLE)
            bm_json_double(json, label->value.d);
        else
            bm_json_int(json, label->value.i);
    }
    bm_json_end_object(json);
}

void bm_measured_declared(struct bm_json *json,
                          const struct bm_benchmark_info *benchmark)
{
    const struct bm_declared_info *d = &benchmark->declared;

    if (d->group)
        bm_json_put_string(json, "group", d->group);
    if (d->suite)
        bm_json_put_string(json, "suite", d->suite);
    if (d->calls > 1)
        bm_json_put_uint(json, "calls", d->calls);
    if (d->flags & BM_DECLARED_MAX_PEAK)
        bm_json_put_uint(json, "max_peak_bytes", d->max_peak_bytes);
    if (d->flags & BM_DECLARED_MAX_ALLOCATED)
        bm_json_put_uint(json, "max_allocated_bytes", d->max_allocated_bytes);
    if (d->flags & BM_DECLARED_MAX_ALLOCATIONS)
        bm_json_put_uint(json, "max_allocations", d->max_allocations);
    if (benchmark->nr_labels)
        put_labels(json, benchmark);
    if (benchmark->nr_failures) {
        bm_json_key(json, "failures");
        bm_json_begin_array(json);
        for (size_t i = 0; i < benchmark->nr_failures; i++)
            bm_json_string(json, benchmark->failures[i]);
        bm_json_end_array(json);
    }
}
