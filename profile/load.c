/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "load.h"

#include "figures.h"

#include <string.h>

static const char wrong_type[] =
    "damaged: a field of this record has the wrong type";
static const char bad_index[] =
    "damaged: the index of this record is out of range";
static const char bad_order[] =
    "damaged: this record refers to a later one of its kind";

bool bm_load_fail(struct bm_load *load, const char *why)
{
    if (!load->error->why) {
        load->error->why = why;
        load->error->offset = load->at;
    }
    return false;
}

bool bm_load_fail_memory(struct bm_load *load)
{
    return bm_load_fail(load, "out of memory");
}

/* ---- fields ---- */

static bool keep(struct bm_load *load, const char **out, struct bm_text text)
{
    *out = NULL;
    if (!text.data)
        return true;
    *out = bm_arena_text(load->arena, text.data, text.size);
    return *out || bm_load_fail_memory(load);
}

/* The same where the reader promises a string. */
static bool keep_some(struct bm_load *load, const char **out,
                      struct bm_text text, const char *otherwise)
{
    if (!keep(load, out, text))
        return false;
    if (!*out)
        *out = otherwise;
    return true;
}

static bool keep_in(struct bm_load *load, struct bm_rows *rows,
                    struct bm_text text)
{
    const char **row = bm_rows_add(rows);

    if (!row)
        return bm_load_fail_memory(load);
    return keep_some(load, row, text, "");
}

static void *put(struct bm_load *load, struct bm_table *table, uint64_t index,
                 bool *again)
{
    void *row;

    if (index == 0 || index > load->max_index) {
        bm_load_fail(load, bad_index);
        return NULL;
    }
    row = bm_table_put(table, index, again);
    if (!row)
        bm_load_fail_memory(load);
    return row;
}

static void *add(struct bm_load *load, struct bm_rows *rows)
{
    void *row = bm_rows_add(rows);

    if (!row)
        bm_load_fail_memory(load);
    return row;
}

static void *reference(const struct bm_load *load, uint64_t index)
{
    return bm_index_as_pointer(index <= load->max_index ? index : 0);
}

static size_t benchmark_index(const struct bm_load *load, uint64_t index)
{
    /* One that cannot exist is dropped with the others that do not. */
    return index <= load->max_index ? index : load->max_index + 1;
}

