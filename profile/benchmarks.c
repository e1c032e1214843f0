/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Benchmarks: their passes, and their sites' figures over all passes. As in
 * figures.c, a process may have ended or been read inside a call; where that
 * was inside a pass, the pass is completed from what the nodes show.
 */
#include "figures.h"
#include "load.h"

#include <stdlib.h>
#include <string.h>

/* What the nodes of a raw benchmark say of its latest pass. */
struct latest {
    uint64_t serial;
    uint64_t live;
};

/* While benchmarks are put together. */
struct making {
    struct bm_load *load;
    struct bm_named named;
    struct latest *latest;                /* of each raw benchmark */
    const struct bm_raw_benchmark **best; /* of the largest peak, by number */
    uint64_t *begun;                      /* passes, by number */
    struct bm_groups nodes, marks, passes, more_passes;
    uint32_t *owners; /* of each site: 1 plus the number it was last used by */
    uint32_t *rows;   /* and its row there */
};

static struct bm_raw_benchmark *raw_of(const struct making *making,
                                       size_t benchmark)
{
    return bm_table_find(&making->load->benchmarks, benchmark);
}

static size_t raw_place(const struct making *making,
                        const struct bm_raw_benchmark *raw)
{
    const struct bm_raw_benchmark *first = making->load->benchmarks.rows.rows;

    return (size_t)(raw - first);
}

/* ---- nodes ---- */

static void find_latest(struct making *making)
{
    const struct bm_node_info *nodes = making->load->nodes.rows;

    for (size_t i = 0; i < making->load->nodes.nr; i++) {
        uint64_t pass = nodes[i].figures.peak_bytes; /* see load.h */
        struct latest *latest;

        if (!nodes[i].benchmark)
            continue;
        latest = &making->latest[raw_place(making,
                                           raw_of(making, nodes[i].benchmark))];
        if (pass > latest->serial)
            *latest = (struct latest){.serial = pass};
        if (pass == latest->serial)
            latest->live += (uint64_t)nodes[i].live_share;
    }
}

/* What is held now was held: it raises a peak that a call has yet to set. */
static void raise_peaks(struct making *making)
{
    struct bm_raw_benchmark *raw = making->load->benchmarks.rows.rows;

    for (size_t i = 0; i < making->load->benchmarks.rows.nr; i++) {
        const struct latest *latest = &making->latest[i];
        const struct bm_raw_benchmark **best;

        if (latest->serial && (int64_t)latest->live > 0 &&
            latest->live > raw[i].peak) {
            raw[i].peak = latest->live;
            raw[i].peak_pass = latest->serial;
        }
        if (making->named.numbers[i] == 0)
            continue;
        making->begun[making->named.numbers[i] - 1] += raw[i].nr_passes;
        best = &making->best[making->named.numbers[i] - 1];
        if (!*best || raw[i].peak > (*best)->peak)
            *best = &raw[i];
    }
}

static uint64_t at_peak_of(const struct bm_raw_benchmark *raw,
                           const struct bm_node_info *node)
{
    uint64_t pass = node->figures.peak_bytes;    /* see load.h */
    uint64_t seen = node->figures.at_peak_bytes; /* see load.h */

    if (seen == raw->peak)
        return (uint64_t)node->at_peak_share;
    return pass == raw->peak_pass ? (uint64_t)node->live_share : 0;
}

/* From the words of the file to shares, and to the benchmark's number. */
static void share_out(struct making *making)
{
    struct bm_node_info *nodes = making->load->nodes.rows;

    for (size_t i = 0; i < making->load->nodes.nr; i++) {
        struct bm_figures *figures = &nodes[i].figures;
        const struct bm_raw_benchmark *raw;
        uint32_t number;

        if (!nodes[i].benchmark)
            continue;
        raw = raw_of(making, nodes[i].benchmark);
        number = making->named.numbers[raw_place(making, raw)];
        figures->at_peak_bytes =
            making->best[number - 1] == raw ? at_peak_of(raw, &nodes[i]) : 0;
        figures->peak_bytes = 0;
        figures->live_bytes = bm_figures_held(figures);
        figures->live_blocks = bm_figures_held_blocks(figures);
        nodes[i].at_peak_share = (int64_t)figures->at_peak_bytes;
        nodes[i].live_share = (int64_t)figures->live_bytes;
        nodes[i].benchmark = number;
    }
}

/* ---- sites of one benchmark ---- */

