/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The small form of a profile: what it holds in memory, each thing once and
 * numbered by its place there.
 */
#include "put.h"

/* Number from 1 of what a pointer points at in one of the arrays. */
#define NUMBER(pointer, array)                                                 \
    ((pointer) ? (uint64_t)((pointer) - (array)) + 1 : 0)

static void write_head(struct bm_sink *sink, const struct bm_profile *p)
{
    uint64_t state[BM_NR_WORDS_state] = {
        [BM_STATE_end_kind] = p->end,
        [BM_STATE_end_value] = p->end_value,
        [BM_STATE_flags] = p->flags,
    };

    BM_PUT(sink, head, .magic = bm_put_text(BM_PROFILE_MAGIC),
           .schema_version = BM_SCHEMA_VERSION,
           .writer = bm_put_text(p->writer), .program = bm_put_text(p->program),
           .cwd = bm_put_text(p->cwd), .host = bm_put_text(p->host),
           .pid = p->pid, .parent_pid = p->parent_pid, .start_ns = p->start_ns,
           .options = bm_put_text(p->options), .rank = bm_put_text(p->rank));
    for (size_t i = 0; i < p->nr_arguments; i++)
        BM_PUT(sink, argument, .text = bm_put_text(p->arguments[i]));
    BM_PUT(sink, state, .state = BM_PUT_WORDS(state));
    for (size_t i = 0; i < p->nr_notes; i++)
        BM_PUT(sink, note, .text = bm_put_text(p->notes[i]));
}

static void write_frames(struct bm_sink *sink, const struct bm_profile *p)
{
    for (size_t i = 0; i < p->nr_modules; i++)
        bm_put_module(sink, &p->modules[i],
                      &(struct bm_numbers){.index = i + 1});
    for (size_t i = 0; i < p->nr_frames; i++) {
        const struct bm_frame_info *frame = &p->frames[i];
        const struct bm_numbers numbers = {
            .index = i + 1,
            .outer = NUMBER(frame->inlined_into, p->frames),
            .module = NUMBER(frame->module, p->modules),
        };

        bm_put_frame(sink, frame, &numbers);
    }
}

static void write_sites(struct bm_sink *sink, const struct bm_profile *p)
{
    for (size_t i = 0; i < p->nr_sites; i++) {
        const struct bm_site_info *site = &p->sites[i];
        const struct bm_figures *figures = &site->figures;
        const struct bm_numbers numbers = {
            .index = i + 1,
            .site = i + 1,
            .frame = NUMBER(site->frame, p->frames),
            .module = NUMBER(site->module, p->modules),
        };

        bm_put_site(sink, site, site->elided, &numbers);
        if (figures->peak_ordinal ||
            (figures->peak_bytes > figures->at_peak_bytes &&
             figures->peak_bytes > figures->live_bytes))
            bm_put_mark(sink, figures->peak_bytes, figures->peak_ordinal,
                        &numbers);
    }
}

static void write_paths(struct bm_sink *sink, const struct bm_profile *p)
{
    for (size_t i = 0; i < p->nr_paths; i++) {
        const struct bm_path_info *path = &p->paths[i];
        const struct bm_numbers numbers = {
            .index = i + 1,
            .outer = NUMBER(path->outer, p->paths),
            .frame = NUMBER(path->frame, p->frames),
            .site = NUMBER(path->site, p->sites),
        };

        bm_put_path(sink, path, &numbers);
    }
}

static void write_process(struct bm_sink *sink, const struct bm_profile *p,
                          const struct bm_process_info *info)
{
    uint64_t index = NUMBER(info, p->processes);
    uint64_t first_thread = 0, nr_threads = 0;

    for (size_t i = 0; i < p->nr_threads; i++)
        if (p->threads[i].process == info) {
            first_thread = nr_threads ? first_thread : i + 1;
            nr_threads++;
        }
    bm_put_process(sink, info, index, first_thread, nr_threads);
    for (size_t i = 0; i < info->nr_sites; i++)
        bm_put_process_mark(sink, &info->sites[i].figures, index,
                            NUMBER(info->sites[i].site, p->sites));
}

