/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/merging_state.h"

#include "profile/figures.h"

#include <string.h>

/* ---- what is said of all ---- */

/* text, if all profiles have it in common, else NULL. */
static const char *common(const char *text, const char *other)
{
    return text && other && strcmp(text, other) == 0 ? text : NULL;
}

/* The end of a job is the worst of its processes': a signal, then a status. */
static bool is_worse(const struct bm_profile *a, const struct bm_profile *b)
{
    static const int rank[] = {
        [BM_END_STATUS] = 0,
        [BM_END_EXEC] = 2,
        [BM_END_UNKNOWN] = 3,
        [BM_END_SIGNAL] = 4,
    };
    int of_a = rank[a->end] + (a->end == BM_END_STATUS && a->end_value);
    int of_b = rank[b->end] + (b->end == BM_END_STATUS && b->end_value);

    return of_a > of_b;
}

static void put_state(struct bm_merger *merger,
                      const struct bm_profile *const *profiles, size_t nr)
{
    const struct bm_profile *worst = profiles[0];
    uint64_t flags = 0;

    for (size_t i = 0; i < nr; i++) {
        flags |= profiles[i]->flags;
        if (is_worse(profiles[i], worst))
            worst = profiles[i];
    }
    if (merger->kind == BM_MERGING_RUNS)
        worst = profiles[0];
    uint64_t state[BM_NR_WORDS_state] = {
        [BM_STATE_end_kind] = worst->end,
        [BM_STATE_end_value] = worst->end_value,
        [BM_STATE_flags] =
            flags |
            (merger->kind == BM_MERGING_RUNS ? BM_STATE_RUNS : BM_STATE_MERGED),
    };
    BM_PUT(merger, state, .state = BM_PUT_WORDS(state));
}

static bool is_new_note(const struct bm_profile *const *profiles, size_t nr,
                        const char *note)
{
    for (size_t i = 0; i < nr; i++)
        for (size_t n = 0; n < profiles[i]->nr_notes; n++)
            if (strcmp(profiles[i]->notes[n], note) == 0)
                return false;
    return true;
}

static bool loses_saves(const struct bm_merger *merger,
                        const struct bm_profile *const *profiles, size_t nr)
{
    for (size_t i = 0; i < nr; i++)
        if (merger->kind == BM_MERGING_PROCESSES &&
            bm_profile_has_savings(profiles[i], 0))
            return true;
    return false;
}

static void put_ledger(struct bm_merger *merger,
                       const struct bm_profile *const *profiles, size_t nr)
{
    size_t nr_counted = merger->kind == BM_MERGING_RUNS ? 1 : nr;
    uint64_t live = 0;

    for (size_t i = 0; i < nr_counted; i++) {
        live += profiles[i]->totals.live_bytes;
        merger->peak += profiles[i]->totals.peak_bytes;
    }
    uint64_t words[BM_NR_WORDS_ledger] = {
        [BM_LEDGER_live] = live,
        [BM_LEDGER_peak] = merger->peak,
        [BM_LEDGER_peak_ordinal] = merger->kind == BM_MERGING_RUNS || nr == 1
                                       ? profiles[0]->totals.peak_ordinal
                                       : 0,
        [BM_LEDGER_saves] = merger->kind == BM_MERGING_RUNS &&
                            bm_profile_has_savings(profiles[0], 0),
    };
    BM_PUT(merger, ledger, .ledger = BM_PUT_WORDS(words));
}

void bm_merger_put_head(struct bm_merger *merger,
                        const struct bm_profile *const *profiles, size_t nr,
                        const char *who)
{
    const struct bm_profile *p = profiles[0];
    const char *host = p->host, *options = p->options;
    uint64_t start = p->start_ns;

    for (size_t i = 1; i < nr; i++) {
        host = common(host, profiles[i]->host);
        options = common(options, profiles[i]->options);
        if (profiles[i]->start_ns < start)
            start = profiles[i]->start_ns;
    }
    BM_PUT(merger, head, .magic = bm_put_text(BM_PROFILE_MAGIC),
           .schema_version = BM_SCHEMA_VERSION, .writer = bm_put_text(who),
           .program = bm_put_text(p->program), .cwd = bm_put_text(p->cwd),
           .host = bm_put_text(host), .pid = p->pid, .start_ns = start,
           .options = bm_put_text(options),
           .rank =
               bm_put_text(merger->kind == BM_MERGING_RUNS ? p->rank : NULL));
    for (size_t i = 0; i < p->nr_arguments; i++)
        BM_PUT(merger, argument, .text = bm_put_text(p->arguments[i]));
    put_state(merger, profiles, nr);
    for (size_t i = 0; i < nr; i++)
        for (size_t n = 0; n < profiles[i]->nr_notes; n++)
            if (is_new_note(profiles, i, profiles[i]->notes[n]))
                BM_PUT(merger, note,
                       .text = bm_put_text(profiles[i]->notes[n]));
    if (loses_saves(merger, profiles, nr))
        BM_PUT(merger, note,
               .text = bm_put_text("what the peaks of the processes fall by "
                                   "(saves) is in their own profiles: there is "
                                   "no sum of it"));
    put_ledger(merger, profiles, nr);
}

