/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Newline-delimited JSON: one object for each stack of the process
 * (`benchmark` null) and of each benchmark, with the keys that they have in
 * benchmem-report's JSON, and the metric under its own key.
 */
#include "base/error.h"
#include "base/memory.h"
#include "tools/export.h"

#include <inttypes.h>
#include <stdlib.h>

static void put_line(struct bm_json *json, const char *key, uint32_t line)
{
    bm_json_key(json, key);
    if (line)
        bm_json_uint(json, line);
    else
        bm_json_null(json);
}

static void put_place(struct bm_json *json, const struct bm_call_place *place)
{
    const struct bm_frame_info *frame = place->frame;

    bm_json_put_string(json, "function",
                       place->flags & BM_CALL_OUTSIDE ? NULL : place->function);
    bm_json_put_string(json, "file", place->file);
    put_line(json, "line", place->line);
    put_line(json, "column", place->column);
    bm_json_put_string(json, "module", place->module);
    bm_json_put_string(json, "linkage_name",
                       frame && frame->linkage_name ? frame->linkage_name
                       : frame                      ? frame->function
                                                    : NULL);
}

static void write_frame(struct bm_json *json, const struct bm_call_place *place)
{
    bm_json_begin_object(json);
    put_place(json, place);
    bm_json_put_bool(json, "inlined", place->flags & BM_CALL_INLINED);
    bm_json_put_bool(json, "tail", place->flags & BM_CALL_TAIL);
    bm_json_end_object(json);
}

/* What the rows of a leaf's place have in common; empty for other places. */
static void write_site(struct bm_json *json, const struct bm_call_place *place)
{
    const struct bm_site_info *site = place->site;
    char id[17];

    if (!site)
        return;
    snprintf(id, sizeof(id), "%016" PRIx64, site->id);
    bm_json_begin_object(json);
    bm_json_put_string(json, "site", id);
    bm_json_put_string(json, "kind", site->kind);
    bm_json_put_string(json, "callee", site->callee);
    bm_json_put_string(json, "type", site->type);
    put_place(json, place);
    bm_json_put_bool(json, "other", place->flags & BM_CALL_REST);
    bm_json_end_object(json);
}

static void write_param(struct bm_json *json, const struct bm_param_info *param)
{
    bm_json_free_key(json, param->name);
    switch (param->kind) {
    case BM_VALUE_SIGNED:
        bm_json_int(json, param->value.i);
        return;
    case BM_VALUE_UNSIGNED:
        bm_json_uint(json, param->value.u);
        return;
    case BM_VALUE_DOUBLE:
        bm_json_double(json, param->value.d);
        return;
    case BM_VALUE_BOOL:
        bm_json_bool(json, param->value.u != 0);
        return;
    case BM_VALUE_STRING:
        bm_json_string(json, param->value.s);
        return;
    }
}

/* "benchmark" and "params", the start of every row of a window. */
static char *window_text(const struct bm_benchmark_info *benchmark,
                         size_t *size)
{
    char *text;
    FILE *memory = open_memstream(&text, size);
    struct bm_json json;

    if (!memory)
        bm_die("out of memory");
    bm_json_init(&json, memory, 0);
    bm_json_begin_object(&json);
    bm_json_put_string(&json, "benchmark", benchmark ? benchmark->id : NULL);
    bm_json_key(&json, "params");
    bm_json_begin_object(&json);
    for (size_t i = 0; benchmark && i < benchmark->nr_params; i++)
        write_param(&json, &benchmark->params[i]);
    bm_json_end_object(&json);
    if (fclose(memory))
        bm_die("out of memory");
    return text;
}

struct rows {
    FILE *file;
    const struct bm_call_tree *tree;
    enum bm_metric metric;
    char *start; /* of every row */
    size_t start_size;
    struct bm_fragments frames;
    struct bm_fragments sites;
    uint32_t *stack; /* places, from index 1 on */
    size_t room;
};

static void write_row(const struct rows *rows, const struct bm_call_walk *walk)
{
    uint32_t place = rows->tree->nodes[walk->node].place;
    size_t size;
    const char *text = bm_fragment(&rows->sites, place, &size);

    fwrite_unlocked(rows->start, 1, rows->start_size, rows->file);
    fprintf(rows->file, ", \"%s\": %" PRIu64 ", ", bm_export_key(rows->metric),
            rows->tree->totals[rows->metric][walk->node]);
    /* The fragment is an object of its own: without its braces. */
    fwrite_unlocked(text + 1, 1, size - 2, rows->file);
    fputs_unlocked(", \"frames\": [", rows->file);
    for (uint32_t i = 1; i <= walk->depth; i++) {
        text = bm_fragment(&rows->frames, rows->stack[i], &size);
        if (i > 1)
            fputs_unlocked(", ", rows->file);
        fwrite_unlocked(text, 1, size, rows->file);
    }
    fputs_unlocked("]}\n", rows->file);
}

static void write_window(const struct bm_export *export, size_t window,
                         FILE *file)
{
    struct bm_call_tree tree;
    struct rows rows = {.file = file, .tree = &tree, .metric = export->metric};
    struct bm_call_walk walk = {.tree = &tree};

    bm_export_tree(export, window, &tree);
    rows.start = window_text(export->windows[window], &rows.start_size);
    bm_fragments_init(&rows.frames, &tree, write_frame);
    bm_fragments_init(&rows.sites, &tree, write_site);
    while (bm_call_walk_next(&walk)) {
        walk.skip = !tree.totals[export->metric][walk.node];
        if (walk.skip)
            continue;
        rows.stack =
            bm_xgrow(rows.stack, walk.depth, &rows.room, sizeof(*rows.stack));
        rows.stack[walk.depth] = tree.nodes[walk.node].place;
        if (bm_export_site(&tree, walk.node))
            write_row(&rows, &walk);
    }
    free(rows.start);
    free(rows.stack);
    bm_fragments_clear(&rows.frames);
    bm_fragments_clear(&rows.sites);
    bm_call_tree_clear(&tree);
}

static void write_ndjson(const struct bm_export *export, FILE *file)
{
    for (size_t i = 0; i < export->nr_windows; i++)
        write_window(export, i, file);
}

const struct bm_export_format bm_export_ndjson = {
    .name = "ndjson",
    .suffix = ".ndjson",
    .reader = "jq, DuckDB, ClickHouse, pandas",
    .scope = BM_EXPORT_ALL,
    .write = write_ndjson,
};
