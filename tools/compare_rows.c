/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The figures for programs: one row for each benchmark, metric and statistic,
 * with exact numbers. docs/compare.md describes the keys.
 */
#include "base/error.h"
#include "base/escape.h"
#include "base/json.h"
#include "tools/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define LINES 2

/* One row: its values by series, for use until the next one. */
struct figures {
    const struct bm_joined_row *row;
    enum bm_measure measure;
    enum bm_stat stat;
    long double *values;
    bool *has;
    size_t nr_series;
};

static bool any_value(struct figures *f)
{
    bool any = false;

    for (size_t s = 0; s < f->nr_series; s++) {
        f->has[s] =
            bm_joined_value(f->row, s, f->measure, f->stat, &f->values[s]);
        any |= f->has[s];
    }
    return any;
}

static const char *status_of(const struct figures *f)
{
    if (!f->has[0])
        return "new";
    if (!f->has[f->nr_series - 1])
        return "gone";
    for (size_t s = 1; s < f->nr_series; s++) {
        if (f->has[s] && f->values[s] != f->values[0])
            return "changed";
    }
    return "same";
}

/* Against the first; false where that has no meaning. */
static bool change_of(const struct figures *f, size_t s, double *percent)
{
    if (!f->has[0] || !f->has[s])
        return false;
    *percent = 0;
    if (f->values[s] == f->values[0])
        return true;
    *percent = (double)((f->values[s] - f->values[0]) * 100 / f->values[0]);
    return f->values[0] > 0;
}

typedef void put_figures(const struct figures *figures, void *context);

static void each_row(const struct bm_compare *compare, put_figures *put,
                     void *context)
{
    struct figures f = {.nr_series = compare->joined.nr_series};

    f.values = bm_xcalloc(f.nr_series, sizeof(*f.values));
    f.has = bm_xcalloc(f.nr_series, sizeof(*f.has));
    for (size_t r = 0; r < compare->joined.nr_rows; r++) {
        f.row = compare->rows[r];
        for (size_t c = 0; c < compare->nr_columns; c++) {
            f.measure = compare->columns[c].measure;
            for (int stat = 0; stat < BM_NR_STATS; stat++) {
                f.stat = (enum bm_stat)stat;
                if (!compare->columns[c].is_extra && compare->stats[stat] &&
                    any_value(&f))
                    put(&f, context);
            }
        }
    }
    free(f.values);
    free(f.has);
}

/* -- JSON ------------------------------------------------------------------ */

struct writing {
    const struct bm_compare *compare;
    struct bm_json json;
    FILE *file;
};

static void put_number(struct bm_json *json, long double value)
{
    if (value == floorl(value) && value >= 0 &&
        value <= (long double)UINT64_MAX)
        bm_json_uint(json, (uint64_t)value);
    else
        bm_json_double(json, (double)value);
}

static void put_extras(struct bm_json *json, const struct bm_compare *compare,
                       const struct bm_joined_row *row)
{
    for (size_t c = 0; c < compare->nr_columns; c++) {
        const char *name = compare->columns[c].extra;
        const struct bm_param_info *value =
            name ? bm_run_value(row->sample->extra, row->sample->nr_extra, name)
                 : NULL;

        if (value) {
            bm_json_free_key(json, name);
            bm_json_string(json, value->text);
        }
    }
}

static void put_json_row(const struct figures *f, void *context)
{
    struct writing *w = context;
    struct bm_json *json = &w->json;

    bm_json_begin_object(json);
    bm_json_put_string(json, "id", f->row->id);
    bm_json_put_string(json, "metric", bm_measure_names[f->measure]);
    bm_json_put_string(json, "stat", bm_stat_names[f->stat]);
    bm_json_key(json, "values");
    bm_json_begin_array(json);
    for (size_t s = 0; s < f->nr_series; s++) {
        if (f->has[s])
            put_number(json, f->values[s]);
        else
            bm_json_null(json);
    }
    bm_json_end_array(json);
    bm_json_key(json, "change_percent");
    bm_json_begin_array(json);
    for (size_t s = 0; s < f->nr_series; s++) {
        double percent;

        if (change_of(f, s, &percent))
            bm_json_double(json, percent);
        else
            bm_json_null(json);
    }
    bm_json_end_array(json);
    bm_json_put_string(json, "status", status_of(f));
    if (w->compare->nr_columns > w->compare->nr_measures) {
        bm_json_key(json, "extra");
        bm_json_begin_object(json);
        put_extras(json, w->compare, f->row);
        bm_json_end_object(json);
    }
    bm_json_end_object(json);
}

