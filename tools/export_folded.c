/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Folded (collapsed) stacks: one stack a line, outermost frame first, frames
 * parted by `;`, and behind the last space the stack's own number. A `;` of a
 * name becomes `:`, as readers split there; `#` starts a comment only at the
 * start of a line.
 */
#include "tools/export.h"

static void write_label(struct bm_str *out, const struct bm_call_place *place)
{
    bm_label_plain(out, place, ';', ':');
}

static void write_folded(const struct bm_export *export, FILE *file)
{
    struct bm_str end = BM_STR_INIT;
    struct bm_call_tree tree;
    struct bm_labels labels;
    struct bm_stacks stacks;

    bm_export_tree(export, 0, &tree);
    const uint64_t *totals = tree.totals[export->metric];
    bm_labels_init(&labels, &tree, write_label);
    bm_stacks_init(&stacks, &tree, &labels, ";", false, totals);
    while (bm_stacks_next(&stacks)) {
        bool comment = stacks.text[0] == '#';

        bm_str_truncate(&end, 0);
        bm_str_putc(&end, ' ');
        bm_put_number(&end, totals[stacks.leaf]);
        bm_str_putc(&end, '\n');
        if (comment)
            putc_unlocked('_', file);
        fwrite_unlocked(stacks.text + comment, 1, stacks.size - comment, file);
        fwrite_unlocked(end.data, 1, end.size, file);
    }
    bm_stacks_clear(&stacks);
    bm_labels_clear(&labels);
    bm_call_tree_clear(&tree);
    bm_str_clear(&end);
}

const struct bm_export_format bm_export_folded = {
    .name = "folded",
    .suffix = ".folded",
    .reader = "flamegraph.pl, inferno, speedscope, Perfetto",
    .scope = BM_EXPORT_PROCESS,
    .write = write_folded,
};
