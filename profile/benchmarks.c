/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Benchmarks: their passes, and their sites' figures over all passes. As in
 * figures.c, a process may have ended or been read inside a call; where that
 * was inside a pass, the pass is completed from what the nodes show.
 */
#include "benchmarks.h"
#include "figures.h"

#include <stdlib.h>
#include <string.h>

static struct bm_raw_benchmark *raw_of(const struct bm_making *making,
                                       size_t benchmark)
{
    return bm_table_find(&making->load->benchmarks, benchmark);
}

static size_t raw_place(const struct bm_making *making,
                        const struct bm_raw_benchmark *raw)
{
    const struct bm_raw_benchmark *first = making->load->benchmarks.rows.rows;

    return (size_t)(raw - first);
}

/* NULL where the benchmark has no record. */
static struct bm_latest *latest_of(const struct bm_making *making,
                                   size_t benchmark)
{
    const struct bm_raw_benchmark *raw = raw_of(making, benchmark);

    return raw ? &making->latest[raw_place(making, raw)] : NULL;
}

/* ---- nodes ---- */

static struct bm_raw_node *words_of(const struct bm_making *making,
                                    const struct bm_node_info *node)
{
    return bm_raw_node_of(making->load, node);
}

/* As bm_node_live_bytes, before share_out. */
static uint64_t held_of(const struct bm_making *making,
                        const struct bm_node_info *node)
{
    const struct bm_node_rest *rest = words_of(making, node)->rest;

    return (rest ? rest->inherited_bytes : 0) + node->figures.allocated_bytes -
           node->figures.freed_bytes;
}

static void find_latest(struct bm_making *making)
{
    const struct bm_node_info *nodes = making->load->nodes.rows;

    for (size_t i = 0; i < making->load->nodes.nr; i++) {
        const struct bm_raw_node *words;
        struct bm_latest *latest;

        if (!nodes[i].benchmark)
            continue;
        words = words_of(making, &nodes[i]);
        latest = latest_of(making, nodes[i].benchmark);
        if (words->pass > latest->serial)
            latest->live = 0;
        if (words->pass >= latest->serial) {
            latest->serial = words->pass;
            latest->live += words->live;
        }
        latest->held += held_of(making, &nodes[i]);
    }
}

static void find_ended(struct bm_making *making)
{
    const struct bm_raw_benchmark *raw = making->load->benchmarks.rows.rows;
    const struct bm_raw_pass *passes = making->load->passes.rows;
    const struct bm_raw_passes *more = making->load->more_passes.rows;

    for (size_t i = 0; i < making->load->passes.nr; i++) {
        struct bm_latest *latest = latest_of(making, passes[i].benchmark);

        if (!latest)
            continue;
        latest->nr_recorded++;
        if (passes[i].pass.open)
            latest->open = passes[i].serial;
        else
            latest->retained += passes[i].pass.retained_bytes;
    }
    for (size_t i = 0; i < making->load->more_passes.nr; i++) {
        struct bm_latest *latest = latest_of(making, more[i].benchmark);

        if (!latest)
            continue;
        latest->nr_recorded += more[i].count;
        latest->retained += more[i].retained.sum;
    }
    /* What has no record but figures is the pass that the nodes were in. */
    for (size_t i = 0; i < making->load->benchmarks.rows.nr; i++)
        if (raw[i].nr_passes > making->latest[i].nr_recorded)
            making->latest[i].open = making->latest[i].serial;
}

/*
 * What the nodes hold of an open pass less what their `live` says: part of
 * a call that has written the one word and not yet the other.
 */
static uint64_t missing_live(const struct bm_latest *latest)
{
    uint64_t rest = latest->held - latest->retained;

    if (rest == 0 || latest->open != latest->serial || latest->serial == 0)
        return 0;
    return rest - latest->live;
}

/* Whether the call that lacks it can have been one of the node. */
static bool can_miss(const struct bm_making *making,
                     const struct bm_node_info *node,
                     const struct bm_latest *latest, uint64_t missing)
{
    const struct bm_raw_node *words = words_of(making, node);
    uint64_t live = words->live + missing;
    uint64_t rest = held_of(making, node) - live;

    /* What earlier passes retained of the node cannot be negative. */
    return words->pass == latest->serial && (int64_t)live >= 0 &&
           ((int64_t)missing < 0 || (int64_t)rest >= 0);
}

