/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The processes of a profile that was put together from several. What each
 * did is in its threads' nodes; here they are added up by process and site.
 */
#include "figures.h"
#include "load.h"

#include <stdlib.h>
#include <string.h>

/* ---- records ---- */

static void read_process(struct bm_process_info *info, struct bm_words words)
{
    uint64_t kind = BM_LOAD_WORD(words, PROCESS, end_kind);
    struct bm_figures *totals = &info->totals;

    info->end = kind <= BM_END_EXEC ? (enum bm_end)kind : BM_END_UNKNOWN;
    if (info->end != BM_END_UNKNOWN)
        info->end_value = BM_LOAD_WORD(words, PROCESS, end_value);
    info->flags = (unsigned)BM_LOAD_WORD(words, PROCESS, flags);
    info->complete = bm_is_complete(info->end, info->flags);
    info->counted = BM_LOAD_WORD(words, PROCESS, counted) != 0;
    info->unknown_frees = BM_LOAD_WORD(words, PROCESS, unknown_frees);
    info->failed_allocations = BM_LOAD_WORD(words, PROCESS, failed_allocations);
    info->dropped = BM_LOAD_WORD(words, PROCESS, dropped);
    totals->allocations = BM_LOAD_WORD(words, PROCESS, allocations);
    totals->frees = BM_LOAD_WORD(words, PROCESS, frees);
    totals->allocated_bytes = BM_LOAD_WORD(words, PROCESS, allocated);
    totals->freed_bytes = BM_LOAD_WORD(words, PROCESS, freed);
    totals->peak_bytes = BM_LOAD_WORD(words, PROCESS, peak);
    totals->at_peak_bytes = totals->peak_bytes;
    totals->temporary = BM_LOAD_WORD(words, PROCESS, temporary);
    totals->inherited_blocks = BM_LOAD_WORD(words, PROCESS, inherited_blocks);
    totals->inherited_bytes = BM_LOAD_WORD(words, PROCESS, inherited_bytes);
    totals->live_bytes = bm_figures_held(totals);
    totals->live_blocks = bm_figures_held_blocks(totals);
}

bool bm_load_process(struct bm_load *load, const msgpack_object *object)
{
    struct bm_raw_process *raw;
    struct bm_process_info *info;
    bool again;

    BM_LOAD_UNPACK(process, r);
    raw = bm_load_put(load, &load->processes, r.index, &again);
    if (!raw || again)
        return raw;
    info = &raw->info;
    info->pid = r.pid;
    info->parent_pid = r.parent_pid;
    info->start_ns = r.start_ns;
    raw->first_thread = r.first_thread;
    raw->nr_threads = r.nr_threads;
    read_process(info, r.process);
    return bm_load_keep_some(load, &info->program, r.program, "") &&
           bm_load_keep_some(load, &info->cwd, r.cwd, "") &&
           bm_load_keep(load, &info->host, r.host) &&
           bm_load_keep(load, &info->rank, r.rank);
}

bool bm_load_process_mark(struct bm_load *load, const msgpack_object *object)
{
    struct bm_raw_process_mark *mark;

    BM_LOAD_UNPACK(process_mark, r);
    mark = bm_load_add(load, &load->process_marks);
    if (!mark)
        return false;
    *mark = (struct bm_raw_process_mark){r.process, r.site, r.peak};
    return true;
}

/* ---- into the profile ---- */

/* A node of the process's ledger, by what it is added to. */
struct share {
    size_t process;
    const struct bm_node_info *node;
};

static int compare_shares(const void *left, const void *right)
{
    const struct share *a = left, *b = right;

    if (a->process != b->process)
        return a->process < b->process ? -1 : 1;
    if (a->node->site != b->node->site)
        return a->node->site < b->node->site ? -1 : 1;
    return 0;
}

/*
 * Threads point at their process. One that is missing or another's is damage,
 * and ends the row, so that all rows together take no longer than the threads.
 */
static void own_threads(struct bm_load *load)
{
    const struct bm_raw_process *raw = load->processes.rows.rows;
    struct bm_process_info *infos = load->profile->processes;

    for (size_t i = 0; i < load->processes.rows.nr; i++) {
        for (uint64_t t = 0; t < raw[i].nr_threads; t++) {
            struct bm_thread_info *thread =
                bm_table_find(&load->threads, raw[i].first_thread + t);

            if (!thread || thread->process)
                break;
            thread->process = &infos[i];
        }
    }
}

static struct share *sort_shares(const struct bm_load *load, size_t *nr)
{
    const struct bm_node_info *nodes = load->nodes.rows;
    const struct bm_process_info *infos = load->profile->processes;
    struct share *shares = calloc(load->nodes.nr + 1, sizeof(*shares));

    *nr = 0;
    for (size_t i = 0; shares && i < load->nodes.nr; i++) {
        const struct bm_thread_info *thread = nodes[i].thread;

        if (nodes[i].benchmark == 0 && thread && thread->process)
            shares[(*nr)++] =
                (struct share){(size_t)(thread->process - infos), &nodes[i]};
    }
    if (shares)
        qsort(shares, *nr, sizeof(*shares), compare_shares);
    return shares;
}