/* ---- threads and processes ---- */

static bool has_node_without_thread(const struct bm_profile *p)
{
    for (size_t i = 0; i < p->nr_nodes; i++)
        if (!p->nodes[i].thread)
            return true;
    return false;
}

void bm_merger_put_threads(struct bm_merger *merger, const struct bm_profile *p,
                           bool counted)
{
    uint64_t words[BM_NR_WORDS_thread] = {
        [BM_THREAD_unknown_frees] = p->unknown_frees,
        [BM_THREAD_failed_allocations] = p->failed_allocations,
        [BM_THREAD_dropped] = p->dropped,
    };

    memcpy(&words[BM_THREAD_sizes_0], p->sizes, sizeof(p->sizes));

    merger->first_thread = merger->nr_threads + 1;
    for (size_t i = 0; i < p->nr_threads; i++)
        BM_PUT(merger, thread, .index = ++merger->nr_threads,
               .tid = p->threads[i].tid,
               .name = bm_put_text(p->threads[i].name));
    /* What no thread is known of is its process's all the same. */
    if (has_node_without_thread(p))
        BM_PUT(merger, thread, .index = ++merger->nr_threads);
    if (counted)
        BM_PUT(merger, thread, .thread = BM_PUT_WORDS(words));
}

/* The process of a profile that has only one. */
static struct bm_process_info process_of(const struct bm_profile *p)
{
    return (struct bm_process_info){
        .program = p->program,
        .cwd = p->cwd,
        .host = p->host,
        .rank = p->rank,
        .pid = p->pid,
        .parent_pid = p->parent_pid,
        .start_ns = p->start_ns,
        .arguments = p->arguments,
        .nr_arguments = p->nr_arguments,
        .end = p->end,
        .end_value = p->end_value,
        .flags = p->flags,
        .counted = true,
        .totals = p->totals,
        .unknown_frees = p->unknown_frees,
        .failed_allocations = p->failed_allocations,
        .dropped = p->dropped,
    };
}

static void put_process(struct bm_merger *merger,
                        const struct bm_process_info *info,
                        uint64_t first_thread, uint64_t nr_threads,
                        bool counted)
{
    const struct bm_figures *totals = &info->totals;
    uint64_t index = ++merger->nr_processes;
    uint64_t words[BM_NR_WORDS_process] = {
        [BM_PROCESS_end_kind] = info->end,
        [BM_PROCESS_end_value] = info->end_value,
        [BM_PROCESS_flags] = info->flags,
        [BM_PROCESS_unknown_frees] = info->unknown_frees,
        [BM_PROCESS_failed_allocations] = info->failed_allocations,
        [BM_PROCESS_dropped] = info->dropped,
        [BM_PROCESS_counted] = counted && info->counted,
        [BM_PROCESS_allocations] = totals->allocations,
        [BM_PROCESS_frees] = totals->frees,
        [BM_PROCESS_allocated] = totals->allocated_bytes,
        [BM_PROCESS_freed] = totals->freed_bytes,
        [BM_PROCESS_peak] = totals->peak_bytes,
        [BM_PROCESS_temporary] = totals->temporary,
        [BM_PROCESS_inherited_blocks] = totals->inherited_blocks,
        [BM_PROCESS_inherited_bytes] = totals->inherited_bytes,
    };

    BM_PUT(merger, process, .index = index,
           .program = bm_put_text(info->program), .cwd = bm_put_text(info->cwd),
           .host = bm_put_text(info->host), .pid = info->pid,
           .parent_pid = info->parent_pid, .start_ns = info->start_ns,
           .rank = bm_put_text(info->rank), .first_thread = first_thread,
           .nr_threads = nr_threads, .process = BM_PUT_WORDS(words));
    for (size_t i = 0; i < info->nr_arguments; i++)
        BM_PUT(merger, argument, .text = bm_put_text(info->arguments[i]),
               .process = index);
}

