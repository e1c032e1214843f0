/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "load.h"

#include <string.h>

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

bool bm_load_fail_type(struct bm_load *load)
{
    return bm_load_fail(load,
                        "damaged: a field of this record has the wrong type");
}

/* ---- fields ---- */

bool bm_load_keep(struct bm_load *load, const char **out, struct bm_text text)
{
    *out = NULL;
    if (!text.data)
        return true;
    *out = bm_arena_text(load->arena, text.data, text.size);
    return *out || bm_load_fail_memory(load);
}

bool bm_load_keep_some(struct bm_load *load, const char **out,
                       struct bm_text text, const char *otherwise)
{
    if (!bm_load_keep(load, out, text))
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
    return bm_load_keep_some(load, row, text, "");
}

void *bm_load_put(struct bm_load *load, struct bm_table *table, uint64_t index,
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

void *bm_load_add(struct bm_load *load, struct bm_rows *rows)
{
    void *row = bm_rows_add(rows);

    if (!row)
        bm_load_fail_memory(load);
    return row;
}

void *bm_load_reference(const struct bm_load *load, uint64_t index)
{
    return bm_index_as_pointer(index <= load->max_index ? index : 0);
}

size_t bm_load_benchmark_index(const struct bm_load *load, uint64_t index)
{
    return index <= load->max_index ? index : load->max_index + 1;
}

static uint32_t clamp32(uint64_t value)
{
    return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

/* ---- one function for each record ---- */

static bool load_head(struct bm_load *load, const msgpack_object *object)
{
    struct bm_profile *p = load->profile;

    BM_LOAD_UNPACK(head, r);
    if (load->has_head)
        return true;
    load->has_head = true;
    p->schema_version = clamp32(r.schema_version);
    p->pid = r.pid;
    p->parent_pid = r.parent_pid;
    p->start_ns = r.start_ns;
    return bm_load_keep_some(load, &p->writer, r.writer, "") &&
           bm_load_keep_some(load, &p->program, r.program, "") &&
           bm_load_keep_some(load, &p->cwd, r.cwd, "") &&
           bm_load_keep(load, &p->host, r.host) &&
           bm_load_keep(load, &p->options, r.options) &&
           bm_load_keep(load, &p->rank, r.rank);
}

static bool load_argument(struct bm_load *load, const msgpack_object *object)
{
    struct bm_raw_argument *raw;

    BM_LOAD_UNPACK(argument, r);
    if (r.process == 0)
        return keep_in(load, &load->arguments, r.text);
    raw = bm_load_add(load, &load->process_arguments);
    if (!raw)
        return false;
    raw->process = r.process;
    return bm_load_keep_some(load, &raw->text, r.text, "");
}

static bool load_note(struct bm_load *load, const msgpack_object *object)
{
    BM_LOAD_UNPACK(note, r);
    return keep_in(load, &load->notes, r.text);
}

static bool load_state(struct bm_load *load, const msgpack_object *object)
{
    struct bm_profile *p = load->profile;
    uint64_t kind;

    BM_LOAD_UNPACK(state, r);
    if (load->has_state)
        return true;
    load->has_state = true;
    kind = BM_LOAD_WORD(r.state, STATE, end_kind);
    p->end = kind <= BM_END_EXEC ? (enum bm_end)kind : BM_END_UNKNOWN;
    if (p->end != BM_END_UNKNOWN)
        p->end_value = BM_LOAD_WORD(r.state, STATE, end_value);
    p->flags |= (unsigned)BM_LOAD_WORD(r.state, STATE, flags);
    return true;
}

static bool load_module(struct bm_load *load, const msgpack_object *object)
{
    struct bm_module *module;
    bool again;

    BM_LOAD_UNPACK(module, r);
    module = bm_load_put(load, &load->modules, r.index, &again);
    if (!module || again)
        return module;
    module->bias = r.bias;
    module->instrumented = r.instrumented;
    if (r.symbols <= BM_SYMBOLS_OTHER)
        module->symbols = (enum bm_symbol_source)r.symbols;
    return bm_load_keep_some(load, &module->path, r.path, "") &&
           bm_load_keep(load, &module->build_id, r.build_id);
}

static bool load_frame(struct bm_load *load, const msgpack_object *object)
{
    struct bm_frame_info *frame;
    bool again;

    BM_LOAD_UNPACK(frame, r);
    if (r.inlined_into && r.inlined_into >= r.index)
        return bm_load_fail(load, bad_order);
    frame = bm_load_put(load, &load->frames, r.index, &again);
    if (!frame || again)
        return frame;
    frame->line = clamp32(r.line);
    frame->column = clamp32(r.column);
    frame->inlined_into = bm_load_reference(load, r.inlined_into);
    frame->module = bm_load_reference(load, r.module);
    frame->offset = r.offset;
    frame->flags = (unsigned)r.flags;
    return bm_load_keep(load, &frame->function, r.function) &&
           bm_load_keep(load, &frame->linkage_name, r.linkage_name) &&
           bm_load_keep(load, &frame->file, r.file) &&
           bm_load_keep(load, &frame->dir, r.dir) &&
           bm_load_keep(load, &frame->callee, r.callee) &&
           bm_load_keep(load, &frame->type, r.type);
}

static bool load_site(struct bm_load *load, const msgpack_object *object)
{
    struct bm_site_info *site;
    bool again;

    BM_LOAD_UNPACK(site, r);
    site = bm_load_put(load, &load->sites, r.index, &again);
    if (!site || again)
        return site;
    site->id = r.id;
    site->frame = bm_load_reference(load, r.frame);
    site->module = bm_load_reference(load, r.module);
    site->elided = r.elided;
    return bm_load_keep_some(load, &site->kind, r.kind, "outside") &&
           bm_load_keep(load, &site->callee, r.callee) &&
           bm_load_keep(load, &site->type, r.type) &&
           bm_load_keep(load, &site->size_expr, r.size_expr) &&
           bm_load_keep(load, &site->count, r.count);
}

bool bm_load_one_path(struct bm_load *load, const struct bm_record_path *r)
{
    struct bm_path_info *path;
    bool again;

    if (r->outer && r->outer >= r->index)
        return bm_load_fail(load, bad_order);
    path = bm_load_put(load, &load->paths, r->index, &again);
    if (!path || again)
        return path;
    path->outer = bm_load_reference(load, r->outer);
    path->frame = bm_load_reference(load, r->frame);
    path->site = bm_load_reference(load, r->site);
    path->other = r->flags & 1;
    return true;
}

static bool load_path(struct bm_load *load, const msgpack_object *object)
{
    BM_LOAD_UNPACK(path, r);
    return bm_load_one_path(load, &r);
}

static bool load_thread(struct bm_load *load, const msgpack_object *object)
{
    struct bm_profile *p = load->profile;
    struct bm_thread_info *thread;
    bool again = false;

    BM_LOAD_UNPACK(thread, r);
    if (r.index) {
        thread = bm_load_put(load, &load->threads, r.index, &again);
        if (!thread || again)
            return thread;
        thread->tid = r.tid;
        if (!bm_load_keep(load, &thread->name, r.name))
            return false;
    }
    p->unknown_frees += BM_LOAD_WORD(r.thread, THREAD, unknown_frees);
    p->failed_allocations += BM_LOAD_WORD(r.thread, THREAD, failed_allocations);
    p->dropped += BM_LOAD_WORD(r.thread, THREAD, dropped);
    for (size_t i = 0; i < BM_NR_SIZES; i++)
        p->sizes[i] += bm_words_get(r.thread, BM_THREAD_sizes_0 + i);
    return true;
}

static bool load_benchmark(struct bm_load *load, const msgpack_object *object)
{
    struct bm_raw_benchmark *benchmark;
    bool again;

    BM_LOAD_UNPACK(benchmark, r);
    benchmark = bm_load_put(load, &load->benchmarks, r.index, &again);
    if (!benchmark || benchmark->name)
        return benchmark;
    benchmark->frame = bm_load_reference(load, r.frame);
    return bm_load_keep_some(load, &benchmark->name, r.name, "");
}

static bool load_param(struct bm_load *load, const msgpack_object *object)
{
    struct bm_raw_param *raw;
    struct bm_param_info *param;

    BM_LOAD_UNPACK(param, r);
    raw = bm_load_add(load, &load->params);
    if (!raw)
        return false;
    raw->benchmark = bm_load_benchmark_index(load, r.benchmark);
    param = &raw->param;
    param->kind = r.type <= BM_VALUE_STRING ? (enum bm_param_kind)r.type
                                            : BM_VALUE_UNSIGNED;
    if (!bm_load_keep_some(load, &param->name, r.name, ""))
        return false;
    if (param->kind == BM_VALUE_STRING)
        return bm_load_keep(load, &param->value.s, r.text);
    memcpy(&param->value, &r.bits, sizeof(r.bits));
    return true;
}

static bool load_ledger(struct bm_load *load, const msgpack_object *object)
{
    struct bm_raw_benchmark *ledger = &load->process;
    bool again;

    BM_LOAD_UNPACK(ledger, r);
    if (r.benchmark)
        ledger = bm_load_put(load, &load->benchmarks, r.benchmark, &again);
    if (!ledger)
        return false;
    load->has_ledger |= r.benchmark == 0;
    ledger->peak = BM_LOAD_WORD(r.ledger, LEDGER, peak);
    ledger->peak_pass = BM_LOAD_WORD(r.ledger, LEDGER, peak_pass);
    ledger->nr_passes = BM_LOAD_WORD(r.ledger, LEDGER, nr_passes);
    ledger->peak_ordinal = BM_LOAD_WORD(r.ledger, LEDGER, peak_ordinal);
    ledger->saves = BM_LOAD_WORD(r.ledger, LEDGER, saves);
    return true;
}

static bool load_mark(struct bm_load *load, const msgpack_object *object)
{
    struct bm_raw_mark *mark;

    BM_LOAD_UNPACK(mark, r);
    mark = bm_load_add(load, &load->marks);
    if (!mark)
        return false;
    mark->benchmark = bm_load_benchmark_index(load, r.benchmark);
    mark->site = r.site;
    mark->peak = BM_LOAD_WORD(r.mark, MARK, peak);
    mark->peak_ordinal = BM_LOAD_WORD(r.mark, MARK, peak_ordinal);
    return true;
}

typedef bool record_loader(struct bm_load *, const msgpack_object *);

/* Those of other files, by the names that the table makes. */
#define load_node bm_load_node         /* nodes.c */
#define load_declared bm_load_declared /* declared.c */
#define load_label bm_load_label
#define load_failure bm_load_failure
#define load_pool bm_load_pool
#define load_pass bm_load_pass /* passes.c */
#define load_passes bm_load_passes
#define load_process bm_load_process /* processes.c */
#define load_process_mark bm_load_process_mark
#define load_moment bm_load_moment /* timeline.c */
#define load_saving bm_load_saving /* saves.c */
#define load_grouping bm_load_grouping
#define load_access bm_load_access /* access.c */
#define load_nodes bm_load_nodes   /* blocks.c */
#define load_paths bm_load_paths

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