/*
 * Gives what is missing to such a node. Of one thread, it has just looked at
 * the peak, so that its at_peak stays as it is.
 */
static void settle_live(struct bm_making *making, bool has_looked)
{
    struct bm_node_info *nodes = making->load->nodes.rows;

    for (size_t i = 0; i < making->load->nodes.nr; i++) {
        struct bm_raw_node *words;
        struct bm_latest *latest;
        uint64_t missing;

        if (!nodes[i].benchmark)
            continue;
        words = words_of(making, &nodes[i]);
        latest = latest_of(making, nodes[i].benchmark);
        missing = missing_live(latest);
        if (missing == 0 || !can_miss(making, &nodes[i], latest, missing))
            continue;
        if (has_looked &&
            words->seen != raw_of(making, nodes[i].benchmark)->peak)
            continue;
        words->live += missing;
        latest->live += missing;
    }
}

/* What is held now was held: it raises a peak that a call has yet to set. */
static void raise_peaks(struct bm_making *making)
{
    struct bm_raw_benchmark *raw = making->load->benchmarks.rows.rows;

    for (size_t i = 0; i < making->load->benchmarks.rows.nr; i++) {
        const struct bm_latest *latest = &making->latest[i];
        const struct bm_raw_benchmark **best;

        if (latest->serial && (int64_t)latest->live > 0 &&
            latest->live > raw[i].peak) {
            raw[i].peak = latest->live;
            raw[i].peak_pass = latest->serial;
            raw[i].peak_ordinal = 0;
        }
        if (making->named.numbers[i] == 0)
            continue;
        making->begun[making->named.numbers[i] - 1] += raw[i].nr_passes;
        best = &making->best[making->named.numbers[i] - 1];
        if (!*best || raw[i].peak > (*best)->peak)
            *best = &raw[i];
    }
}

/* Where `seen` is the peak, at_peak was taken for it; else the pass tells. */
static void take_peak(const struct bm_raw_benchmark *raw,
                      const struct bm_raw_node *words,
                      struct bm_node_info *node)
{
    bool in_pass = words->pass == raw->peak_pass;

    if (words->seen == raw->peak)
        return;
    node->figures.at_peak_bytes = in_pass ? words->live : 0;
    node->figures.at_peak_blocks =
        in_pass ? bm_node_live_blocks(node) - words->before_blocks : 0;
}

/* From the words of the file to shares, and to the benchmark's number. */
static void share_out(struct bm_making *making)
{
    struct bm_node_info *nodes = making->load->nodes.rows;

    for (size_t i = 0; i < making->load->nodes.nr; i++) {
        struct bm_node_figures *figures = &nodes[i].figures;
        const struct bm_raw_benchmark *raw;
        const struct bm_raw_node *words;
        uint32_t number;

        if (!nodes[i].benchmark)
            continue;
        raw = raw_of(making, nodes[i].benchmark);
        words = words_of(making, &nodes[i]);
        number = making->named.numbers[raw_place(making, raw)];
        figures->rest = words->rest;
        if (making->best[number - 1] == raw)
            take_peak(raw, words, &nodes[i]);
        else
            figures->at_peak_bytes = figures->at_peak_blocks = 0;
        nodes[i].benchmark = number;
    }
}

/* ---- sites of one benchmark ---- */

static size_t count_sites(struct bm_making *making, size_t number)
{
    const struct bm_node_info *nodes = making->load->nodes.rows;
    const struct bm_site_info *sites = making->load->sites.rows.rows;
    size_t nr = 0;

    for (size_t i = making->nodes.starts[number];
         i < making->nodes.starts[number + 1]; i++) {
        const struct bm_node_info *node = &nodes[making->nodes.order[i]];
        size_t site = node->site - sites;

        if (making->owners[site] == number + 1 || bm_node_is_idle(node))
            continue;
        making->owners[site] = (uint32_t)number + 1;
        making->rows[site] = (uint32_t)nr++;
    }
    return nr;
}