static void put_line(struct bm_json *json, const char *key,
                     const struct bm_digest_site *site)
{
    bm_json_key(json, key);
    if (site && site->line)
        bm_json_uint(json, site->line);
    else
        bm_json_null(json);
}

static void put_site(struct bm_json *json, const struct bm_joined_row *bench,
                     const struct bm_site_row *row)
{
    const struct bm_digest_site *site = bm_site_of(row);
    char id[17];

    bm_json_begin_object(json);
    bm_json_put_string(json, "benchmark", bench ? bench->id : NULL);
    bm_json_put_string(json, "file", site->file);
    put_line(json, "line", site);
    put_line(json, "base_line", row->base);
    bm_json_put_string(json, "function", site->function);
    bm_json_put_uint(json, "base_bytes", row->base_value);
    bm_json_put_uint(json, "head_bytes", row->head_value);
    bm_json_key(json, "delta_bytes");
    bm_json_int(json, bm_site_change(row));
    bm_json_put_string(json, "status", bm_site_status(row));
    bm_json_put_string(json, "base_file", row->base ? row->base->file : NULL);
    snprintf(id, sizeof(id), "%016" PRIx64, site->id);
    bm_json_put_string(json, "site", id);
    bm_json_put_string(json, "module", site->module);
    bm_json_end_object(json);
}

static void put_ledger(struct bm_json *json, struct bm_sites *sites,
                       const struct bm_joined_row *bench, uint32_t base,
                       uint32_t head)
{
    struct bm_site_rows rows;

    bm_sites_compare(sites, base, head, &rows);
    for (size_t i = 0; i < rows.count; i++)
        put_site(json, bench, &rows.items[i]);
    free(rows.items);
}

/* -1 if a profile that is there cannot be read. */
static int put_sites(struct writing *w)
{
    struct bm_joined *joined = (struct bm_joined *)&w->compare->joined;
    struct bm_sites *sites = NULL;
    bool none = true;

    if (bm_compare_has_sites(w->compare))
        sites =
            bm_joined_sites(joined, bm_compare_site_measure(w->compare), &none);
    bm_json_key(&w->json, "sites");
    bm_json_begin_array(&w->json);
    if (sites && joined->runs[0]->has_process && joined->runs[1]->has_process)
        put_ledger(&w->json, sites, NULL, 0, 0);
    for (size_t i = 0; sites && i < joined->nr_rows; i++) {
        const struct bm_joined_row *row = w->compare->rows[i];

        if (row->status == BM_ROW_COMMON && row->id)
            put_ledger(&w->json, sites, row, bm_joined_ledger(joined, row, 0),
                       bm_joined_ledger(joined, row, 1));
    }
    bm_json_end_array(&w->json);
    return sites || none ? 0 : -1;
}

static void put_regressions(struct writing *w)
{
    struct bm_json *json = &w->json;

    bm_json_key(json, "regressions");
    bm_json_begin_array(json);
    for (size_t i = 0; i < w->compare->gates.count; i++) {
        const struct bm_check *check = &w->compare->gates.checks[i];

        if (check->verdict != BM_VERDICT_FAIL)
            continue;
        bm_json_begin_object(json);
        bm_json_put_string(json, "id", check->id);
        bm_json_put_string(json, "metric",
                           check->gate ? check->gate->metric_text : NULL);
        bm_json_key(json, "base");
        if (check->gate && check->has_base)
            put_number(json, check->base);
        else
            bm_json_null(json);
        bm_json_key(json, "head");
        if (check->gate)
            put_number(json, check->head);
        else
            bm_json_null(json);
        bm_json_put_string(json, "threshold",
                           check->gate ? check->gate->limit_text : NULL);
        bm_json_put_string(json, "subject", check->subject);
        bm_json_put_string(json, "text", check->text);
        bm_json_end_object(json);
    }
    bm_json_end_array(json);
}

