/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The identities of docs/metrics.md, in its order. */
#include "figures.h"
#include "profile.h"

#include <stdlib.h>

/* ---- one set of figures ---- */

static const char *check_figures(const struct bm_figures *figures)
{
    if (bm_figures_held_blocks(figures) != figures->live_blocks)
        return "allocations + inherited blocks - frees = live blocks";
    if (bm_figures_held(figures) != figures->live_bytes)
        return "allocated + inherited bytes - freed bytes = live bytes";
    if ((int64_t)figures->live_blocks < 0 || (int64_t)figures->live_bytes < 0 ||
        (int64_t)figures->at_peak_bytes < 0 ||
        (int64_t)figures->at_peak_blocks < 0)
        return "nothing is negative";
    if (figures->peak_bytes < figures->at_peak_bytes)
        return "peak >= at_peak";
    if (figures->peak_bytes >
        figures->allocated_bytes + figures->inherited_bytes)
        return "peak <= allocated + inherited bytes";
    return NULL;
}

static const char *check_access(const struct bm_access *a)
{
    uint64_t judged = a->bytes - a->escaped_bytes;

    if (a->escaped_bytes > a->bytes)
        return "unseen <= followed bytes";
    if (a->untouched_bytes > a->never_written_bytes)
        return "untouched <= never written";
    if (a->never_written_bytes + a->never_read_bytes > judged)
        return "never written + never read <= seen bytes";
    if (a->idle_bytes > judged || a->reached_bytes > judged)
        return "idle, reached <= seen bytes";
    return NULL;
}

/* Words that one call writes one after the other agree. */
static bool is_settled(const struct bm_profile *p)
{
    return p->end == BM_END_STATUS && !(p->flags & BM_STATE_IN_FLIGHT);
}

/* Everything that adds up. */
static bool same_sums(const struct bm_figures *a, const struct bm_figures *b)
{
    return a->allocations == b->allocations && a->frees == b->frees &&
           a->allocated_bytes == b->allocated_bytes &&
           a->freed_bytes == b->freed_bytes &&
           a->at_peak_bytes == b->at_peak_bytes &&
           a->live_bytes == b->live_bytes && a->live_blocks == b->live_blocks &&
           a->temporary == b->temporary &&
           a->inherited_bytes == b->inherited_bytes &&
           a->inherited_blocks == b->inherited_blocks &&
           a->at_peak_blocks == b->at_peak_blocks;
}

static bool is_idle(const struct bm_figures *figures)
{
    static const struct bm_figures none;

    return same_sums(figures, &none) && figures->peak_bytes == 0;
}

/* ---- the process ---- */

static const char *check_sites(const struct bm_profile *p)
{
    struct bm_figures sum = {0};
    const char *broken = NULL;

    for (size_t i = 0; i < p->nr_sites && !broken; i++) {
        const struct bm_figures *figures = &p->sites[i].figures;

        broken = check_figures(figures);
        if (!broken)
            broken = check_access(bm_access_of(figures));
        if (!broken && figures->peak_bytes < figures->live_bytes)
            broken = "peak >= live";
        if (!broken && figures->peak_bytes > p->totals.peak_bytes)
            broken = "a site's peak <= the peak";
        if (!broken && figures->saves_bytes > figures->at_peak_bytes)
            broken = "saves <= at_peak";
        if (!broken && is_settled(p) && figures->temporary > figures->frees)
            broken = "temporary <= frees";
        if (!broken && p->sites[i].elided && !is_idle(figures))
            broken = "an elided site allocates nothing";
        bm_figures_add(&sum, figures);
    }
    if (!broken && !same_sums(&sum, &p->totals))
        broken = "sites sum to totals";
    return broken;
}

static const char *check_totals(const struct bm_profile *p)
{
    const char *broken = check_figures(&p->totals);

    if (!broken && p->totals.at_peak_bytes != p->totals.peak_bytes)
        broken = "at_peak sums to peak";
    if (!broken && p->totals.peak_bytes < p->totals.live_bytes)
        broken = "peak >= live";
    return broken;
}

/* ---- nodes ---- */

/* What the nodes of one site or path add up to. */
static struct bm_figures *sum_nodes(const struct bm_profile *p, bool by_path)
{
    size_t nr = by_path ? p->nr_paths : p->nr_sites;
    struct bm_figures *sums = calloc(nr + 1, sizeof(*sums));

