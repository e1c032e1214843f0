/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "put.h"

#include "figures.h"

void bm_put_module(struct bm_sink *sink, const struct bm_module *module,
                   const struct bm_numbers *numbers)
{
    BM_PUT(sink, module, .index = numbers->index,
           .path = bm_put_text(module->path),
           .build_id = bm_put_text(module->build_id), .bias = module->bias,
           .instrumented = module->instrumented, .symbols = module->symbols);
}

void bm_put_frame(struct bm_sink *sink, const struct bm_frame_info *frame,
                  const struct bm_numbers *numbers)
{
    BM_PUT(sink, frame, .index = numbers->index,
           .function = bm_put_text(frame->function),
           .linkage_name = bm_put_text(frame->linkage_name),
           .file = bm_put_text(frame->file), .dir = bm_put_text(frame->dir),
           .line = frame->line, .column = frame->column,
           .inlined_into = numbers->outer, .callee = bm_put_text(frame->callee),
           .flags = frame->flags, .module = numbers->module,
           .offset = frame->offset, .type = bm_put_text(frame->type));
}

void bm_put_site(struct bm_sink *sink, const struct bm_site_info *site,
                 bool elided, const struct bm_numbers *numbers)
{
    BM_PUT(sink, site, .index = numbers->index, .id = site->id,
           .frame = numbers->frame, .kind = bm_put_text(site->kind),
           .callee = bm_put_text(site->callee), .type = bm_put_text(site->type),
           .size_expr = bm_put_text(site->size_expr),
           .count = bm_put_text(site->count), .elided = elided,
           .module = numbers->module);
}

void bm_put_path(struct bm_sink *sink, const struct bm_path_info *path,
                 const struct bm_numbers *numbers)
{
    BM_PUT(sink, path, .index = numbers->index, .outer = numbers->outer,
           .frame = numbers->frame, .site = numbers->site,
           .flags = path->other);
}

void bm_put_mark(struct bm_sink *sink, uint64_t peak_bytes,
                 uint64_t peak_ordinal, const struct bm_numbers *numbers)
{
    uint64_t words[BM_NR_WORDS_mark] = {
        [BM_MARK_peak] = peak_bytes,
        [BM_MARK_peak_ordinal] = peak_ordinal,
    };

    BM_PUT(sink, mark, .benchmark = numbers->benchmark, .site = numbers->site,
           .mark = BM_PUT_WORDS(words));
}

/* ---- threads and processes ---- */

void bm_put_thread(struct bm_sink *sink, const struct bm_thread_info *thread,
                   uint64_t index)
{
    BM_PUT(sink, thread, .index = index, .tid = thread->tid,
           .name = bm_put_text(thread->name));
}

void bm_put_thread_counts(struct bm_sink *sink, const struct bm_profile *p)
{
    uint64_t words[BM_NR_WORDS_thread] = {
        [BM_THREAD_unknown_frees] = p->unknown_frees,
        [BM_THREAD_failed_allocations] = p->failed_allocations,
        [BM_THREAD_dropped] = p->dropped,
    };

    memcpy(&words[BM_THREAD_sizes_0], p->sizes, sizeof(p->sizes));
    BM_PUT(sink, thread, .thread = BM_PUT_WORDS(words));
}

void bm_put_process(struct bm_sink *sink, const struct bm_process_info *info,
                    uint64_t index, uint64_t first_thread, uint64_t nr_threads)
{
    const struct bm_figures *totals = &info->totals;
    uint64_t words[BM_NR_WORDS_process] = {
        [BM_PROCESS_end_kind] = info->end,
        [BM_PROCESS_end_value] = info->end_value,
        [BM_PROCESS_flags] = info->flags,
        [BM_PROCESS_unknown_frees] = info->unknown_frees,
        [BM_PROCESS_failed_allocations] = info->failed_allocations,
        [BM_PROCESS_dropped] = info->dropped,
        [BM_PROCESS_counted] = info->counted,
        [BM_PROCESS_allocations] = totals->allocations,
        [BM_PROCESS_frees] = totals->frees,
        [BM_PROCESS_allocated] = totals->allocated_bytes,
        [BM_PROCESS_freed] = totals->freed_bytes,
        [BM_PROCESS_peak] = totals->peak_bytes,
        [BM_PROCESS_temporary] = totals->temporary,
        [BM_PROCESS_inherited_blocks] = totals->inherited_blocks,
        [BM_PROCESS_inherited_bytes] = totals->inherited_bytes,
    };

    BM_PUT(sink, process, .index = index, .program = bm_put_text(info->program),
           .cwd = bm_put_text(info->cwd), .host = bm_put_text(info->host),
           .pid = info->pid, .parent_pid = info->parent_pid,
           .start_ns = info->start_ns, .rank = bm_put_text(info->rank),
           .first_thread = first_thread, .nr_threads = nr_threads,
           .process = BM_PUT_WORDS(words));
    for (size_t i = 0; i < info->nr_arguments; i++)
        BM_PUT(sink, argument, .text = bm_put_text(info->arguments[i]),
               .process = index);
}

void bm_put_process_mark(struct bm_sink *sink, const struct bm_figures *figures,
                         uint64_t process, uint64_t site)
{
    if (figures->peak_bytes > figures->at_peak_bytes &&
        figures->peak_bytes > figures->live_bytes)
        BM_PUT(sink, process_mark, .process = process, .site = site,
               .peak = figures->peak_bytes);
}

/* ---- nodes ---- */

static void put_access(struct bm_sink *sink, const struct bm_access *access,
                       const struct bm_numbers *numbers)
{
    uint64_t words[BM_NR_WORDS_access];

    if (!access->blocks)
        return;
    bm_access_put(access, words);
    BM_PUT(sink, access, .site = numbers->site, .path = numbers->path,
           .thread = numbers->thread, .access = BM_PUT_WORDS(words));
}

void bm_put_node(struct bm_sink *sink, const struct bm_node_info *node,
                 uint64_t peak_bytes, const struct bm_numbers *numbers)
{
    const struct bm_figures figures = bm_node_figures(node);
    uint64_t words[BM_NR_WORDS_tally] = {
        [BM_TALLY_allocations] = figures.allocations,
        [BM_TALLY_frees] = figures.frees,
        [BM_TALLY_allocated] = figures.allocated_bytes,
        [BM_TALLY_freed] = figures.freed_bytes,
        [BM_TALLY_live] = figures.live_bytes,
        [BM_TALLY_at_peak] = figures.at_peak_bytes,
        [BM_TALLY_seen] = peak_bytes,
        [BM_TALLY_temporary] = figures.temporary,
        [BM_TALLY_inherited_blocks] = figures.inherited_blocks,
        [BM_TALLY_inherited_bytes] = figures.inherited_bytes,
        [BM_TALLY_at_peak_blocks] = figures.at_peak_blocks,
    };

    BM_PUT(sink, node, .benchmark = numbers->benchmark, .site = numbers->site,
           .path = numbers->path, .thread = numbers->thread,
           .node = BM_PUT_WORDS(words));
    put_access(sink, bm_access_of(&figures), numbers);
}

void bm_put_saving(struct bm_sink *sink, const struct bm_saving_info *info,
                   uint64_t of, uint64_t peak_bytes,
                   const struct bm_numbers *numbers)
{
    uint64_t words[BM_SAVING_others + 1] = {
        [BM_SAVING_others] = peak_bytes - info->saves_bytes,
    };

    BM_PUT(sink, saving, .benchmark = numbers->benchmark,
           .index = numbers->index, .level = info->level, .of = of,
           .saving = BM_PUT_WORDS(words));
}
