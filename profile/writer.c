/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "writer.h"

#include "figures.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_SIZE ((size_t)64 << 10)

static void flush(struct bm_writer *writer)
{
    const char *at = writer->buffer;

    while (writer->filled > 0 && !writer->error) {
        ssize_t written = write(writer->fd, at, writer->filled);

        if (written < 0) {
            if (errno != EINTR)
                writer->error = errno;
            continue;
        }
        at += written;
        writer->filled -= (size_t)written;
    }
}

static int append(void *data, const char *bytes, size_t size)
{
    struct bm_writer *writer = data;

    while (size > 0 && !writer->error) {
        size_t room = BUFFER_SIZE - writer->filled;
        size_t part = size < room ? size : room;

        memcpy(writer->buffer + writer->filled, bytes, part);
        writer->filled += part;
        bytes += part;
        size -= part;
        if (writer->filled == BUFFER_SIZE)
            flush(writer);
    }
    return writer->error;
}

void bm_write_check(struct bm_writer *writer, int error)
{
    if (error && !writer->error)
        writer->error = EOVERFLOW; /* a text beyond what msgpack can hold */
}

struct bm_text bm_write_text(const char *text)
{
    return (struct bm_text){text, text ? strlen(text) : 0};
}

struct bm_words bm_write_words(uint64_t *list, size_t nr)
{
    for (size_t i = 0; i < nr; i++)
        list[i] = htole64(list[i]);
    return (struct bm_words){list, nr};
}

static void write_head(struct bm_writer *writer)
{
    const struct bm_profile *p = writer->profile;
    uint64_t state[BM_NR_WORDS_state] = {
        [BM_STATE_end_kind] = p->end,
        [BM_STATE_end_value] = p->end_value,
        [BM_STATE_flags] = p->flags,
    };

    BM_WRITE(
        writer, head, .magic = bm_write_text(BM_PROFILE_MAGIC),
        .schema_version = BM_SCHEMA_VERSION, .writer = bm_write_text(p->writer),
        .program = bm_write_text(p->program), .cwd = bm_write_text(p->cwd),
        .host = bm_write_text(p->host), .pid = p->pid,
        .parent_pid = p->parent_pid, .start_ns = p->start_ns,
        .options = bm_write_text(p->options), .rank = bm_write_text(p->rank));
    for (size_t i = 0; i < p->nr_arguments; i++)
        BM_WRITE(writer, argument, .text = bm_write_text(p->arguments[i]));
    BM_WRITE(writer, state, .state = BM_WRITE_WORDS(state));
    for (size_t i = 0; i < p->nr_notes; i++)
        BM_WRITE(writer, note, .text = bm_write_text(p->notes[i]));
}

static void write_modules(struct bm_writer *writer)
{
    const struct bm_profile *p = writer->profile;

    for (size_t i = 0; i < p->nr_modules; i++) {
        const struct bm_module *module = &p->modules[i];

        BM_WRITE(
            writer, module, .index = i + 1, .path = bm_write_text(module->path),
            .build_id = bm_write_text(module->build_id), .bias = module->bias,
            .instrumented = module->instrumented, .symbols = module->symbols);
    }
}

static void write_frames(struct bm_writer *writer)
{
    const struct bm_profile *p = writer->profile;

    for (size_t i = 0; i < p->nr_frames; i++) {
        const struct bm_frame_info *frame = &p->frames[i];

        BM_WRITE(writer, frame, .index = i + 1,
                 .function = bm_write_text(frame->function),
                 .linkage_name = bm_write_text(frame->linkage_name),
                 .file = bm_write_text(frame->file),
                 .dir = bm_write_text(frame->dir), .line = frame->line,
                 .column = frame->column,
                 .inlined_into = BM_WRITE_INDEX(frame->inlined_into, p->frames),
                 .callee = bm_write_text(frame->callee), .flags = frame->flags,
                 .module = BM_WRITE_INDEX(frame->module, p->modules),
                 .offset = frame->offset, .type = bm_write_text(frame->type));
    }
}

void bm_write_mark(struct bm_writer *writer, size_t benchmark,
                   const struct bm_site_info *site,
                   const struct bm_figures *figures)
{
    uint64_t words[BM_NR_WORDS_mark] = {
        [BM_MARK_peak] = figures->peak_bytes,
        [BM_MARK_peak_ordinal] = figures->peak_ordinal,
    };

    BM_WRITE(writer, mark, .benchmark = benchmark,
             .site = BM_WRITE_INDEX(site, writer->profile->sites),
             .mark = BM_WRITE_WORDS(words));
}

