/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/merging_state.h"

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
    BM_PUT(&merger->sink, state, .state = BM_PUT_WORDS(state));
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
    BM_PUT(&merger->sink, ledger, .ledger = BM_PUT_WORDS(words));
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
    BM_PUT(&merger->sink, head, .magic = bm_put_text(BM_PROFILE_MAGIC),
           .schema_version = BM_SCHEMA_VERSION, .writer = bm_put_text(who),
           .program = bm_put_text(p->program), .cwd = bm_put_text(p->cwd),
           .host = bm_put_text(host), .pid = p->pid, .start_ns = start,
           .options = bm_put_text(options),
           .rank =
               bm_put_text(merger->kind == BM_MERGING_RUNS ? p->rank : NULL));
    for (size_t i = 0; i < p->nr_arguments; i++)
        BM_PUT(&merger->sink, argument, .text = bm_put_text(p->arguments[i]));
    put_state(merger, profiles, nr);
    for (size_t i = 0; i < nr; i++)
        for (size_t n = 0; n < profiles[i]->nr_notes; n++)
            if (is_new_note(profiles, i, profiles[i]->notes[n]))
                BM_PUT(&merger->sink, note,
                       .text = bm_put_text(profiles[i]->notes[n]));
    if (loses_saves(merger, profiles, nr))
        BM_PUT(&merger->sink, note,
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
    merger->first_thread = merger->nr_threads + 1;
    for (size_t i = 0; i < p->nr_threads; i++)
        bm_put_thread(&merger->sink, &p->threads[i], ++merger->nr_threads);
    /* What no thread is known of is its process's all the same. */
    if (has_node_without_thread(p))
        BM_PUT(&merger->sink, thread, .index = ++merger->nr_threads);
    if (counted)
        bm_put_thread_counts(&merger->sink, p);
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

static void put_process(struct bm_merger *merger, struct bm_process_info info,
                        uint64_t first_thread, uint64_t nr_threads,
                        bool counted)
{
    info.counted &= counted;
    bm_put_process(&merger->sink, &info, ++merger->nr_processes, first_thread,
                   nr_threads);
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
        put_process(merger, process_of(p), merger->first_thread,
                    merger->nr_threads - merger->first_thread + 1, counted);
        for (size_t i = 0; counted && i < p->nr_sites; i++)
            bm_put_process_mark(&merger->sink, &p->sites[i].figures,
                                merger->nr_processes, merger->sites[i]);
        return;
    }
    for (size_t i = 0; i < p->nr_processes; i++) {
        const struct bm_process_info *info = &p->processes[i];
        size_t first = 0;
        uint64_t nr = threads_of(p, info, &first);

        put_process(merger, *info, merger->first_thread + first, nr, counted);
        for (size_t s = 0; counted && s < info->nr_sites; s++)
            bm_put_process_mark(&merger->sink, &info->sites[s].figures,
                                merger->nr_processes,
                                merger->sites[info->sites[s].site - p->sites]);
    }
}

/* ---- benchmarks ---- */

/*
 * Records of their own for each profile: a reader takes benchmarks of one
 * name and parameters for one, with the passes of all and at_peak of the
 * pass with the largest peak.
 */
void bm_merger_put_benchmarks(struct bm_merger *merger,
                              const struct bm_profile *p)
{
    merger->first_benchmark = merger->nr_benchmarks + 1;
    bm_put_pools(&merger->sink, p);
    for (size_t i = 0; i < p->nr_benchmarks; i++) {
        const struct bm_benchmark_info *info = &p->benchmarks[i];
        uint64_t index = ++merger->nr_benchmarks;
        struct bm_numbers numbers = {
            .index = index,
            .benchmark = index,
            .frame = info->frame ? merger->frames[info->frame - p->frames] : 0,
        };

        bm_put_benchmark(&merger->sink, info, bm_profile_has_savings(p, i + 1),
                         &merger->nr_passes, &numbers);
        /* All of them: at_peak will be that of another profile's pass. */
        for (size_t s = 0; s < info->nr_sites; s++) {
            const struct bm_figures *figures = &info->sites[s].figures;

            numbers.site = merger->sites[info->sites[s].site - p->sites];
            bm_put_mark(&merger->sink, figures->peak_bytes,
                        figures->peak_ordinal, &numbers);
        }
    }
}

/* ---- nodes ---- */

static void put_node(struct bm_merger *merger, const struct bm_profile *p,
                     const struct bm_node_info *node)
{
    uint64_t peak = merger->peak;
    struct bm_numbers numbers = {
        .site = merger->sites[node->site - p->sites],
        .path = node->path ? merger->paths[node->path - p->paths] : 0,
        .thread = node->thread ? merger->first_thread +
                                     (uint64_t)(node->thread - p->threads)
                               : merger->nr_threads,
    };

    if (node->benchmark) {
        numbers.benchmark = merger->first_benchmark + node->benchmark - 1;
        peak = p->benchmarks[node->benchmark - 1].figures.peak_bytes;
    }
    bm_put_node(&merger->sink, node, peak, &numbers);
}

void bm_merger_put_nodes(struct bm_merger *merger, const struct bm_profile *p,
                         bool counted)
{
    for (size_t i = 0; i < p->nr_nodes; i++)
        if (counted || p->nodes[i].benchmark)
            put_node(merger, p, &p->nodes[i]);
}
