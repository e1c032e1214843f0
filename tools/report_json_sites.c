/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Sites in a report's JSON. The site stays what it is; "charged_to" says
 * which lines the tables charge where that are others (a system header's
 * allocation in C++), with what part of it each.
 */
#include "tools/report_json.h"

#include "base/memory.h"
#include "tools/spread.h"

#include <inttypes.h>
#include <stdlib.h>

void bm_put_line(struct bm_json *json, const char *key, uint32_t value)
{
    bm_json_key(json, key);
    if (value)
        bm_json_uint(json, value);
    else
        bm_json_null(json);
}

void bm_put_id(struct bm_json *json, const char *key, uint64_t id)
{
    char text[17];

    snprintf(text, sizeof(text), "%016" PRIx64, id);
    bm_json_put_string(json, key, text);
}

void bm_put_place(struct bm_json *json, const struct bm_frame_info *frame)
{
    bm_json_put_string(json, "file", frame ? frame->file : NULL);
    bm_json_put_string(json, "dir", frame ? frame->dir : NULL);
    bm_put_line(json, "line", frame ? frame->line : 0);
    bm_put_line(json, "column", frame ? frame->column : 0);
    bm_json_put_string(json, "function", frame ? frame->function : NULL);
}

static void put_known(struct bm_json *json, const char *key, uint64_t value,
                      bool known)
{
    bm_json_key(json, key);
    if (known)
        bm_json_uint(json, value);
    else
        bm_json_null(json);
}

void bm_put_ordinal(struct bm_json *json, const struct bm_figures *f)
{
    put_known(json, "peak_ordinal", f->peak_ordinal, f->peak_ordinal != 0);
}

void bm_put_access(struct bm_json *json, const struct bm_access *access)
{
    bm_json_put_uint(json, "followed_blocks", access->blocks);
    bm_json_put_uint(json, "followed_bytes", access->bytes);
    bm_json_put_uint(json, "unseen_bytes", access->escaped_bytes);
    bm_json_put_uint(json, "untouched_bytes", access->untouched_bytes);
    bm_json_put_uint(json, "never_written_bytes", access->never_written_bytes);
    bm_json_put_uint(json, "never_read_bytes", access->never_read_bytes);
    bm_json_put_uint(json, "idle_bytes", access->idle_bytes);
    bm_json_put_uint(json, "reached_bytes", access->reached_bytes);
}

static void put_figures(struct bm_json *json, const struct bm_figures *f,
                        bool peak, bool at_peak, bool live)
{
    bm_json_put_uint(json, "allocations", f->allocations);
    bm_json_put_uint(json, "frees", f->frees);
    bm_json_put_uint(json, "allocated_bytes", f->allocated_bytes);
    put_known(json, "peak_bytes", f->peak_bytes, peak);
    bm_put_ordinal(json, peak ? f : &(struct bm_figures){0});
    put_known(json, "at_peak_bytes", f->at_peak_bytes, at_peak);
    put_known(json, "live_bytes", f->live_bytes, live);
    put_known(json, "live_blocks", f->live_blocks, live);
    bm_json_put_uint(json, "temporary", f->temporary);
}

void bm_put_figures(struct bm_json *json, const struct bm_figures *f, bool peak)
{
    put_figures(json, f, peak, true, true);
}

void bm_put_saves(struct bm_json *json, uint64_t saves, bool known)
{
    put_known(json, "saves_bytes", saves, known);
}

void bm_put_row(struct bm_json *json, const struct bm_ranking *ranking,
                const struct bm_row *row)
{
    const struct bm_figures figures = bm_row_figures(row);

    put_figures(json, &figures, row->own_peak, !row->owes_at_peak,
                !row->owes_live);
    if (ranking->has_saves)
        bm_put_saves(json, figures.saves_bytes, row->own_saves);
    if (ranking->has_access)
        bm_put_access(json, bm_access_of(&figures));
}

struct json_site {
    const struct bm_site_info *site;
    const struct bm_figures *figures;
    uint64_t value; /* by --worst */
    const struct bm_saving_info *saving; /* NULL if it is not known */
    bool has_saves;                      /* they were recorded */
};