static void write_sites(struct bm_writer *writer)
{
    const struct bm_profile *p = writer->profile;

    for (size_t i = 0; i < p->nr_sites; i++) {
        const struct bm_site_info *site = &p->sites[i];
        const struct bm_figures *figures = &site->figures;

        BM_WRITE(writer, site, .index = i + 1, .id = site->id,
                 .frame = BM_WRITE_INDEX(site->frame, p->frames),
                 .kind = bm_write_text(site->kind),
                 .callee = bm_write_text(site->callee),
                 .type = bm_write_text(site->type),
                 .size_expr = bm_write_text(site->size_expr),
                 .count = bm_write_text(site->count), .elided = site->elided,
                 .module = BM_WRITE_INDEX(site->module, p->modules));
        if (figures->peak_ordinal ||
            (figures->peak_bytes > figures->at_peak_bytes &&
             figures->peak_bytes > figures->live_bytes))
            bm_write_mark(writer, 0, site, figures);
    }
}

static void write_paths(struct bm_writer *writer)
{
    const struct bm_profile *p = writer->profile;

    for (size_t i = 0; i < p->nr_paths; i++) {
        const struct bm_path_info *path = &p->paths[i];

        BM_WRITE(writer, path, .index = i + 1,
                 .outer = BM_WRITE_INDEX(path->outer, p->paths),
                 .frame = BM_WRITE_INDEX(path->frame, p->frames),
                 .site = BM_WRITE_INDEX(path->site, p->sites),
                 .flags = path->other);
    }
}

static void write_process(struct bm_writer *writer, size_t index)
{
    const struct bm_profile *p = writer->profile;
    const struct bm_process_info *info = &p->processes[index - 1];
    const struct bm_figures *totals = &info->totals;
    uint64_t first_thread = 0, nr_threads = 0;
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

    for (size_t i = 0; i < p->nr_threads; i++)
        if (p->threads[i].process == info) {
            first_thread = nr_threads ? first_thread : i + 1;
            nr_threads++;
        }
    BM_WRITE(writer, process, .index = index,
             .program = bm_write_text(info->program),
             .cwd = bm_write_text(info->cwd), .host = bm_write_text(info->host),
             .pid = info->pid, .parent_pid = info->parent_pid,
             .start_ns = info->start_ns, .rank = bm_write_text(info->rank),
             .first_thread = first_thread, .nr_threads = nr_threads,
             .process = BM_WRITE_WORDS(words));
    for (size_t i = 0; i < info->nr_arguments; i++)
        BM_WRITE(writer, argument, .text = bm_write_text(info->arguments[i]),
                 .process = index);
    for (size_t i = 0; i < info->nr_sites; i++) {
        const struct bm_figures *figures = &info->sites[i].figures;

        if (figures->peak_bytes > figures->at_peak_bytes &&
            figures->peak_bytes > figures->live_bytes)
            BM_WRITE(writer, process_mark, .process = index,
                     .site = BM_WRITE_INDEX(info->sites[i].site, p->sites),
                     .peak = figures->peak_bytes);
    }
}

/* Threads, and once for all of them what was counted by thread. */
static void write_threads(struct bm_writer *writer)
{
    const struct bm_profile *p = writer->profile;
    uint64_t words[BM_NR_WORDS_thread] = {
        [BM_THREAD_unknown_frees] = p->unknown_frees,
        [BM_THREAD_failed_allocations] = p->failed_allocations,
        [BM_THREAD_dropped] = p->dropped,
    };

    memcpy(&words[BM_THREAD_sizes_0], p->sizes, sizeof(p->sizes));

    BM_WRITE(writer, thread, .index = 0, .thread = BM_WRITE_WORDS(words));
    for (size_t i = 0; i < p->nr_threads; i++)
        BM_WRITE(writer, thread, .index = i + 1, .tid = p->threads[i].tid,
                 .name = bm_write_text(p->threads[i].name));
}

static uint64_t peak_of(const struct bm_profile *p, size_t benchmark)
{
    return benchmark ? p->benchmarks[benchmark - 1].figures.peak_bytes
                     : p->totals.peak_bytes;
}

void bm_write_ledger(struct bm_writer *writer, size_t benchmark,
                     const struct bm_figures *figures, uint64_t nr_passes)
{
    uint64_t words[BM_NR_WORDS_ledger] = {
        [BM_LEDGER_live] = figures->live_bytes,
        [BM_LEDGER_peak] = figures->peak_bytes,
        [BM_LEDGER_nr_passes] = nr_passes,
        [BM_LEDGER_allocations] = benchmark ? 0 : figures->allocations,
        [BM_LEDGER_peak_ordinal] = figures->peak_ordinal,
        [BM_LEDGER_saves] = bm_profile_has_savings(writer->profile, benchmark),
    };

    BM_WRITE(writer, ledger, .benchmark = benchmark,
             .ledger = BM_WRITE_WORDS(words));
}

static void write_moments(struct bm_writer *writer)
{
    const struct bm_profile *p = writer->profile;

    for (size_t i = 0; i < p->nr_moments; i++) {
        uint64_t words[BM_NR_WORDS_moment] = {
            [BM_MOMENT_allocated] = p->moments[i].allocated_bytes,
            [BM_MOMENT_live] = p->moments[i].live_bytes,
        };

        BM_WRITE(writer, moment, .moment = BM_WRITE_WORDS(words));
    }
}