static void put_process_mark(struct bm_merger *merger, uint64_t site,
                             const struct bm_figures *figures)
{
    if (figures->peak_bytes > figures->at_peak_bytes &&
        figures->peak_bytes > figures->live_bytes)
        BM_PUT(merger, process_mark, .process = merger->nr_processes,
               .site = site, .peak = figures->peak_bytes);
}

static uint64_t threads_of(const struct bm_profile *p,
                           const struct bm_process_info *info, size_t *first)
{
    uint64_t nr = 0;

    for (size_t i = 0; i < p->nr_threads; i++)
        if (p->threads[i].process == info) {
            *first = nr ? *first : i;
            nr++;
        }
    return nr;
}

void bm_merger_put_processes(struct bm_merger *merger,
                             const struct bm_profile *p, bool counted)
{
    if (!p->nr_processes) {
        struct bm_process_info info = process_of(p);

        put_process(merger, &info, merger->first_thread,
                    merger->nr_threads - merger->first_thread + 1, counted);
        for (size_t i = 0; counted && i < p->nr_sites; i++)
            put_process_mark(merger, merger->sites[i], &p->sites[i].figures);
        return;
    }
    for (size_t i = 0; i < p->nr_processes; i++) {
        const struct bm_process_info *info = &p->processes[i];
        size_t first = 0;
        uint64_t nr = threads_of(p, info, &first);

        put_process(merger, info, merger->first_thread + first, nr, counted);
        for (size_t s = 0; counted && s < info->nr_sites; s++)
            put_process_mark(merger,
                             merger->sites[info->sites[s].site - p->sites],
                             &info->sites[s].figures);
    }
}

/* ---- benchmarks ---- */

static void put_params(struct bm_merger *merger, uint64_t benchmark,
                       const struct bm_benchmark_info *info)
{
    for (size_t i = 0; i < info->nr_params; i++) {
        const struct bm_param_info *param = &info->params[i];
        bool is_string = param->kind == BM_VALUE_STRING;

        BM_PUT(merger, param, .benchmark = benchmark,
               .name = bm_put_text(param->name), .type = param->kind,
               .bits = is_string ? 0 : param->value.u,
               .text = bm_put_text(is_string ? param->value.s : NULL));
    }
}

static void put_passes(struct bm_merger *merger, uint64_t benchmark,
                       const struct bm_benchmark_info *info)
{
    for (size_t i = 0; i < info->nr_passes; i++) {
        const struct bm_pass_info *pass = &info->passes[i];
        uint64_t words[BM_NR_WORDS_pass] = {
            [BM_PASS_serial] = ++merger->nr_passes,
            [BM_PASS_open] = pass->open,
            [BM_PASS_peak] = pass->peak_bytes,
            [BM_PASS_allocated] = pass->allocated_bytes,
            [BM_PASS_allocations] = pass->allocations,
            [BM_PASS_retained] = pass->retained_bytes,
            [BM_PASS_measure] = pass->measured,
            [BM_PASS_time_ns] = pass->time_ns,
            [BM_PASS_setup_peak_rss] = pass->setup_peak_rss_bytes,
            [BM_PASS_peak_rss] = pass->peak_rss_bytes,
        };

        BM_PUT(merger, pass, .benchmark = benchmark,
               .pass = BM_PUT_WORDS(words));
    }
}