static size_t count_sites(struct making *making, size_t number)
{
    const struct bm_node_info *nodes = making->load->nodes.rows;
    const struct bm_site_info *sites = making->load->sites.rows.rows;
    size_t nr = 0;

    for (size_t i = making->nodes.starts[number];
         i < making->nodes.starts[number + 1]; i++) {
        size_t site = nodes[making->nodes.order[i]].site - sites;

        if (making->owners[site] == number + 1)
            continue;
        making->owners[site] = (uint32_t)number + 1;
        making->rows[site] = (uint32_t)nr++;
    }
    return nr;
}

static void add_nodes(struct making *making, size_t number,
                      struct bm_benchmark_info *info)
{
    const struct bm_node_info *nodes = making->load->nodes.rows;
    const struct bm_site_info *sites = making->load->sites.rows.rows;

    for (size_t i = making->nodes.starts[number];
         i < making->nodes.starts[number + 1]; i++) {
        const struct bm_node_info *node = &nodes[making->nodes.order[i]];
        struct bm_bench_site *row =
            &info->sites[making->rows[node->site - sites]];

        row->site = node->site;
        bm_figures_add(&row->figures, &node->figures);
        bm_figures_add(&info->figures, &node->figures);
    }
}

static void add_marks(struct making *making, size_t number,
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
                            mark->peak, info->figures.peak_bytes);
    }
    for (size_t i = 0; i < info->nr_sites; i++)
        bm_figures_mark(&info->sites[i].figures, 0, 0);
}

static bool make_sites(struct making *making, size_t number,
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
    return true;
}

/* ---- passes of one benchmark ---- */

static int compare_passes(const void *left, const void *right)
{
    const struct bm_raw_pass *a = *(struct bm_raw_pass *const *)left;
    const struct bm_raw_pass *b = *(struct bm_raw_pass *const *)right;

    if (a->serial != b->serial)
        return a->serial < b->serial ? -1 : 1;
    return (a > b) - (a < b);
}

static void add_range(struct bm_range *sum, const struct bm_range *more,
                      bool first)
{
    if (first || more->min < sum->min)
        sum->min = more->min;
    if (first || more->max > sum->max)
        sum->max = more->max;
    sum->sum += more->sum;
}

static void add_more(struct bm_benchmark_info *info,
                     const struct bm_raw_passes *raw)
{
    bool first = info->nr_more_passes == 0;

    if (raw->count == 0)
        return;
    info->nr_more_passes += raw->count;
    add_range(&info->more_peak, &raw->peak, first);
    add_range(&info->more_allocated, &raw->allocated, first);
    add_range(&info->more_allocations, &raw->allocations, first);
    add_range(&info->more_retained, &raw->retained, first);
}