static void write_processes(struct bm_sink *sink, const struct bm_profile *p)
{
    bm_put_thread_counts(sink, p);
    for (size_t i = 0; i < p->nr_threads; i++)
        bm_put_thread(sink, &p->threads[i], i + 1);
    for (size_t i = 0; i < p->nr_processes; i++)
        write_process(sink, p, &p->processes[i]);
}

static void write_ledger(struct bm_sink *sink, const struct bm_profile *p)
{
    uint64_t words[BM_NR_WORDS_ledger] = {
        [BM_LEDGER_live] = p->totals.live_bytes,
        [BM_LEDGER_peak] = p->totals.peak_bytes,
        [BM_LEDGER_allocations] = p->totals.allocations,
        [BM_LEDGER_peak_ordinal] = p->totals.peak_ordinal,
        [BM_LEDGER_saves] = bm_profile_has_savings(p, 0),
    };

    BM_PUT(sink, ledger, .ledger = BM_PUT_WORDS(words));
}

static void write_benchmarks(struct bm_sink *sink, const struct bm_profile *p)
{
    uint64_t nr_passes = 0;

    for (size_t i = 0; i < p->nr_benchmarks; i++) {
        const struct bm_benchmark_info *info = &p->benchmarks[i];
        struct bm_numbers numbers = {
            .index = i + 1,
            .benchmark = i + 1,
            .frame = NUMBER(info->frame, p->frames),
        };

        bm_put_benchmark(sink, info, bm_profile_has_savings(p, i + 1),
                         &nr_passes, &numbers);
        for (size_t s = 0; s < info->nr_sites; s++) {
            const struct bm_figures *figures = &info->sites[s].figures;

            numbers.site = NUMBER(info->sites[s].site, p->sites);
            if (figures->peak_ordinal ||
                figures->peak_bytes > figures->at_peak_bytes)
                bm_put_mark(sink, figures->peak_bytes, figures->peak_ordinal,
                            &numbers);
        }
    }
}

static uint64_t peak_of(const struct bm_profile *p, size_t benchmark)
{
    return benchmark ? p->benchmarks[benchmark - 1].figures.peak_bytes
                     : p->totals.peak_bytes;
}

static void write_savings(struct bm_sink *sink, const struct bm_profile *p)
{
    struct bm_numbers numbers = {0};

    for (size_t i = 0; i < p->nr_savings; i++) {
        const struct bm_saving_info *info = &p->savings[i];

        if (info->benchmark != numbers.benchmark)
            numbers = (struct bm_numbers){.benchmark = info->benchmark};
        numbers.index++;
        bm_put_saving(sink, info, info->of, peak_of(p, info->benchmark),
                      &numbers);
    }
    for (size_t i = 0; i < p->nr_groupings; i++) {
        const struct bm_grouping_info *info = &p->groupings[i];

        BM_PUT(sink, grouping, .site = NUMBER(info->site, p->sites),
               .path = NUMBER(info->path, p->paths),
               .line = info->of[BM_SAVED_LINE],
               .function = info->of[BM_SAVED_FUNCTION],
               .type = info->of[BM_SAVED_TYPE]);
    }
}

static void write_nodes(struct bm_sink *sink, const struct bm_profile *p)
{
    for (size_t i = 0; i < p->nr_nodes; i++) {
        const struct bm_node_info *node = &p->nodes[i];
        const struct bm_numbers numbers = {
            .benchmark = node->benchmark,
            .site = NUMBER(node->site, p->sites),
            .path = NUMBER(node->path, p->paths),
            .thread = NUMBER(node->thread, p->threads),
        };

        bm_put_node(sink, node, peak_of(p, node->benchmark), &numbers);
    }
}

int bm_profile_write(const struct bm_profile *profile, int fd)
{
    struct bm_sink sink;

    if (bm_sink_open(&sink, fd))
        return -1;
    write_head(&sink, profile);
    write_frames(&sink, profile);
    write_sites(&sink, profile);
    write_paths(&sink, profile);
    write_processes(&sink, profile);
    write_ledger(&sink, profile);
    write_benchmarks(&sink, profile);
    bm_put_pools(&sink, profile);
    bm_put_moments(&sink, profile);
    write_savings(&sink, profile);
    write_nodes(&sink, profile);
    return bm_sink_close(&sink);
}