static void put_renamed(struct writing *w)
{
    const struct bm_joined *joined = &w->compare->joined;

    bm_json_key(&w->json, "renamed");
    bm_json_begin_array(&w->json);
    for (size_t i = 0; i < joined->nr_renamings; i++) {
        bm_json_begin_object(&w->json);
        bm_json_put_string(&w->json, "from", joined->renamings[i].from);
        bm_json_put_string(&w->json, "to", joined->renamings[i].to);
        bm_json_put_bool(&w->json, "certain", joined->renamings[i].certain);
        bm_json_end_object(&w->json);
    }
    bm_json_end_array(&w->json);
}

int bm_compare_json(struct bm_compare *compare, FILE *file)
{
    struct writing w = {.compare = compare, .file = file};
    struct bm_json *json = &w.json;

    bm_json_init(json, file, LINES);
    bm_json_begin_object(json);
    bm_json_put_uint(json, "schema_version", 1);
    bm_json_key(json, "series");
    bm_json_begin_array(json);
    for (size_t s = 0; s < compare->joined.nr_series; s++)
        bm_json_string(json, compare->joined.labels[s]);
    bm_json_end_array(json);
    bm_json_key(json, "rows");
    bm_json_begin_array(json);
    each_row(compare, put_json_row, &w);
    bm_json_end_array(json);
    bm_json_put_string(json, "site_metric",
                       bm_measure_names[bm_compare_site_measure(compare)]);
    int failed = put_sites(&w);
    put_renamed(&w);
    put_regressions(&w);
    bm_json_end_object(json);
    bm_json_finish(json);
    return failed;
}

/* -- CSV ------------------------------------------------------------------- */

static void put_field(FILE *file, const char *text)
{
    struct bm_str out = BM_STR_INIT;

    bm_escape_csv(&out, text ? text : "");
    fprintf(file, "%s,", out.data);
    bm_str_clear(&out);
}

static void put_csv_row(const struct figures *f, void *context)
{
    struct writing *w = context;
    struct bm_str text = BM_STR_INIT;
    double percent;

    put_field(w->file, f->row->id);
    put_field(w->file, bm_measure_names[f->measure]);
    put_field(w->file, bm_stat_names[f->stat]);
    for (size_t c = 0; c < w->compare->nr_columns; c++) {
        const char *name = w->compare->columns[c].extra;
        const struct bm_param_info *value =
            name ? bm_run_value(f->row->sample->extra, f->row->sample->nr_extra,
                                name)
                 : NULL;
        if (name)
            put_field(w->file, value ? value->text : NULL);
    }
    for (size_t s = 0; s < f->nr_series; s++) {
        bm_str_truncate(&text, 0);
        if (f->has[s])
            bm_value_print_exact(&text, f->values[s]);
        fprintf(w->file, "%s,", text.data);
    }
    bm_str_truncate(&text, 0);
    if (f->nr_series > 1) {
        if (change_of(f, f->nr_series - 1, &percent))
            bm_value_print_exact(&text, percent);
        bm_str_putc(&text, ',');
    }
    fprintf(w->file, "%s%s\n", text.data, status_of(f));
    bm_str_clear(&text);
}

void bm_compare_csv(const struct bm_compare *compare, FILE *file)
{
    struct writing w = {.compare = compare, .file = file};

    fputs("id,metric,stat,", file);
    for (size_t c = 0; c < compare->nr_columns; c++) {
        if (compare->columns[c].is_extra)
            put_field(file, compare->columns[c].extra);
    }
    for (size_t s = 0; s < compare->joined.nr_series; s++)
        put_field(file, compare->joined.labels[s]);
    fputs(compare->joined.nr_series > 1 ? "change_percent,status\n"
                                        : "status\n",
          file);
    each_row(compare, put_csv_row, &w);
}
