/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "figures.h"
#include "profile.h"
#include "records.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUFFER_SIZE ((size_t)64 << 10)

/* Keeps the first errno; after it, nothing is written any more. */
struct writer {
    const struct bm_profile *profile;
    int fd;
    int error;
    size_t filled;
    char *buffer;
    msgpack_packer packer;
};

static void flush(struct writer *writer)
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
    struct writer *writer = data;

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

/* A record as a compound literal; what is not named is 0 or nil. */
#define WRITE(writer, name, ...)                                               \
    check(writer, bm_pack_##name(&(writer)->packer,                            \
                                 &(struct bm_record_##name){__VA_ARGS__}))

static void check(struct writer *writer, int error)
{
    if (error && !writer->error)
        writer->error = EOVERFLOW; /* a text beyond what msgpack can hold */
}

static struct bm_text text_of(const char *text)
{
    return (struct bm_text){text, text ? strlen(text) : 0};
}

/* Words in the file's order; list is an array of nr native words. */
static struct bm_words words_of(uint64_t *list, size_t nr)
{
    for (size_t i = 0; i < nr; i++)
        list[i] = htole64(list[i]);
    return (struct bm_words){list, nr};
}
#define WORDS(list) words_of(list, sizeof(list) / sizeof((list)[0]))

/* Numbers from 1 of what a pointer points at in one of the arrays. */
#define INDEX(pointer, array)                                                  \
    ((pointer) ? (uint64_t)((pointer) - (array)) + 1 : 0)

static void write_head(struct writer *writer)
{
    const struct bm_profile *p = writer->profile;
    uint64_t state[BM_NR_WORDS_state] = {
        [BM_STATE_end_kind] = p->end,
        [BM_STATE_end_value] = p->end_value,
        [BM_STATE_flags] = p->flags,
    };

    WRITE(writer, head, .magic = text_of(BM_PROFILE_MAGIC),
          .schema_version = BM_SCHEMA_VERSION, .writer = text_of(p->writer),
          .program = text_of(p->program), .cwd = text_of(p->cwd),
          .host = text_of(p->host), .pid = p->pid, .parent_pid = p->parent_pid,
          .start_ns = p->start_ns, .options = text_of(p->options),
          .rank = text_of(p->rank));
    for (size_t i = 0; i < p->nr_arguments; i++)
        WRITE(writer, argument, .text = text_of(p->arguments[i]));
    WRITE(writer, state, .state = WORDS(state));
    for (size_t i = 0; i < p->nr_notes; i++)
        WRITE(writer, note, .text = text_of(p->notes[i]));
}

static void write_modules(struct writer *writer)
{
    const struct bm_profile *p = writer->profile;

    for (size_t i = 0; i < p->nr_modules; i++) {
        const struct bm_module *module = &p->modules[i];

        WRITE(writer, module, .index = i + 1, .path = text_of(module->path),
              .build_id = text_of(module->build_id), .bias = module->bias,
              .instrumented = module->instrumented, .symbols = module->symbols);
    }
}

static void write_frames(struct writer *writer)
{
    const struct bm_profile *p = writer->profile;

    for (size_t i = 0; i < p->nr_frames; i++) {
        const struct bm_frame_info *frame = &p->frames[i];

        WRITE(writer, frame, .index = i + 1,
              .function = text_of(frame->function),
              .linkage_name = text_of(frame->linkage_name),
              .file = text_of(frame->file), .dir = text_of(frame->dir),
              .line = frame->line, .column = frame->column,
              .inlined_into = INDEX(frame->inlined_into, p->frames),
              .callee = text_of(frame->callee), .flags = frame->flags,
              .module = INDEX(frame->module, p->modules),
              .offset = frame->offset, .type = text_of(frame->type));
    }
}

static void write_mark(struct writer *writer, size_t benchmark,
                       const struct bm_site_info *site,
                       const struct bm_figures *figures)
{
    uint64_t words[BM_NR_WORDS_mark] = {
        [BM_MARK_peak] = figures->peak_bytes,
        [BM_MARK_peak_ordinal] = figures->peak_ordinal,
    };

    WRITE(writer, mark, .benchmark = benchmark,
          .site = INDEX(site, writer->profile->sites), .mark = WORDS(words));
}

static void write_sites(struct writer *writer)
{
    const struct bm_profile *p = writer->profile;

    for (size_t i = 0; i < p->nr_sites; i++) {
        const struct bm_site_info *site = &p->sites[i];
        const struct bm_figures *figures = &site->figures;

        WRITE(writer, site, .index = i + 1, .id = site->id,
              .frame = INDEX(site->frame, p->frames),
              .kind = text_of(site->kind), .callee = text_of(site->callee),
              .type = text_of(site->type),
              .size_expr = text_of(site->size_expr),
              .count = text_of(site->count), .elided = site->elided,
              .module = INDEX(site->module, p->modules));
        if (figures->peak_ordinal ||
            (figures->peak_bytes > figures->at_peak_bytes &&
             figures->peak_bytes > figures->live_bytes))
            write_mark(writer, 0, site, figures);
    }
}

static void write_paths(struct writer *writer)
{
    const struct bm_profile *p = writer->profile;

    for (size_t i = 0; i < p->nr_paths; i++) {
        const struct bm_path_info *path = &p->paths[i];

        WRITE(writer, path, .index = i + 1,
              .outer = INDEX(path->outer, p->paths),
              .frame = INDEX(path->frame, p->frames),
              .site = INDEX(path->site, p->sites), .flags = path->other);
    }
}

static void write_process(struct writer *writer, size_t index)
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
    WRITE(writer, process, .index = index, .program = text_of(info->program),
          .cwd = text_of(info->cwd), .host = text_of(info->host),
          .pid = info->pid, .parent_pid = info->parent_pid,
          .start_ns = info->start_ns, .rank = text_of(info->rank),
          .first_thread = first_thread, .nr_threads = nr_threads,
          .process = WORDS(words));
    for (size_t i = 0; i < info->nr_arguments; i++)
        WRITE(writer, argument, .text = text_of(info->arguments[i]),
              .process = index);
    for (size_t i = 0; i < info->nr_sites; i++) {
        const struct bm_figures *figures = &info->sites[i].figures;

        if (figures->peak_bytes > figures->at_peak_bytes &&
            figures->peak_bytes > figures->live_bytes)
            WRITE(writer, process_mark, .process = index,
                  .site = INDEX(info->sites[i].site, p->sites),
                  .peak = figures->peak_bytes);
    }
}

/* Threads, and once for all of them what was counted by thread. */
static void write_threads(struct writer *writer)
{
    const struct bm_profile *p = writer->profile;
    uint64_t words[BM_NR_WORDS_thread] = {
        [BM_THREAD_unknown_frees] = p->unknown_frees,
        [BM_THREAD_failed_allocations] = p->failed_allocations,
        [BM_THREAD_dropped] = p->dropped,
    };

    memcpy(&words[BM_THREAD_sizes_0], p->sizes, sizeof(p->sizes));

    WRITE(writer, thread, .index = 0, .thread = WORDS(words));
    for (size_t i = 0; i < p->nr_threads; i++)
        WRITE(writer, thread, .index = i + 1, .tid = p->threads[i].tid,
              .name = text_of(p->threads[i].name));
}

static uint64_t peak_of(const struct bm_profile *p, size_t benchmark)
{
    return benchmark ? p->benchmarks[benchmark - 1].figures.peak_bytes
                     : p->totals.peak_bytes;
}

static void write_ledger(struct writer *writer, size_t benchmark,
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

    WRITE(writer, ledger, .benchmark = benchmark, .ledger = WORDS(words));
}

static void write_params(struct writer *writer, size_t benchmark,
                         const struct bm_benchmark_info *info)
{
    for (size_t i = 0; i < info->nr_params; i++) {
        const struct bm_param_info *param = &info->params[i];
        bool is_string = param->kind == BM_VALUE_STRING;

        WRITE(writer, param, .benchmark = benchmark,
              .name = text_of(param->name), .type = param->kind,
              .bits = is_string ? 0 : param->value.u,
              .text = text_of(is_string ? param->value.s : NULL));
    }
}

static void write_passes(struct writer *writer, size_t benchmark,
                         const struct bm_benchmark_info *info)
{
    for (size_t i = 0; i < info->nr_passes; i++) {
        const struct bm_pass_info *pass = &info->passes[i];
        uint64_t words[BM_NR_WORDS_pass] = {
            [BM_PASS_serial] = i + 1,
            [BM_PASS_open] = pass->open,
            [BM_PASS_peak] = pass->peak_bytes,
            [BM_PASS_allocated] = pass->allocated_bytes,
            [BM_PASS_allocations] = pass->allocations,
            [BM_PASS_retained] = pass->retained_bytes,
            [BM_PASS_measure] = pass->measured,
            [BM_PASS_time_ns] = pass->time_ns,
            [BM_PASS_setup_peak_rss] = pass->setup_peak_rss_bytes,
            [BM_PASS_peak_rss] = pass->peak_rss_bytes,
            [BM_PASS_began] = pass->began_bytes,
            [BM_PASS_ended] = pass->ended_bytes,
        };

        WRITE(writer, pass, .benchmark = benchmark, .pass = WORDS(words));
    }
}

static void write_more_passes(struct writer *writer, size_t benchmark,
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
        WRITE(writer, passes, .benchmark = benchmark, .passes = WORDS(words));
}

/* Of a benchmark that says something of itself. */
static void write_declared(struct writer *writer, size_t benchmark,
                           const struct bm_benchmark_info *info)
{
    const struct bm_declared_info *d = &info->declared;

    if (d->group || d->suite || d->flags || d->calls > 1)
        WRITE(writer, declared, .benchmark = benchmark,
              .group = text_of(d->group), .suite = text_of(d->suite),
              .calls = d->calls, .flags = d->flags,
              .max_peak = d->max_peak_bytes,
              .max_allocated = d->max_allocated_bytes,
              .max_allocations = d->max_allocations);
    for (size_t i = 0; i < info->nr_labels; i++) {
        const struct bm_param_info *label = &info->labels[i];
        bool is_string = label->kind == BM_VALUE_STRING;

        WRITE(writer, label, .benchmark = benchmark,
              .name = text_of(label->name), .type = label->kind,
              .bits = is_string ? 0 : label->value.u,
              .text = text_of(is_string ? label->value.s : NULL));
    }
    for (size_t i = 0; i < info->nr_failures; i++)
        WRITE(writer, failure, .benchmark = benchmark,
              .text = text_of(info->failures[i]));
}

static void write_moments(struct writer *writer)
{
    const struct bm_profile *p = writer->profile;

    for (size_t i = 0; i < p->nr_moments; i++) {
        uint64_t words[BM_NR_WORDS_moment] = {
            [BM_MOMENT_allocated] = p->moments[i].allocated_bytes,
            [BM_MOMENT_live] = p->moments[i].live_bytes,
        };

        WRITE(writer, moment, .moment = WORDS(words));
    }
}

/* With no interval left open: what all else held is told by `others`. */
static void write_savings(struct writer *writer)
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
        WRITE(writer, saving, .benchmark = info->benchmark, .index = ++index,
              .level = info->level, .of = info->of, .saving = WORDS(words));
    }
    for (size_t i = 0; i < p->nr_groupings; i++) {
        const struct bm_grouping_info *info = &p->groupings[i];

        WRITE(writer, grouping, .site = INDEX(info->site, p->sites),
              .path = INDEX(info->path, p->paths),
              .line = info->of[BM_SAVED_LINE],
              .function = info->of[BM_SAVED_FUNCTION],
              .type = info->of[BM_SAVED_TYPE]);
    }
}