/* Shares [0, nr) are those of one process. */
static bool make_sites(struct bm_load *load, struct bm_process_info *info,
                       const struct share *shares, size_t nr)
{
    const struct bm_site_info *last = NULL;

    for (size_t i = 0; i < nr; i++)
        if (shares[i].node->site != last) {
            last = shares[i].node->site;
            info->nr_sites++;
        }
    info->sites =
        bm_arena_take(load->arena, info->nr_sites * sizeof(*info->sites) + 1);
    if (!info->sites)
        return false;
    memset(info->sites, 0, info->nr_sites * sizeof(*info->sites));
    struct bm_bench_site *row = info->sites - 1;
    for (size_t i = 0; i < nr; i++) {
        if (i == 0 || shares[i].node->site != row->site)
            (++row)->site = shares[i].node->site;
        bm_figures_add_node(&row->figures, shares[i].node);
    }
    return true;
}

/* Its totals are those of its sites; the words alone hold what sites don't. */
static void add_up(struct bm_process_info *info)
{
    struct bm_figures sum = {0};

    for (size_t i = 0; i < info->nr_sites; i++)
        bm_figures_add(&sum, &info->sites[i].figures);
    sum.peak_bytes = sum.at_peak_bytes;
    info->totals = sum;
}

static bool share_out(struct bm_load *load)
{
    struct bm_process_info *infos = load->profile->processes;
    size_t nr_shares, start = 0;
    struct share *shares = sort_shares(load, &nr_shares);
    bool ok = shares;

    for (size_t i = 0; ok && i < load->processes.rows.nr; i++) {
        size_t end = start;

        while (end < nr_shares && shares[end].process == i)
            end++;
        ok = make_sites(load, &infos[i], shares + start, end - start);
        if (ok && infos[i].counted)
            add_up(&infos[i]);
        start = end;
    }
    free(shares);
    return ok;
}

static int compare_sites(const void *key, const void *element)
{
    const struct bm_site_info *site = key;
    const struct bm_bench_site *row = element;

    return (site > row->site) - (site < row->site);
}

static void add_marks(struct bm_load *load)
{
    const struct bm_raw_process_mark *marks = load->process_marks.rows;
    struct bm_process_info *infos = load->profile->processes;

    for (size_t i = 0; i < load->process_marks.nr; i++) {
        const struct bm_raw_process *raw =
            bm_table_find(&load->processes, marks[i].process);
        const struct bm_site_info *site =
            bm_table_find(&load->sites, marks[i].site);
        const struct bm_raw_process *first = load->processes.rows.rows;

        if (!raw || !site)
            continue;
        struct bm_process_info *info = &infos[raw - first];
        struct bm_bench_site *row =
            bsearch(site, info->sites, info->nr_sites, sizeof(*info->sites),
                    compare_sites);
        if (row)
            bm_figures_mark(&row->figures, marks[i].peak, 0,
                            info->totals.peak_bytes);
    }
    for (size_t i = 0; i < load->processes.rows.nr; i++)
        for (size_t s = 0; s < infos[i].nr_sites; s++) {
            struct bm_figures *figures = &infos[i].sites[s].figures;

            bm_figures_mark(figures, figures->live_bytes, 0,
                            infos[i].totals.peak_bytes);
        }
}

static bool take_arguments(struct bm_load *load)
{
    const struct bm_raw_process *first = load->processes.rows.rows;
    const struct bm_raw_argument *rows = load->process_arguments.rows;
    struct bm_process_info *infos = load->profile->processes;
    size_t nr = load->process_arguments.nr;

    for (size_t pass = 0; pass < 2; pass++) {
        for (size_t i = 0; pass && i < load->processes.rows.nr; i++) {
            infos[i].arguments = bm_arena_take(
                load->arena, infos[i].nr_arguments * sizeof(char *) + 1);
            if (!infos[i].arguments)
                return false;
            infos[i].nr_arguments = 0;
        }
        for (size_t i = 0; i < nr; i++) {
            const struct bm_raw_process *raw =
                bm_table_find(&load->processes, rows[i].process);
            struct bm_process_info *info = raw ? &infos[raw - first] : NULL;

            if (info && pass)
                info->arguments[info->nr_arguments] = rows[i].text;
            if (info)
                info->nr_arguments++;
        }
    }
    return true;
}

bool bm_load_processes(struct bm_load *load)
{
    size_t nr = load->processes.rows.nr;
    const struct bm_raw_process *raw = load->processes.rows.rows;

    if (nr == 0)
        return true;
    load->profile->processes = calloc(nr, sizeof(*load->profile->processes));
    if (!load->profile->processes)
        return bm_load_fail_memory(load);
    load->profile->nr_processes = nr;
    for (size_t i = 0; i < nr; i++)
        load->profile->processes[i] = raw[i].info;
    own_threads(load);
    if (!take_arguments(load) || !share_out(load))
        return bm_load_fail_memory(load);
    add_marks(load);
    return true;
}