static void add_nodes(struct bm_making *making, size_t number,
                      struct bm_benchmark_info *info)
{
    const struct bm_node_info *nodes = making->load->nodes.rows;
    const struct bm_site_info *sites = making->load->sites.rows.rows;

    for (size_t i = making->nodes.starts[number];
         i < making->nodes.starts[number + 1]; i++) {
        const struct bm_node_info *node = &nodes[making->nodes.order[i]];
        struct bm_bench_site *row =
            &info->sites[making->rows[node->site - sites]];

        if (bm_node_is_idle(node))
            continue;
        row->site = node->site;
        bm_figures_add_node(&row->figures, node);
        bm_figures_add_node(&info->figures, node);
    }
}

static void add_marks(struct bm_making *making, size_t number,
                      struct bm_benchmark_info *info)
{
    const struct bm_raw_mark *marks = making->load->marks.rows;
    const struct bm_site_info *sites = making->load->sites.rows.rows;

    for (size_t i = making->marks.starts[number];
         i < making->marks.starts[number + 1]; i++) {
        const struct bm_raw_mark *mark = &marks[making->marks.order[i]];
        const struct bm_site_info *site =
            bm_table_find(&making->load->sites, mark->site);

        if (site && making->owners[site - sites] == number + 1)
            bm_figures_mark(&info->sites[making->rows[site - sites]].figures,
                            mark->peak, mark->peak_ordinal,
                            info->figures.peak_bytes);
    }
    for (size_t i = 0; i < info->nr_sites; i++)
        bm_figures_mark(&info->sites[i].figures, 0, 0, 0);
}

/* As for the process; see bm_forget_early_frees. */
static void settle_negative(struct bm_making *making, size_t number,
                            struct bm_benchmark_info *info)
{
    struct bm_node_info *nodes = making->load->nodes.rows;
    const struct bm_site_info *sites = making->load->sites.rows.rows;
    size_t start = making->nodes.starts[number];
    size_t end = making->nodes.starts[number + 1];
    bool any = false;

    for (size_t i = 0; i < info->nr_sites; i++)
        any |= bm_figures_any_negative(&info->sites[i].figures);
    if (!any)
        return;
    for (size_t i = start; i < end; i++) {
        struct bm_node_info *node = &nodes[making->nodes.order[i]];
        size_t row = making->rows[node->site - sites];

        bm_forget_early_frees(node, &info->sites[row].figures);
        making->has_idle |= bm_node_is_idle(node);
    }
    for (size_t i = start; i < end; i++)
        making->owners[nodes[making->nodes.order[i]].site - sites] = 0;
    info->nr_sites = count_sites(making, number);
    info->figures = (struct bm_figures){0};
    memset(info->sites, 0, info->nr_sites * sizeof(*info->sites));
    add_nodes(making, number, info);
}

static bool make_sites(struct bm_making *making, size_t number,
                       struct bm_benchmark_info *info)
{
    size_t size;

    info->nr_sites = count_sites(making, number);
    size = info->nr_sites * sizeof(*info->sites);
    info->sites = bm_arena_take(making->load->arena, size);
    if (!info->sites)
        return false;
    memset(info->sites, 0, size);
    add_nodes(making, number, info);
    settle_negative(making, number, info);
    return true;
}

/* ---- all of them ---- */

/* Whether no thread can have been in a call when the counters were taken. */
static bool is_quiet(const struct bm_load *load)
{
    return load->profile->end == BM_END_STATUS && load->threads.rows.nr <= 1 &&
           !(load->profile->flags & BM_STATE_CUT);
}

/* A call is counted in its benchmark first. Of several runs, the process is
 * the first alone. */
static bool is_ahead(const struct bm_profile *profile,
                     const struct bm_benchmark_info *info)
{
    if (profile->flags & BM_STATE_RUNS)
        return false;
    for (size_t i = 0; i < info->nr_sites; i++) {
        const struct bm_figures *figures = &info->sites[i].figures;
        const struct bm_figures *process = &info->sites[i].site->figures;

        if (figures->allocations > process->allocations ||
            figures->allocated_bytes > process->allocated_bytes)
            return true;
    }
    return false;
}