static int compare_sites(const void *a, const void *b)
{
    const struct json_site *p = a, *q = b;

    if (p->value != q->value)
        return p->value < q->value ? 1 : -1;
    if (p->figures->allocated_bytes != q->figures->allocated_bytes)
        return p->figures->allocated_bytes < q->figures->allocated_bytes ? 1
                                                                         : -1;
    return p->site->id < q->site->id ? -1 : p->site->id > q->site->id;
}

/* The active sites of the process or of a benchmark, ranked; to be freed. */
static struct json_site *sites_of(const struct bm_view *view,
                                  const struct bm_benchmark_info *benchmark,
                                  size_t *count)
{
    const struct bm_profile *profile = view->profile;
    size_t nr_sites = benchmark ? benchmark->nr_sites : profile->nr_sites;
    struct json_site *list = bm_xcalloc(nr_sites, sizeof(*list));
    bool has_saves = bm_saves_are_told(profile, benchmark);
    size_t number =
        benchmark ? (size_t)(benchmark - profile->benchmarks) + 1 : 0;

    *count = 0;
    for (size_t i = 0; i < nr_sites; i++) {
        const struct bm_site_info *site =
            benchmark ? benchmark->sites[i].site : &profile->sites[i];
        const struct bm_figures *figures =
            benchmark ? &benchmark->sites[i].figures : &site->figures;

        if (bm_is_active(site, figures))
            list[(*count)++] = (struct json_site){
                site, figures, bm_metric_of(figures, view->report->metric),
                bm_profile_saving(profile, number, BM_SAVED_SITE,
                                  (size_t)(site - profile->sites) + 1),
                has_saves};
    }
    if (*count > 1)
        qsort(list, *count, sizeof(*list), compare_sites);
    return list;
}

/*
 * The lines that sites in system headers are charged to. rows are ordered by
 * site, and site number i has those from first[i] to first[i + 1].
 */
struct charges {
    struct bm_ranking ranking;
    size_t *first; /* for each site of the profile, plus 1 */
};

static int compare_by_site(const void *a, const void *b)
{
    const struct bm_row *p = a, *q = b;

    if (p->site != q->site)
        return p->site < q->site ? -1 : 1;

    const struct bm_figures f = bm_row_figures(p), g = bm_row_figures(q);
    if (f.at_peak_bytes != g.at_peak_bytes)
        return f.at_peak_bytes < g.at_peak_bytes ? 1 : -1;
    if (f.allocated_bytes != g.allocated_bytes)
        return f.allocated_bytes < g.allocated_bytes ? 1 : -1;
    return p->order < q->order ? -1 : p->order > q->order;
}

static bool any_moves(const struct bm_view *view, const struct json_site *list,
                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (bm_charge_moves(&view->charge, list[i].site))
            return true;
    }
    return false;
}

static void charges_init(struct charges *charges, struct bm_view *view,
                         const struct bm_benchmark_info *benchmark)
{
    const struct bm_profile *profile = view->profile;
    struct bm_ranking *ranking = &charges->ranking;
    size_t at = 0;

    bm_ranking_init(ranking, BM_BY_CHARGE, &view->source, benchmark);
    if (ranking->nr_rows > 1)
        qsort(ranking->rows, ranking->nr_rows, sizeof(*ranking->rows),
              compare_by_site);
    charges->first = bm_xcalloc(profile->nr_sites + 1, sizeof(*charges->first));
    for (size_t i = 0; i < profile->nr_sites; i++) {
        charges->first[i] = at;
        while (at < ranking->nr_rows &&
               ranking->rows[at].site == &profile->sites[i])
            at++;
    }
    charges->first[profile->nr_sites] = at;
}

static void charges_clear(struct charges *charges)
{
    bm_ranking_clear(&charges->ranking);
    free(charges->first);
}

