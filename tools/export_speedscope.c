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
    struct bm_labels labels;
    struct bm_str text = BM_STR_INIT;

    bm_labels_init_json(&labels, tree, write_frame);
    for (uint32_t i = 0; i < tree->nr_places; i++) {
        size_t size;
        const char *label = bm_label_of(&labels, i, &size);

        bm_str_truncate(&text, 0);
        bm_str_add(&text, label, size);
        numbers[i] = bm_intern(&frames->numbers, text.data);
        if (numbers[i] != frames->count)
            continue;
        bm_str_puts(&frames->json, frames->count++ ? ",\n      " : "\n      ");
        bm_str_add(&frames->json, text.data, text.size);
    }
    bm_str_clear(&text);
    bm_labels_clear(&labels);
    return numbers;
}

/*
 * One array a line, without the detours of bm_json: there can be millions.
 * The leaves in their order, of which *count becomes the number; to be freed.
 */
static uint32_t *write_samples(struct bm_json *json,
                               const struct bm_call_tree *tree,
                               const uint64_t *totals, const uint32_t *numbers,
                               size_t *count)
{
    uint32_t *leaves = NULL;
    size_t room = 0;
    struct bm_labels labels;
    struct bm_stacks stacks;

    *count = 0;
    bm_json_key(json, "samples");
    bm_json_begin_array(json);
    bm_labels_init_numbers(&labels, tree, numbers);
    bm_stacks_init(&stacks, tree, &labels, ",", false, totals);
    while (bm_stacks_next(&stacks)) {
        if (*count)
            bm_json_raw(json, ",", 1);
        bm_json_raw(json, "\n[", 2);
        bm_json_raw(json, stacks.text, stacks.size);
        bm_json_raw(json, "]", 1);
        leaves = bm_xgrow(leaves, *count, &room, sizeof(*leaves));
        leaves[(*count)++] = stacks.leaf;
    }
    bm_json_end_array(json);
    bm_stacks_clear(&stacks);
    bm_labels_clear(&labels);
    return leaves;
}

static void write_weights(struct bm_json *json, const uint64_t *totals,
                          const uint32_t *leaves, size_t count)
{
    bm_json_key(json, "weights");
    bm_json_begin_array(json);
    for (size_t i = 0; i < count; i++)
        bm_json_uint(json, totals[leaves[i]]);
    bm_json_end_array(json);
}

/* The sum of the weights. */
static uint64_t write_profile(struct bm_json *json,
                              const struct bm_export *export, size_t window,
                              struct frames *frames)
{
    struct bm_call_tree tree;
    struct bm_str name = BM_STR_INIT;
    size_t count;

    bm_export_tree(export, window, &tree);
    const uint64_t *totals = tree.totals[export->metric];
    uint64_t total = totals[0];
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
    uint32_t *leaves = write_samples(json, &tree, totals, numbers, &count);
    write_weights(json, totals, leaves, count);
    bm_json_end_object(json);

    free(leaves);
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
    bm_json_raw(&json, frames.json.data, frames.json.size);
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
