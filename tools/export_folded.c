/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Folded (collapsed) stacks: one stack a line, outermost frame first, frames
 * parted by `;`, and behind the last space the stack's own number. A `;` of a
 * name becomes `:`, as readers split there; `#` starts a comment only at the
 * start of a line.
 */
#include "base/memory.h"
#include "tools/export.h"

#include <inttypes.h>
#include <stdlib.h>

static void write_label(struct bm_str *out, const struct bm_call_place *place)
{
    bm_label_plain(out, place, ';', ':');
}

/* The line of the walk's node; ends[d] is where the label at depth d ends. */
static void extend(struct bm_str *line, const size_t *ends,
                   const struct bm_call_walk *walk,
                   const struct bm_labels *labels)
{
    uint32_t place = walk->tree->nodes[walk->node].place;

    bm_str_truncate(line, ends[walk->depth - 1]);
    if (walk->depth > 1)
        bm_str_putc(line, ';');
    else if (labels->texts[place][0] == '#')
        bm_str_putc(line, '_');
    bm_str_add(line, labels->texts[place], labels->sizes[place]);
}

static void write_folded(const struct bm_export *export, FILE *file)
{
    struct bm_str line = BM_STR_INIT;
    struct bm_call_tree tree;
    struct bm_labels labels;
    size_t room = 64, *ends = bm_xcalloc(room, sizeof(*ends));

    bm_export_tree(export, 0, &tree);
    bm_labels_init(&labels, &tree, write_label);

    struct bm_call_walk walk = {.tree = &tree};
    while (bm_call_walk_next(&walk)) {
        uint64_t value = tree.totals[export->metric][walk.node];

        walk.skip = !value;
        if (!value)
            continue;
        ends = bm_xgrow(ends, walk.depth, &room, sizeof(*ends));
        extend(&line, ends, &walk, &labels);
        ends[walk.depth] = line.size;
        if (bm_export_site(&tree, walk.node)) {
            fwrite_unlocked(line.data, 1, line.size, file);
            fprintf(file, " %" PRIu64 "\n", value);
        }
    }
    free(ends);
    bm_labels_clear(&labels);
    bm_call_tree_clear(&tree);
    bm_str_clear(&line);
}

const struct bm_export_format bm_export_folded = {
    .name = "folded",
    .suffix = ".folded",
    .reader = "flamegraph.pl, inferno, speedscope, Perfetto",
    .scope = BM_EXPORT_PROCESS,
    .write = write_folded,
};