static void put_charges(struct bm_json *json, const struct bm_view *view,
                        const struct charges *charges,
                        const struct bm_site_info *site)
{
    size_t number = (size_t)(site - view->profile->sites);

    bm_json_key(json, "charged_to");
    if (!bm_charge_moves(&view->charge, site)) {
        bm_json_null(json);
        return;
    }
    bm_json_begin_array(json);
    for (size_t i = charges->first[number]; i < charges->first[number + 1];
         i++) {
        const struct bm_row *row = &charges->ranking.rows[i];

        bm_json_begin_object(json);
        bm_put_place(json, row->frame);
        bm_json_put_string(json, "type", bm_type_of(site, row->frame));
        bm_put_row(json, &charges->ranking, row);
        bm_json_end_object(json);
    }
    bm_json_end_array(json);
}

/* Its own peaks are several processes', and have no sum. */
static void put_spreads(struct bm_json *json, const struct bm_profile *profile,
                        const struct bm_site_info *site)
{
    struct bm_spread peak = bm_spread_of_site(profile, site, true);
    struct bm_spread at_peak = bm_spread_of_site(profile, site, false);

    bm_spread_put(json, "peak_bytes_over_processes", &peak);
    bm_spread_put(json, "at_peak_bytes_over_processes", &at_peak);
}

static void put_site(struct bm_json *json, struct bm_view *view,
                     const struct charges *charges,
                     const struct json_site *item)
{
    const struct bm_site_info *site = item->site;
    const struct bm_frame_info *frame = site->frame;

    bm_json_begin_object(json);
    bm_put_id(json, "id", site->id);
    bm_put_place(json, frame);
    bm_json_put_string(json, "linkage_name",
                       !frame                ? NULL
                       : frame->linkage_name ? frame->linkage_name
                                             : frame->function);
    bm_json_put_string(json, "kind", site->kind);
    bm_json_put_string(json, "callee", site->callee);
    bm_json_put_string(json, "type", site->type);
    bm_json_put_string(json, "size_expr", site->size_expr);
    bm_json_put_string(json, "count", site->count);
    bm_json_put_string(json, "module",
                       bm_names_module(view->profile, site, frame));
    bm_put_figures(json, item->figures,
                   item->figures != &site->figures ||
                       !bm_is_merged(view->profile));
    if (item->has_saves)
        bm_put_saves(json, item->figures->saves_bytes, item->saving);
    if (item->figures == &site->figures && view->profile->has_access)
        bm_put_access(json, bm_access_of(&site->figures));
    if (item->figures == &site->figures && bm_is_merged(view->profile))
        put_spreads(json, view->profile, site);
    put_charges(json, view, charges, site);
    if (view->report->source)
        bm_json_put_string(json, "source",
                           bm_listing_line(&view->listing, frame));
    bm_json_end_object(json);
}

void bm_put_sites(struct bm_json *json, struct bm_view *view,
                  const struct bm_benchmark_info *benchmark)
{
    size_t count;
    struct json_site *list = sites_of(view, benchmark, &count);
    size_t shown = bm_view_top(view->report, count);
    struct charges charges;

    bool moves = any_moves(view, list, shown);
    if (moves)
        charges_init(&charges, view, benchmark);
    bm_json_key(json, "sites");
    bm_json_begin_array(json);
    for (size_t i = 0; i < shown; i++)
        put_site(json, view, &charges, &list[i]);
    bm_json_end_array(json);
    if (moves)
        charges_clear(&charges);
    free(list);
}

void bm_put_elided(struct bm_json *json, const struct bm_view *view)
{
    bm_json_key(json, "elided");
    bm_json_begin_array(json);
    for (size_t i = 0; i < view->profile->nr_sites; i++) {
        const struct bm_site_info *site = &view->profile->sites[i];

        if (!site->elided)
            continue;
        bm_json_begin_object(json);
        bm_put_id(json, "id", site->id);
        bm_put_place(json, site->frame);
        bm_json_put_string(json, "kind", site->kind);
        bm_json_put_string(json, "callee", site->callee);
        bm_json_put_string(json, "type", site->type);
        bm_json_put_string(json, "size_expr", site->size_expr);
        bm_json_put_string(json, "count", site->count);
        bm_json_end_object(json);
    }
    bm_json_end_array(json);
}