static void write_pools(struct writer *writer)
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

        WRITE(writer, pool, .name = text_of(pool->name), .pool = WORDS(words));
    }
}

static void write_benchmarks(struct writer *writer)
{
    const struct bm_profile *p = writer->profile;

    for (size_t i = 0; i < p->nr_benchmarks; i++) {
        const struct bm_benchmark_info *info = &p->benchmarks[i];

        WRITE(writer, benchmark, .index = i + 1, .name = text_of(info->name),
              .frame = INDEX(info->frame, p->frames));
        write_params(writer, i + 1, info);
        write_declared(writer, i + 1, info);
        write_ledger(writer, i + 1, &info->figures,
                     info->nr_passes + info->nr_more_passes);
        write_passes(writer, i + 1, info);
        write_more_passes(writer, i + 1, info);
        for (size_t s = 0; s < info->nr_sites; s++) {
            const struct bm_figures *figures = &info->sites[s].figures;

            if (figures->peak_ordinal ||
                figures->peak_bytes > figures->at_peak_bytes)
                write_mark(writer, i + 1, info->sites[s].site, figures);
        }
    }
}

static void write_access(struct writer *writer, const struct bm_node_info *node)
{
    const struct bm_profile *p = writer->profile;
    const struct bm_access *access = bm_access_of(&node->figures);
    uint64_t words[BM_NR_WORDS_access];

    if (!access->blocks)
        return;
    bm_access_put(access, words);
    WRITE(writer, access, .site = INDEX(node->site, p->sites),
          .path = INDEX(node->path, p->paths),
          .thread = INDEX(node->thread, p->threads), .access = WORDS(words));
}

/* `seen` is the peak, so that at_peak holds whatever the pass was. */
static void write_nodes(struct writer *writer)
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

        WRITE(writer, node, .benchmark = node->benchmark,
              .site = INDEX(node->site, p->sites),
              .path = INDEX(node->path, p->paths),
              .thread = INDEX(node->thread, p->threads), .node = WORDS(words));
        write_access(writer, node);
    }
}

int bm_profile_write(const struct bm_profile *profile, int fd)
{
    struct writer writer = {.profile = profile, .fd = fd};

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
    write_ledger(&writer, 0, &profile->totals, 0);
    write_benchmarks(&writer);
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