    for (size_t i = 0; sums && i < p->nr_nodes; i++) {
        const struct bm_node_info *node = &p->nodes[i];

        if (node->benchmark || (by_path && !node->path))
            continue;
        bm_figures_add_node(
            &sums[by_path ? node->path - p->paths : node->site - p->sites],
            node);
    }
    return sums;
}

static const char out_of_memory[] = "out of memory";

static const char *check_nodes(const struct bm_profile *p)
{
    struct bm_figures *sums = sum_nodes(p, false);
    const char *broken = sums ? NULL : out_of_memory;

    for (size_t i = 0; i < p->nr_sites && !broken; i++)
        if (!same_sums(&sums[i], &p->sites[i].figures))
            broken = "nodes sum to their site";
    for (size_t i = 0; i < p->nr_nodes && !broken; i++) {
        const struct bm_path_info *path = p->nodes[i].path;

        if (path && path->site != p->nodes[i].site)
            broken = "a path ends at its site";
    }
    free(sums);
    return broken;
}

/* A caller's figures hold those of all that it called. */
static const char *check_paths(const struct bm_profile *p)
{
    struct bm_figures *own = sum_nodes(p, true);
    struct bm_figures *all = sum_nodes(p, true);
    const char *broken = own && all ? NULL : out_of_memory;

    for (size_t i = p->nr_paths; i > 0 && !broken; i--) {
        const struct bm_path_info *path = &p->paths[i - 1];

        if (path->outer && path->outer >= path)
            broken = "a path comes after its caller's";
        else if (path->outer)
            bm_figures_add(&all[path->outer - p->paths], &all[i - 1]);
    }
    for (size_t i = 0; i < p->nr_paths && !broken; i++) {
        if (check_figures(&(struct bm_figures){
                .peak_bytes = own[i].at_peak_bytes,
                .allocations = own[i].allocations,
                .frees = own[i].frees,
                .allocated_bytes = own[i].allocated_bytes,
                .freed_bytes = own[i].freed_bytes,
                .inherited_bytes = own[i].inherited_bytes,
                .inherited_blocks = own[i].inherited_blocks,
                .live_bytes = own[i].live_bytes,
                .live_blocks = own[i].live_blocks,
            }))
            broken = "a path's own figures are not negative";
        if (own[i].allocated_bytes > all[i].allocated_bytes ||
            own[i].at_peak_bytes > all[i].at_peak_bytes ||
            own[i].live_bytes > all[i].live_bytes)
            broken = "own <= inclusive";
    }
    free(own);
    free(all);
    return broken;
}

/* ---- processes of a profile that was put together ---- */

static const char *check_process(const struct bm_process_info *info)
{
    struct bm_figures sum = {0};
    const char *broken = check_figures(&info->totals);

    for (size_t i = 0; i < info->nr_sites && !broken; i++) {
        const struct bm_figures *figures = &info->sites[i].figures;

        broken = check_figures(figures);
        if (!broken && figures->peak_bytes > info->totals.peak_bytes)
            broken = "a site's peak <= its process's";
        bm_figures_add(&sum, figures);
    }
    if (!broken && info->counted && !same_sums(&sum, &info->totals))
        broken = "sites sum to their process";
    return broken;
}

static const char *check_processes(const struct bm_profile *p)
{
    struct bm_figures sum = {0};
    const char *broken = NULL;

    for (size_t i = 0; i < p->nr_processes && !broken; i++) {
        broken = check_process(&p->processes[i]);
        if (!p->processes[i].counted)
            continue;
        bm_figures_add(&sum, &p->processes[i].totals);
        sum.peak_bytes += p->processes[i].totals.peak_bytes;
    }
    if (broken || !p->nr_processes || (p->flags & BM_STATE_CUT))
        return broken;
    if (!same_sums(&sum, &p->totals))
        return "processes sum to totals";
    return sum.peak_bytes == p->totals.peak_bytes
               ? NULL
               : "the peaks of processes sum to the upper bound";
}

/* ---- benchmarks ---- */

static void add_pass(struct bm_pass_info *sum, const struct bm_pass_info *pass)
{
    sum->allocated_bytes += pass->allocated_bytes;
    sum->allocations += pass->allocations;
    sum->retained_bytes += pass->retained_bytes;
    if (pass->peak_bytes > sum->peak_bytes)
        sum->peak_bytes = pass->peak_bytes;
}