/* With no interval left open: what all else held is told by `others`. */
static void write_savings(struct bm_writer *writer)
{
    const struct bm_profile *p = writer->profile;
    uint64_t index = 0;

    for (size_t i = 0; i < p->nr_savings; i++) {
        const struct bm_saving_info *info = &p->savings[i];
        uint64_t words[BM_SAVING_others + 1] = {
            [BM_SAVING_others] =
                peak_of(p, info->benchmark) - info->saves_bytes,
        };

        if (i == 0 || info->benchmark != info[-1].benchmark)
            index = 0;
        BM_WRITE(writer, saving, .benchmark = info->benchmark, .index = ++index,
                 .level = info->level, .of = info->of,
                 .saving = BM_WRITE_WORDS(words));
    }
    for (size_t i = 0; i < p->nr_groupings; i++) {
        const struct bm_grouping_info *info = &p->groupings[i];

        BM_WRITE(writer, grouping, .site = BM_WRITE_INDEX(info->site, p->sites),
                 .path = BM_WRITE_INDEX(info->path, p->paths),
                 .line = info->of[BM_SAVED_LINE],
                 .function = info->of[BM_SAVED_FUNCTION],
                 .type = info->of[BM_SAVED_TYPE]);
    }
}

static void write_pools(struct bm_writer *writer)
{
    const struct bm_profile *p = writer->profile;

    for (size_t i = 0; i < p->nr_pools; i++) {
        const struct bm_pool_info *pool = &p->pools[i];
        uint64_t words[BM_NR_WORDS_pool] = {
            [BM_POOL_takes] = pool->takes,
            [BM_POOL_gives] = pool->gives,
            [BM_POOL_resets] = pool->resets,
            [BM_POOL_taken] = pool->taken_bytes,
            [BM_POOL_given] = pool->given_bytes,
            [BM_POOL_live] = pool->live_bytes,
            [BM_POOL_peak] = pool->peak_bytes,
        };

        BM_WRITE(writer, pool, .name = bm_write_text(pool->name),
                 .pool = BM_WRITE_WORDS(words));
    }
}

static void write_access(struct bm_writer *writer,
                         const struct bm_node_info *node)
{
    const struct bm_profile *p = writer->profile;
    const struct bm_access *access = bm_access_of(&node->figures);
    uint64_t words[BM_NR_WORDS_access];

    if (!access->blocks)
        return;
    bm_access_put(access, words);
    BM_WRITE(writer, access, .site = BM_WRITE_INDEX(node->site, p->sites),
             .path = BM_WRITE_INDEX(node->path, p->paths),
             .thread = BM_WRITE_INDEX(node->thread, p->threads),
             .access = BM_WRITE_WORDS(words));
}

/* `seen` is the peak, so that at_peak holds whatever the pass was. */
static void write_nodes(struct bm_writer *writer)
{
    const struct bm_profile *p = writer->profile;

    for (size_t i = 0; i < p->nr_nodes; i++) {
        const struct bm_node_info *node = &p->nodes[i];
        const struct bm_figures *figures = &node->figures;
        uint64_t words[BM_NR_WORDS_node] = {
            [BM_NODE_allocations] = figures->allocations,
            [BM_NODE_frees] = figures->frees,
            [BM_NODE_allocated] = figures->allocated_bytes,
            [BM_NODE_freed] = figures->freed_bytes,
            [BM_NODE_live] = node->figures.live_bytes,
            [BM_NODE_at_peak] = node->figures.at_peak_bytes,
            [BM_NODE_seen] = peak_of(p, node->benchmark),
            [BM_NODE_temporary] = figures->temporary,
            [BM_NODE_inherited_blocks] = figures->inherited_blocks,
            [BM_NODE_inherited_bytes] = figures->inherited_bytes,
            [BM_NODE_at_peak_blocks] = figures->at_peak_blocks,
        };

        BM_WRITE(writer, node, .benchmark = node->benchmark,
                 .site = BM_WRITE_INDEX(node->site, p->sites),
                 .path = BM_WRITE_INDEX(node->path, p->paths),
                 .thread = BM_WRITE_INDEX(node->thread, p->threads),
                 .node = BM_WRITE_WORDS(words));
        write_access(writer, node);
    }
}

int bm_profile_write(const struct bm_profile *profile, int fd)
{
    struct bm_writer writer = {.profile = profile, .fd = fd};

    writer.buffer = malloc(BUFFER_SIZE);
    if (!writer.buffer)
        return -1;
    msgpack_packer_init(&writer.packer, &writer, append);
    write_head(&writer);
    write_modules(&writer);
    write_frames(&writer);
    write_sites(&writer);
    write_paths(&writer);
    write_threads(&writer);
    for (size_t i = 0; i < profile->nr_processes; i++)
        write_process(&writer, i + 1);
    bm_write_ledger(&writer, 0, &profile->totals, 0);
    bm_write_benchmarks(&writer);
    write_pools(&writer);
    write_moments(&writer);
    write_savings(&writer);
    write_nodes(&writer);
    flush(&writer);
    free(writer.buffer);
    if (!writer.error)
        return 0;
    errno = writer.error;
    return -1;
}
