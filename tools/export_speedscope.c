/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * speedscope's JSON: one sampled profile for the process and one for each
 * benchmark. A sample is a stack, outermost frame first; its weight is the
 * stack's own number, so the axis that speedscope draws is not time but bytes
 * (or counts). Schema: file-format-schema.json of the speedscope package.
 */
#include "base/json.h"
#include "base/memory.h"
#include "tools/export.h"
#include "tools/intern.h"

#include <stdlib.h>
#include <string.h>

/* Levels with a line for each value. */
#define LINES 3

/* Frames of all windows, each once, as JSON. */
struct frames {
    struct bm_intern numbers;
    struct bm_str json; /* objects, parted by commas */
    uint32_t count;
};

static void write_frame(struct bm_json *json, const struct bm_call_place *place)
{
    struct bm_str name = BM_STR_INIT;

    bm_label_plain(&name, place, '\n', ' ');
    bm_json_begin_object(json);
    bm_json_put_string(json, "name", name.data);
    if (place->file)
        bm_json_put_string(json, "file", place->file);
    if (place->file && place->line)
        bm_json_put_uint(json, "line", place->line);
    if (place->file && place->line && place->column)
        bm_json_put_uint(json, "col", place->column);
    bm_json_end_object(json);
    bm_str_clear(&name);
}

/* The numbers of a tree's places among all frames; to be freed. */
static uint32_t *add_frames(struct frames *frames,
                            const struct bm_call_tree *tree)
{
    uint32_t *numbers = bm_xcalloc(tree->nr_places, sizeof(*numbers));
    struct bm_fragments fragments;
    struct bm_str text = BM_STR_INIT;

    bm_fragments_init(&fragments, tree, write_frame);
    for (uint32_t i = 0; i < tree->nr_places; i++) {
        size_t size;
        const char *fragment = bm_fragment(&fragments, i, &size);

        bm_str_truncate(&text, 0);
        bm_str_add(&text, fragment, size);
        numbers[i] = bm_intern(&frames->numbers, text.data);
        if (numbers[i] != frames->count)
            continue;
        bm_str_puts(&frames->json, frames->count++ ? ",\n      " : "\n      ");
        bm_str_add(&frames->json, text.data, text.size);
    }
    bm_str_clear(&text);
    bm_fragments_clear(&fragments);
    return numbers;
}

/* One array a line, without the detours of bm_json: there can be millions. */
static void write_samples(struct bm_json *json, const struct bm_call_tree *tree,
                          enum bm_metric metric, const uint32_t *numbers)
{
    struct bm_stack stack = BM_STACK_INIT;
    struct bm_str line = BM_STR_INIT;
    bool first = true;

    bm_json_key(json, "samples");
    bm_json_begin_array(json);
    for (uint32_t n = 1; n < tree->nr_nodes; n++) {
        if (!tree->totals[metric][n] || !bm_is_leaf(tree, n))
            continue;
        bm_str_truncate(&line, 0);
        bm_str_puts(&line, first ? "\n[" : ",\n[");
        bm_stack_of(&stack, tree, n);
        for (size_t i = stack.depth; i-- > 0;) {
            bm_put_number(&line, numbers[stack.places[i]]);
            bm_str_putc(&line, i ? ',' : ']');
        }
        fwrite_unlocked(line.data, 1, line.size, json->file);
        first = false;
    }
    bm_json_end_array(json);
    free(stack.places);
    bm_str_clear(&line);
}

/* In the order of the samples. */
static void write_weights(struct bm_json *json, const struct bm_call_tree *tree,
                          enum bm_metric metric)
{
    bm_json_key(json, "weights");
    bm_json_begin_array(json);
    for (uint32_t n = 1; n < tree->nr_nodes; n++) {
        if (tree->totals[metric][n] && bm_is_leaf(tree, n))
            bm_json_uint(json, tree->totals[metric][n]);
    }
    bm_json_end_array(json);
}

/* The sum of the weights. */
static uint64_t write_profile(struct bm_json *json,
                              const struct bm_export *export, size_t window,
                              struct frames *frames)
{
    struct bm_call_tree tree;
    struct bm_str name = BM_STR_INIT;

    bm_export_tree(export, window, &tree);
    uint64_t total = tree.totals[export->metric][0];
    uint32_t *numbers = add_frames(frames, &tree);

    bm_str_printf(&name, "%s: %s", bm_export_title(export, window),
                  bm_metric_meaning(export->metric));
    bm_json_begin_object(json);
    bm_json_put_string(json, "type", "sampled");
    bm_json_put_string(json, "name", name.data);
    bm_json_put_string(json, "unit",
                       strcmp(bm_export_unit(export->metric), "bytes") != 0
                           ? "none"
                           : "bytes");
    bm_json_put_uint(json, "startValue", 0);
    bm_json_put_uint(json, "endValue", total);
    write_samples(json, &tree, export->metric, numbers);
    write_weights(json, &tree, export->metric);
    bm_json_end_object(json);

    bm_str_clear(&name);
    free(numbers);
    bm_call_tree_clear(&tree);
    return total;
}

static void write_speedscope(const struct bm_export *export, FILE *file)
{
    struct frames frames = {BM_INTERN_INIT, BM_STR_INIT, 0};
    struct bm_json json;
    size_t heaviest = 0;
    uint64_t most = 0;

    bm_json_init(&json, file, LINES);
    bm_json_begin_object(&json);
    bm_json_put_string(&json, "$schema",
                       "https://www.speedscope.app/file-format-schema.json");
    bm_json_put_string(&json, "exporter", "benchmem-export@" BENCHMEM_VERSION);
    bm_json_put_string(&json, "name", export->profile->program);
    bm_json_key(&json, "profiles");
    bm_json_begin_array(&json);
    for (size_t i = 0; i < export->nr_windows; i++) {
        uint64_t total = write_profile(&json, export, i, &frames);

        if (total > most) {
            most = total;
            heaviest = i;
        }
    }
    bm_json_end_array(&json);
    bm_json_put_uint(&json, "activeProfileIndex", heaviest);
    bm_json_key(&json, "shared");
    bm_json_begin_object(&json);
    bm_json_key(&json, "frames");
    bm_json_begin_array(&json);
    fwrite_unlocked(frames.json.data, 1, frames.json.size, file);
    bm_json_end_array(&json);
    bm_json_end_object(&json);
    bm_json_end_object(&json);
    bm_json_finish(&json);
    bm_str_clear(&frames.json);
    bm_intern_clear(&frames.numbers);
}

const struct bm_export_format bm_export_speedscope = {
    .name = "speedscope",
    .suffix = ".speedscope.json",
    .reader = "speedscope (speedscope.app)",
    .scope = BM_EXPORT_ALL,
    .write = write_speedscope,
};
