/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Newline-delimited JSON: one object for each stack of the process
 * (`benchmark` null) and of each benchmark, with the keys that they have in
 * benchmem-report's JSON, and the metric under its own key.
 */
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
    bm_json_put_string(json, "function",
                       place->flags & BM_CALL_OUTSIDE ? NULL : place->function);
    bm_json_put_string(json, "file", place->file);
    put_line(json, "line", place->line);
    put_line(json, "column", place->column);
}

/* Frames are many: what is rare is only there where it is so. */
static void write_frame(struct bm_json *json, const struct bm_call_place *place)
{
    bm_json_begin_object(json);
    put_place(json, place);
    bm_json_put_bool(json, "inlined", place->flags & BM_CALL_INLINED);
    if (place->flags & BM_CALL_TAIL)
        bm_json_put_bool(json, "tail", true);
    if (place->module)
        bm_json_put_string(json, "module", place->module);
    bm_json_end_object(json);
}

/* What the rows of a leaf's place have in common; empty for other places. */
static void write_site(struct bm_json *json, const struct bm_call_place *place)
{
    const struct bm_site_info *site = place->site;
    const struct bm_frame_info *frame = place->frame;
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
    bm_json_put_string(json, "linkage_name",
                       frame && frame->linkage_name ? frame->linkage_name
                       : frame                      ? frame->function
                                                    : NULL);
    bm_json_put_string(json, "module", place->module);
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
static void put_start(struct bm_str *line,
                      const struct bm_benchmark_info *benchmark)
{
    struct bm_json json;

    bm_json_init_text(&json, line, 0);
    bm_json_begin_object(&json);
    bm_json_put_string(&json, "benchmark", benchmark ? benchmark->id : NULL);
    bm_json_key(&json, "params");
    bm_json_begin_object(&json);
    for (size_t i = 0; benchmark && i < benchmark->nr_params; i++)
        write_param(&json, &benchmark->params[i]);
    bm_json_end_object(&json);
    bm_json_flush(&json);
}

static void write_window(const struct bm_export *export, size_t window,
                         FILE *file)
{
    struct bm_call_tree tree;
    struct bm_labels frames, sites;
    struct bm_stacks stacks;
    struct bm_str line = BM_STR_INIT;

    bm_export_tree(export, window, &tree);
    const uint64_t *totals = tree.totals[export->metric];
    bm_labels_init_json(&frames, &tree, write_frame);
    bm_labels_init_json(&sites, &tree, write_site);
    put_start(&line, export->windows[window]);
    bm_str_printf(&line, ", \"%s\": ", bm_export_key(export->metric));
    size_t start = line.size;
    bm_stacks_init(&stacks, &tree, &frames, ", ", false, totals);
    while (bm_stacks_next(&stacks)) {
        size_t size;
        const char *site =
            bm_label_of(&sites, tree.nodes[stacks.leaf].place, &size);

        bm_str_truncate(&line, start);
        bm_put_number(&line, totals[stacks.leaf]);
        bm_str_puts(&line, ", ");
        /* An object of its own: without its braces. */
        bm_str_add(&line, site + 1, size - 2);
        bm_str_puts(&line, ", \"frames\": [");
        fwrite_unlocked(line.data, 1, line.size, file);
        fwrite_unlocked(stacks.text, 1, stacks.size, file);
        fwrite_unlocked("]}\n", 1, 3, file);
    }
    bm_stacks_clear(&stacks);
    bm_str_clear(&line);
    bm_labels_clear(&frames);
    bm_labels_clear(&sites);
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