static uint32_t clamp32(uint64_t value)
{
    return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

/* ---- one function for each record ---- */

static bool unpack_failed(struct bm_load *load)
{
    return bm_load_fail(load, wrong_type);
}

/* The fields of a record, or a return with the fault. */
#define UNPACK(name, r)                                                        \
    struct bm_record_##name r;                                                 \
    if (!bm_unpack_##name(object, &r))                                         \
    return unpack_failed(load)

#define WORD(words, LIST, name) bm_words_get(words, BM_##LIST##_##name)

static bool load_head(struct bm_load *load, const msgpack_object *object)
{
    struct bm_profile *p = load->profile;

    UNPACK(head, r);
    if (load->has_head)
        return true;
    load->has_head = true;
    p->schema_version = clamp32(r.schema_version);
    p->pid = r.pid;
    p->parent_pid = r.parent_pid;
    p->start_ns = r.start_ns;
    return keep_some(load, &p->writer, r.writer, "") &&
           keep_some(load, &p->program, r.program, "") &&
           keep_some(load, &p->cwd, r.cwd, "") &&
           keep(load, &p->host, r.host) && keep(load, &p->options, r.options) &&
           keep(load, &p->rank, r.rank);
}

static bool load_argument(struct bm_load *load, const msgpack_object *object)
{
    struct bm_raw_argument *raw;

    UNPACK(argument, r);
    if (r.process == 0)
        return keep_in(load, &load->arguments, r.text);
    raw = bm_rows_add(&load->process_arguments);
    if (!raw)
        return bm_load_fail_memory(load);
    raw->process = r.process;
    return keep_some(load, &raw->text, r.text, "");
}

static bool load_note(struct bm_load *load, const msgpack_object *object)
{
    UNPACK(note, r);
    return keep_in(load, &load->notes, r.text);
}

static bool load_state(struct bm_load *load, const msgpack_object *object)
{
    struct bm_profile *p = load->profile;
    uint64_t kind;

    UNPACK(state, r);
    if (load->has_state)
        return true;
    load->has_state = true;
    kind = WORD(r.state, STATE, end_kind);
    p->end = kind <= BM_END_EXEC ? (enum bm_end)kind : BM_END_UNKNOWN;
    if (p->end != BM_END_UNKNOWN)
        p->end_value = WORD(r.state, STATE, end_value);
    p->flags |= (unsigned)WORD(r.state, STATE, flags);
    return true;
}

static bool load_module(struct bm_load *load, const msgpack_object *object)
{
    struct bm_module *module;
    bool again;

    UNPACK(module, r);
    module = put(load, &load->modules, r.index, &again);
    if (!module || again)
        return module;
    module->bias = r.bias;
    module->instrumented = r.instrumented;
    if (r.symbols <= BM_SYMBOLS_OTHER)
        module->symbols = (enum bm_symbol_source)r.symbols;
    return keep_some(load, &module->path, r.path, "") &&
           keep(load, &module->build_id, r.build_id);
}

static bool load_frame(struct bm_load *load, const msgpack_object *object)
{
    struct bm_frame_info *frame;
    bool again;

    UNPACK(frame, r);
    if (r.inlined_into && r.inlined_into >= r.index)
        return bm_load_fail(load, bad_order);
    frame = put(load, &load->frames, r.index, &again);
    if (!frame || again)
        return frame;
    frame->line = clamp32(r.line);
    frame->column = clamp32(r.column);
    frame->inlined_into = reference(load, r.inlined_into);
    frame->module = reference(load, r.module);
    frame->offset = r.offset;
    frame->flags = (unsigned)r.flags;
    return keep(load, &frame->function, r.function) &&
           keep(load, &frame->linkage_name, r.linkage_name) &&
           keep(load, &frame->file, r.file) && keep(load, &frame->dir, r.dir) &&
           keep(load, &frame->callee, r.callee) &&
           keep(load, &frame->type, r.type);
}

static bool load_site(struct bm_load *load, const msgpack_object *object)
{
    struct bm_site_info *site;
    bool again;

    UNPACK(site, r);
    site = put(load, &load->sites, r.index, &again);
    if (!site || again)
        return site;
    site->id = r.id;
    site->frame = reference(load, r.frame);
    site->module = reference(load, r.module);
    site->elided = r.elided;
    return keep_some(load, &site->kind, r.kind, "outside") &&
           keep(load, &site->callee, r.callee) &&
           keep(load, &site->type, r.type) &&
           keep(load, &site->size_expr, r.size_expr) &&
           keep(load, &site->count, r.count);
}

static bool load_path(struct bm_load *load, const msgpack_object *object)
{
    struct bm_path_info *path;
    bool again;

    UNPACK(path, r);
    if (r.outer && r.outer >= r.index)
        return bm_load_fail(load, bad_order);
    path = put(load, &load->paths, r.index, &again);
    if (!path || again)
        return path;
    path->outer = reference(load, r.outer);
    path->frame = reference(load, r.frame);
    path->site = reference(load, r.site);
    path->other = r.flags & 1;
    return true;
}

static bool load_thread(struct bm_load *load, const msgpack_object *object)
{
    struct bm_profile *p = load->profile;
    struct bm_thread_info *thread;
    bool again = false;

    UNPACK(thread, r);
    if (r.index) {
        thread = put(load, &load->threads, r.index, &again);
        if (!thread || again)
            return thread;
        thread->tid = r.tid;
        if (!keep(load, &thread->name, r.name))
            return false;
    }
    p->unknown_frees += WORD(r.thread, THREAD, unknown_frees);
    p->failed_allocations += WORD(r.thread, THREAD, failed_allocations);
    p->dropped += WORD(r.thread, THREAD, dropped);
    for (size_t i = 0; i < BM_NR_SIZES; i++)
        p->sizes[i] += bm_words_get(r.thread, BM_THREAD_sizes_0 + i);
    return true;
}

static bool load_benchmark(struct bm_load *load, const msgpack_object *object)
{
    struct bm_raw_benchmark *benchmark;
    bool again;

    UNPACK(benchmark, r);
    benchmark = put(load, &load->benchmarks, r.index, &again);
    if (!benchmark || benchmark->name)
        return benchmark;
    benchmark->frame = reference(load, r.frame);
    return keep_some(load, &benchmark->name, r.name, "");
}

static bool load_param(struct bm_load *load, const msgpack_object *object)
{
    struct bm_raw_param *raw;
    struct bm_param_info *param;

    UNPACK(param, r);
    raw = add(load, &load->params);
    if (!raw)
        return false;
    raw->benchmark = benchmark_index(load, r.benchmark);
    param = &raw->param;
    param->kind = r.type <= BM_VALUE_STRING ? (enum bm_param_kind)r.type
                                            : BM_VALUE_UNSIGNED;
    if (!keep_some(load, &param->name, r.name, ""))
        return false;
    if (param->kind == BM_VALUE_STRING)
        return keep(load, &param->value.s, r.text);
    memcpy(&param->value, &r.bits, sizeof(r.bits));
    return true;
}

static bool load_ledger(struct bm_load *load, const msgpack_object *object)
{
    struct bm_raw_benchmark *ledger = &load->process;
    bool again;

    UNPACK(ledger, r);
    if (r.benchmark)
        ledger = put(load, &load->benchmarks, r.benchmark, &again);
    if (!ledger)
        return false;
    load->has_ledger |= r.benchmark == 0;
    ledger->peak = WORD(r.ledger, LEDGER, peak);
    ledger->peak_pass = WORD(r.ledger, LEDGER, peak_pass);
    ledger->nr_passes = WORD(r.ledger, LEDGER, nr_passes);
    ledger->peak_ordinal = WORD(r.ledger, LEDGER, peak_ordinal);
    ledger->saves = WORD(r.ledger, LEDGER, saves);
    return true;
}

static enum bm_measured measured(uint64_t word)
{
    return word <= BM_MEASURED_RSS ? (enum bm_measured)word
                                   : BM_MEASURED_MEMORY;
}

static bool load_pass(struct bm_load *load, const msgpack_object *object)
{
    struct bm_raw_pass *raw;

    UNPACK(pass, r);
    raw = add(load, &load->passes);
    if (!raw)
        return false;
    raw->benchmark = benchmark_index(load, r.benchmark);
    raw->serial = WORD(r.pass, PASS, serial);
    raw->pass = (struct bm_pass_info){
        .peak_bytes = WORD(r.pass, PASS, peak),
        .allocated_bytes = WORD(r.pass, PASS, allocated),
        .allocations = WORD(r.pass, PASS, allocations),
        .retained_bytes = WORD(r.pass, PASS, retained),
        .time_ns = WORD(r.pass, PASS, time_ns),
        .setup_peak_rss_bytes = WORD(r.pass, PASS, setup_peak_rss),
        .peak_rss_bytes = WORD(r.pass, PASS, peak_rss),
        .measured = measured(WORD(r.pass, PASS, measure)),
        .began_bytes = WORD(r.pass, PASS, began),
        .ended_bytes = WORD(r.pass, PASS, ended),
        .open = WORD(r.pass, PASS, open) != 0,
    };
    return true;
}

#define RANGE(words, metric)                                                   \
    (struct bm_range)                                                          \
    {                                                                          \
        WORD(words, PASSES, metric##_min), WORD(words, PASSES, metric##_max),  \
            WORD(words, PASSES, metric##_sum)                                  \
    }

static bool load_passes(struct bm_load *load, const msgpack_object *object)
{
    struct bm_raw_passes *raw;

    UNPACK(passes, r);
    raw = add(load, &load->more_passes);
    if (!raw)
        return false;
    raw->benchmark = benchmark_index(load, r.benchmark);
    raw->count = WORD(r.passes, PASSES, count);
    raw->peak = RANGE(r.passes, peak);
    raw->allocated = RANGE(r.passes, allocated);
    raw->allocations = RANGE(r.passes, allocations);
    raw->retained = RANGE(r.passes, retained);
    raw->time = RANGE(r.passes, time);
    raw->measured = measured(WORD(r.passes, PASSES, measure));
    return true;
}

/* Made for a site or path that then did nothing. */
static bool is_idle(struct bm_words words)
{
    static const unsigned char telling[] = {
        BM_NODE_allocations,     BM_NODE_frees,     BM_NODE_allocated,
        BM_NODE_freed,           BM_NODE_temporary, BM_NODE_inherited_blocks,
        BM_NODE_inherited_bytes,
    };

    for (size_t i = 0; i < sizeof(telling); i++)
        if (bm_words_get(words, telling[i]))
            return false;
    return true;
}

static bool load_node(struct bm_load *load, const msgpack_object *object)
{
    struct bm_node_info *node;
    struct bm_figures *figures;

    UNPACK(node, r);
    if (is_idle(r.node))
        return true;
    node = add(load, &load->nodes);
    if (!node)
        return false;
    node->benchmark = benchmark_index(load, r.benchmark);
    node->site = reference(load, r.site);
    node->path = reference(load, r.path);
    node->thread = reference(load, r.thread);
    figures = &node->figures;
    figures->allocations = WORD(r.node, NODE, allocations);
    figures->frees = WORD(r.node, NODE, frees);
    figures->allocated_bytes = WORD(r.node, NODE, allocated);
    figures->freed_bytes = WORD(r.node, NODE, freed);
    figures->temporary = WORD(r.node, NODE, temporary);
    figures->inherited_blocks = WORD(r.node, NODE, inherited_blocks);
    figures->inherited_bytes = WORD(r.node, NODE, inherited_bytes);
    figures->at_peak_blocks = WORD(r.node, NODE, at_peak_blocks);
    figures->live_blocks = WORD(r.node, NODE, before_blocks);
    figures->at_peak_bytes = WORD(r.node, NODE, seen);
    figures->peak_bytes = WORD(r.node, NODE, pass);
    figures->live_bytes = WORD(r.node, NODE, live);
    figures->saves_bytes = WORD(r.node, NODE, at_peak);
    return true;
}

static bool load_mark(struct bm_load *load, const msgpack_object *object)
{
    struct bm_raw_mark *mark;

    UNPACK(mark, r);
    mark = add(load, &load->marks);
    if (!mark)
        return false;
    mark->benchmark = benchmark_index(load, r.benchmark);
    mark->site = r.site;
    mark->peak = WORD(r.mark, MARK, peak);
    mark->peak_ordinal = WORD(r.mark, MARK, peak_ordinal);
    return true;
}

static void read_process(struct bm_process_info *info, struct bm_words words)
{
    uint64_t kind = WORD(words, PROCESS, end_kind);
    struct bm_figures *totals = &info->totals;

    info->end = kind <= BM_END_EXEC ? (enum bm_end)kind : BM_END_UNKNOWN;
    if (info->end != BM_END_UNKNOWN)
        info->end_value = WORD(words, PROCESS, end_value);
    info->flags = (unsigned)WORD(words, PROCESS, flags);
    info->complete = bm_is_complete(info->end, info->flags);
    info->counted = WORD(words, PROCESS, counted) != 0;
    info->unknown_frees = WORD(words, PROCESS, unknown_frees);
    info->failed_allocations = WORD(words, PROCESS, failed_allocations);
    info->dropped = WORD(words, PROCESS, dropped);
    totals->allocations = WORD(words, PROCESS, allocations);
    totals->frees = WORD(words, PROCESS, frees);
    totals->allocated_bytes = WORD(words, PROCESS, allocated);
    totals->freed_bytes = WORD(words, PROCESS, freed);
    totals->peak_bytes = WORD(words, PROCESS, peak);
    totals->at_peak_bytes = totals->peak_bytes;
    totals->temporary = WORD(words, PROCESS, temporary);
    totals->inherited_blocks = WORD(words, PROCESS, inherited_blocks);
    totals->inherited_bytes = WORD(words, PROCESS, inherited_bytes);
    totals->live_bytes = bm_figures_held(totals);
    totals->live_blocks = bm_figures_held_blocks(totals);
}

static bool load_process(struct bm_load *load, const msgpack_object *object)
{
    struct bm_raw_process *raw;
    struct bm_process_info *info;
    bool again;

    UNPACK(process, r);
    raw = put(load, &load->processes, r.index, &again);
    if (!raw || again)
        return raw;
    info = &raw->info;
    info->pid = r.pid;
    info->parent_pid = r.parent_pid;
    info->start_ns = r.start_ns;
    raw->first_thread = r.first_thread;
    raw->nr_threads = r.nr_threads;
    read_process(info, r.process);
    return keep_some(load, &info->program, r.program, "") &&
           keep_some(load, &info->cwd, r.cwd, "") &&
           keep(load, &info->host, r.host) && keep(load, &info->rank, r.rank);
}

static bool load_process_mark(struct bm_load *load,
                              const msgpack_object *object)
{
    struct bm_raw_process_mark *mark;

    UNPACK(process_mark, r);
    mark = add(load, &load->process_marks);
    if (!mark)
        return false;
    *mark = (struct bm_raw_process_mark){r.process, r.site, r.peak};
    return true;
}

typedef bool record_loader(struct bm_load *, const msgpack_object *);

/* Those of declared.c, by the names that the table makes. */
#define load_declared bm_load_declared
#define load_label bm_load_label
#define load_failure bm_load_failure
#define load_pool bm_load_pool
#define load_moment bm_load_moment /* timeline.c */
#define load_saving bm_load_saving /* saves.c */
#define load_grouping bm_load_grouping
#define load_access bm_load_access /* access.c */

bool bm_load_record(struct bm_load *load, const msgpack_object *object)
{
    static record_loader *const loaders[] = {
#define BM_RECORD(tag, name, meaning) [tag] = load_##name,
#include "schema.inc"
    };
    const msgpack_object_array *array = &object->via.array;
    uint64_t tag;

    if (object->type != MSGPACK_OBJECT_ARRAY || array->size == 0 ||
        array->ptr[0].type != MSGPACK_OBJECT_POSITIVE_INTEGER)
        return bm_load_fail(load, "damaged: no record begins here");
    tag = array->ptr[0].via.u64;
    if (tag >= sizeof(loaders) / sizeof(loaders[0]) || !loaders[tag])
        return true;
    return loaders[tag](load, object);
}