static void put_more_passes(struct bm_merger *merger, uint64_t benchmark,
                            const struct bm_benchmark_info *info)
{
#define RANGE(metric)                                                          \
    [BM_PASSES_##metric##_min] = info->more_##metric.min,                      \
    [BM_PASSES_##metric##_max] = info->more_##metric.max,                      \
    [BM_PASSES_##metric##_sum] = info->more_##metric.sum
    uint64_t words[BM_NR_WORDS_passes] = {
        [BM_PASSES_count] = info->nr_more_passes,
        RANGE(peak),
        RANGE(allocated),
        RANGE(allocations),
        RANGE(retained),
        RANGE(time),
        [BM_PASSES_measure] = info->more_measured,
    };
#undef RANGE

    if (info->nr_more_passes)
        BM_PUT(merger, passes, .benchmark = benchmark,
               .passes = BM_PUT_WORDS(words));
}

/*
 * Records of their own for each profile: a reader takes benchmarks of one
 * name and parameters for one, with the passes of all and at_peak of the
 * pass with the largest peak.
 */
void bm_merger_put_benchmarks(struct bm_merger *merger,
                              const struct bm_profile *p)
{
    merger->first_benchmark = merger->nr_benchmarks + 1;
    bm_merger_put_pools(merger, p);
    for (size_t i = 0; i < p->nr_benchmarks; i++) {
        const struct bm_benchmark_info *info = &p->benchmarks[i];
        uint64_t index = ++merger->nr_benchmarks;
        uint64_t words[BM_NR_WORDS_ledger] = {
            [BM_LEDGER_live] = info->figures.live_bytes,
            [BM_LEDGER_peak] = info->figures.peak_bytes,
            [BM_LEDGER_peak_ordinal] = info->figures.peak_ordinal,
            [BM_LEDGER_nr_passes] = info->nr_passes + info->nr_more_passes,
            [BM_LEDGER_saves] = bm_profile_has_savings(p, i + 1),
        };

        BM_PUT(
            merger, benchmark, .index = index, .name = bm_put_text(info->name),
            .frame = info->frame ? merger->frames[info->frame - p->frames] : 0);
        put_params(merger, index, info);
        bm_merger_put_declared(merger, index, info);
        BM_PUT(merger, ledger, .benchmark = index,
               .ledger = BM_PUT_WORDS(words));
        put_passes(merger, index, info);
        put_more_passes(merger, index, info);
        for (size_t s = 0; s < info->nr_sites; s++) {
            uint64_t mark[BM_NR_WORDS_mark] = {
                [BM_MARK_peak] = info->sites[s].figures.peak_bytes,
                [BM_MARK_peak_ordinal] = info->sites[s].figures.peak_ordinal,
            };

            BM_PUT(merger, mark, .benchmark = index,
                   .site = merger->sites[info->sites[s].site - p->sites],
                   .mark = BM_PUT_WORDS(mark));
        }
    }
}

/* ---- nodes ---- */

/* Of the node that was put last. */
static void put_access(struct bm_merger *merger, const struct bm_access *access,
                       uint64_t site, uint64_t path, uint64_t thread)
{
    uint64_t words[BM_NR_WORDS_access];

    if (!access->blocks)
        return;
    bm_access_put(access, words);
    BM_PUT(merger, access, .site = site, .path = path, .thread = thread,
           .access = BM_PUT_WORDS(words));
}

static void put_node(struct bm_merger *merger, const struct bm_profile *p,
                     const struct bm_node_info *node)
{
    const struct bm_figures *figures = &node->figures;
    /* `seen` is the peak, so that at_peak holds whatever the pass was. */
    uint64_t peak = node->benchmark
                        ? p->benchmarks[node->benchmark - 1].figures.peak_bytes
                        : merger->peak;
    uint64_t words[BM_NR_WORDS_node] = {
        [BM_NODE_allocations] = figures->allocations,
        [BM_NODE_frees] = figures->frees,
        [BM_NODE_allocated] = figures->allocated_bytes,
        [BM_NODE_freed] = figures->freed_bytes,
        [BM_NODE_live] = node->figures.live_bytes,
        [BM_NODE_at_peak] = node->figures.at_peak_bytes,
        [BM_NODE_seen] = peak,
        [BM_NODE_temporary] = figures->temporary,
        [BM_NODE_inherited_blocks] = figures->inherited_blocks,
        [BM_NODE_inherited_bytes] = figures->inherited_bytes,
        [BM_NODE_at_peak_blocks] = figures->at_peak_blocks,
    };
    uint64_t thread = node->thread ? merger->first_thread +
                                         (uint64_t)(node->thread - p->threads)
                                   : merger->nr_threads;

    uint64_t site = merger->sites[node->site - p->sites];
    uint64_t path = node->path ? merger->paths[node->path - p->paths] : 0;

    BM_PUT(merger, node,
           .benchmark = node->benchmark
                            ? merger->first_benchmark + node->benchmark - 1
                            : 0,
           .site = site, .path = path, .thread = thread,
           .node = BM_PUT_WORDS(words));
    put_access(merger, bm_access_of(figures), site, path, thread);
}

void bm_merger_put_nodes(struct bm_merger *merger, const struct bm_profile *p,
                         bool counted)
{
    for (size_t i = 0; i < p->nr_nodes; i++)
        if (counted || p->nodes[i].benchmark)
            put_node(merger, p, &p->nodes[i]);
}