/* What the passes do not account for; nothing if they say more. */
static struct bm_pass_info rest_of(const struct bm_benchmark_info *info,
                                   const struct bm_pass_info *but)
{
    struct bm_pass_info sum = {
        .allocated_bytes = info->more_allocated.sum,
        .allocations = info->more_allocations.sum,
        .retained_bytes = info->more_retained.sum,
    };

    for (size_t i = 0; i < info->nr_passes; i++) {
        const struct bm_pass_info *pass = &info->passes[i];

        if (pass == but)
            continue;
        sum.allocated_bytes += pass->allocated_bytes;
        sum.allocations += pass->allocations;
        sum.retained_bytes += pass->retained_bytes;
    }
#define REST(whole, field) sum.field = whole > sum.field ? whole - sum.field : 0
    REST(info->figures.allocated_bytes, allocated_bytes);
    REST(info->figures.allocations, allocations);
    REST(info->figures.live_bytes, retained_bytes);
#undef REST
    return sum;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* A pass that the process ended in, from what no other pass accounts for. */
static void complete_open(const struct bm_benchmark_info *info,
                          struct bm_pass_info *pass, bool set_peak)
{
    struct bm_pass_info rest = rest_of(info, pass);

    pass->allocated_bytes = rest.allocated_bytes;
    pass->allocations = rest.allocations;
    pass->retained_bytes = rest.retained_bytes;
    pass->peak_bytes = most(pass->peak_bytes, rest.retained_bytes);
    pass->peak_bytes = set_peak
                           ? info->figures.peak_bytes
                           : least(pass->peak_bytes, info->figures.peak_bytes);
}

/* The same for one that has no record of its own any more. */
static void add_unrecorded(struct bm_benchmark_info *info)
{
    struct bm_pass_info rest = rest_of(info, NULL);
    uint64_t peak = info->more_peak.max;

    for (size_t i = 0; i < info->nr_passes; i++)
        peak = most(peak, info->passes[i].peak_bytes);
    /* Who set the peak, if none of the others has. */
    peak = peak < info->figures.peak_bytes ? info->figures.peak_bytes
                                           : rest.retained_bytes;
#define ALONE(value) {value, value, value}
    add_more(info, &(struct bm_raw_passes){
                       .count = 1,
                       .peak = ALONE(peak),
                       .allocated = ALONE(rest.allocated_bytes),
                       .allocations = ALONE(rest.allocations),
                       .retained = ALONE(rest.retained_bytes),
                   });
#undef ALONE
}

static const struct bm_raw_pass **sorted_passes(const struct making *making,
                                                size_t number, size_t *nr)
{
    const struct bm_raw_pass *rows = making->load->passes.rows;
    const uint32_t *order =
        &making->passes.order[making->passes.starts[number]];
    const struct bm_raw_pass **sorted;

    *nr = making->passes.starts[number + 1] - making->passes.starts[number];
    sorted = calloc(*nr + 1, sizeof(const struct bm_raw_pass *));
    for (size_t i = 0; sorted && i < *nr; i++)
        sorted[i] = &rows[order[i]];
    if (sorted)
        qsort(sorted, *nr, sizeof(*sorted), compare_passes);
    return sorted;
}

static bool make_passes(struct making *making, size_t number,
                        struct bm_benchmark_info *info)
{
    const struct bm_raw_passes *more = making->load->more_passes.rows;
    const uint32_t *starts = making->more_passes.starts;
    const struct bm_raw_pass **sorted;

    sorted = sorted_passes(making, number, &info->nr_passes);
    info->passes = bm_arena_take(making->load->arena,
                                 info->nr_passes * sizeof(*info->passes));
    if (sorted && info->passes) {
        for (size_t i = 0; i < info->nr_passes; i++)
            info->passes[i] = sorted[i]->pass;
        for (size_t i = starts[number]; i < starts[number + 1]; i++)
            add_more(info, &more[making->more_passes.order[i]]);
        for (size_t i = 0; i < info->nr_passes; i++)
            if (info->passes[i].open)
                complete_open(info, &info->passes[i],
                              sorted[i]->serial ==
                                  making->best[number]->peak_pass);
        if (making->begun[number] == info->nr_passes + info->nr_more_passes + 1)
            add_unrecorded(info);
    }
    free(sorted);
    return sorted && info->passes;
}

/* Counted as begun, without or with an open record. */
static bool has_open_pass(const struct making *making, size_t number)
{
    const struct bm_raw_pass *rows = making->load->passes.rows;
    const struct bm_raw_passes *more = making->load->more_passes.rows;
    const struct bm_groups *passes = &making->passes;
    const struct bm_groups *ended = &making->more_passes;
    uint64_t nr = passes->starts[number + 1] - passes->starts[number];

    for (size_t i = passes->starts[number]; i < passes->starts[number + 1]; i++)
        if (rows[passes->order[i]].pass.open)
            return true;
    for (size_t i = ended->starts[number]; i < ended->starts[number + 1]; i++)
        nr += more[ended->order[i]].count;
    return making->begun[number] > nr;
}

/* ---- all of them ---- */

static bool make_benchmark(struct making *making, size_t number)
{
    struct bm_benchmark_info *info = &making->named.infos[number];
    unsigned unsettled = BM_STATE_IN_FLIGHT | BM_STATE_CUT;
    struct bm_figures *figures = &info->figures;

    if (!make_sites(making, number, info))
        return false;
    /* As for the process: calls that the nodes do not show have not been. */
    figures->peak_bytes = making->best[number]->peak;
    if ((making->load->profile->flags & unsettled) ||
        has_open_pass(making, number))
        figures->peak_bytes = figures->at_peak_bytes;
    add_marks(making, number, info);
    return make_passes(making, number, info);
}

static bool make_groups(struct making *making)
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

static bool make_scratch(struct making *making)
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

static void clear(struct making *making)
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

bool bm_load_benchmarks(struct bm_load *load)
{
    struct making making = {.load = load};
    bool ok;

    if (load->benchmarks.rows.nr == 0)
        return true;
    ok = bm_load_ids(load, &making.named) && make_scratch(&making) &&
         make_groups(&making);
    if (ok) {
        find_latest(&making);
        raise_peaks(&making);
        share_out(&making);
    }
    for (size_t i = 0; ok && i < making.named.nr; i++)
        ok = make_benchmark(&making, i);
    /* The profile's, also after a failure. */
    load->profile->benchmarks = making.named.infos;
    load->profile->nr_benchmarks = making.named.nr;
    clear(&making);
    return ok || bm_load_fail_memory(load);
}