static bool make_benchmark(struct bm_making *making, size_t number)
{
    struct bm_benchmark_info *info = &making->named.infos[number];
    struct bm_profile *profile = making->load->profile;
    unsigned lost = profile->flags & (BM_STATE_FILE_FULL | BM_STATE_CUT);
    struct bm_figures *figures = &info->figures;
    bool moved;

    if (!make_sites(making, number, info))
        return false;
    /* As for the process: calls that the nodes do not show have not been. */
    figures->peak_bytes = making->best[number]->peak;
    figures->peak_ordinal = making->best[number]->peak_ordinal;
    moved = figures->peak_bytes != figures->at_peak_bytes &&
            !is_quiet(making->load);
    if (moved) {
        figures->peak_bytes = figures->at_peak_bytes;
        figures->peak_ordinal = 0;
    }
    add_marks(making, number, info);
    if (!bm_make_passes(making, number, info))
        return false;
    moved |= !is_quiet(making->load) &&
             (bm_check_passes(info) || is_ahead(profile, info));
    if (moved && !lost)
        profile->flags |= BM_STATE_IN_FLIGHT;
    return true;
}

static bool make_groups(struct bm_making *making)
{
    struct bm_load *load = making->load;
    const uint32_t *numbers = making->named.numbers;
    size_t nr = making->named.nr;

    return bm_load_group(load, &load->nodes, numbers, nr, &making->nodes) &&
           bm_load_group(load, &load->marks, numbers, nr, &making->marks) &&
           bm_load_group(load, &load->passes, numbers, nr, &making->passes) &&
           bm_load_group(load, &load->more_passes, numbers, nr,
                         &making->more_passes);
}

static bool make_scratch(struct bm_making *making)
{
    size_t nr_raw = making->load->benchmarks.rows.nr;
    size_t nr_sites = making->load->sites.rows.nr;
    size_t nr = making->named.nr;

    making->latest = calloc(nr_raw, sizeof(*making->latest));
    making->best = calloc(nr + 1, sizeof(const struct bm_raw_benchmark *));
    making->begun = calloc(nr + 1, sizeof(*making->begun));
    making->owners = calloc(nr_sites + 1, sizeof(*making->owners));
    making->rows = calloc(nr_sites + 1, sizeof(*making->rows));
    return making->latest && making->best && making->begun && making->owners &&
           making->rows;
}

static void clear(struct bm_making *making)
{
    bm_groups_clear(&making->nodes);
    bm_groups_clear(&making->marks);
    bm_groups_clear(&making->passes);
    bm_groups_clear(&making->more_passes);
    free(making->latest);
    free(making->best);
    free(making->begun);
    free(making->owners);
    free(making->rows);
    free(making->named.numbers);
}

/* For what is worked out later. */
static void tell_numbers(struct bm_making *making)
{
    struct bm_raw_benchmark *raw = making->load->benchmarks.rows.rows;

    for (size_t i = 0;
         making->named.numbers && i < making->load->benchmarks.rows.nr; i++)
        raw[i].number = making->named.numbers[i];
}

bool bm_load_benchmarks(struct bm_load *load)
{
    struct bm_making making = {.load = load};
    bool ok;

    if (load->benchmarks.rows.nr == 0)
        return true;
    ok = bm_load_ids(load, &making.named) && make_scratch(&making) &&
         make_groups(&making);
    if (ok) {
        find_latest(&making);
        find_ended(&making);
        settle_live(&making, true);
        settle_live(&making, false);
        raise_peaks(&making);
        share_out(&making);
    }
    ok = ok && bm_make_declared(&making);
    for (size_t i = 0; ok && i < making.named.nr; i++)
        ok = make_benchmark(&making, i);
    if (making.has_idle)
        bm_load_drop_idle(load);
    /* The profile's, also after a failure. */
    load->profile->benchmarks = making.named.infos;
    load->profile->nr_benchmarks = making.named.nr;
    tell_numbers(&making);
    clear(&making);
    return ok || bm_load_fail_memory(load);
}