static bool is_possible(const struct bm_pass_info *pass)
{
    return pass->retained_bytes <= pass->peak_bytes &&
           pass->peak_bytes <= pass->allocated_bytes;
}

const char *bm_check_passes(const struct bm_benchmark_info *info)
{
    struct bm_pass_info sum = {
        .peak_bytes = info->more_peak.max,
        .allocated_bytes = info->more_allocated.sum,
        .allocations = info->more_allocations.sum,
        .retained_bytes = info->more_retained.sum,
    };
    const struct bm_figures *figures = &info->figures;

    for (size_t i = 0; i < info->nr_passes; i++) {
        if (!is_possible(&info->passes[i]))
            return "retained <= peak <= allocated in each pass";
        add_pass(&sum, &info->passes[i]);
    }
    if (sum.allocated_bytes != figures->allocated_bytes ||
        sum.allocations != figures->allocations)
        return "passes sum to their benchmark";
    if (sum.retained_bytes != figures->live_bytes)
        return "retained of the passes sums to live of the benchmark";
    if (sum.peak_bytes != figures->peak_bytes)
        return "the largest peak of the passes is the benchmark's";
    return NULL;
}

static bool is_range(const struct bm_range *range, uint64_t nr)
{
    if (nr == 0)
        return range->min == 0 && range->max == 0 && range->sum == 0;
    return range->min <= range->max && range->max <= range->sum &&
           range->sum / nr <= range->max && range->min <= range->sum / nr;
}

/*
 * A file that could not grow has lost passes, and says so. With threads in
 * the middle of calls, a pass can have ended with one that its nodes do not
 * show yet.
 */
static bool has_all_passes(const struct bm_profile *p)
{
    if (p->flags & (BM_STATE_FILE_FULL | BM_STATE_CUT))
        return false;
    return !(p->flags & BM_STATE_IN_FLIGHT) || p->nr_threads <= 1;
}

static const char *check_benchmark(const struct bm_profile *p,
                                   const struct bm_benchmark_info *info)
{
    struct bm_figures sum = {0};
    const char *broken = check_figures(&info->figures);

    if (!broken && info->figures.at_peak_bytes != info->figures.peak_bytes)
        broken = "at_peak sums to peak in a benchmark";
    for (size_t i = 0; i < info->nr_sites && !broken; i++) {
        const struct bm_figures *figures = &info->sites[i].figures;
        const struct bm_figures *process = &info->sites[i].site->figures;

        broken = check_figures(figures);
        if (!broken && figures->saves_bytes > figures->at_peak_bytes)
            broken = "saves <= at_peak in a benchmark";
        /* Of several runs, the process is the first alone. */
        if (!broken && is_settled(p) && !(p->flags & BM_STATE_RUNS) &&
            (figures->allocations > process->allocations ||
             figures->allocated_bytes > process->allocated_bytes))
            broken = "a benchmark's site <= the process's";
        bm_figures_add(&sum, figures);
    }
    if (!broken && !same_sums(&sum, &info->figures))
        broken = "sites sum to their benchmark";
    if (!broken && (!is_range(&info->more_peak, info->nr_more_passes) ||
                    !is_range(&info->more_allocated, info->nr_more_passes) ||
                    !is_range(&info->more_allocations, info->nr_more_passes) ||
                    !is_range(&info->more_retained, info->nr_more_passes)))
        broken = "minimum <= mean <= maximum of further passes";
    if (!broken && has_all_passes(p))
        broken = bm_check_passes(info);
    return broken;
}

const char *bm_profile_check(const struct bm_profile *profile)
{
    const char *broken = check_sites(profile);

    if (!broken)
        broken = check_totals(profile);
    if (!broken)
        broken = check_nodes(profile);
    if (!broken)
        broken = check_paths(profile);
    if (!broken)
        broken = check_processes(profile);
    for (size_t i = 0; i < profile->nr_benchmarks && !broken; i++)
        broken = check_benchmark(profile, &profile->benchmarks[i]);
    if (!broken && profile->complete && profile->nr_threads == 1 &&
        profile->end == BM_END_STATUS && (profile->flags & BM_STATE_IN_FLIGHT))
        broken = "one thread that exits is in no call";
    return broken;
}
