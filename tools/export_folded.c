/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Folded (collapsed) stacks: one stack a line, outermost frame first, frames
 * parted by `;`, and behind the last space the stack's own number. A `;` of a
 * name becomes `:`, as readers split there; `#` starts a comment only at the
 * start of a line.
 */
#include "tools/export.h"

#include <stdlib.h>

static void write_label(struct bm_str *out, const struct bm_call_place *place)
{
    bm_label_plain(out, place, ';', ':');
}

static void write_folded(const struct bm_export *export, FILE *file)
{
    struct bm_str line = BM_STR_INIT;
    struct bm_stack stack = BM_STACK_INIT;
    struct bm_call_tree tree;
    struct bm_labels labels;

    bm_export_tree(export, 0, &tree);
    bm_labels_init(&labels, &tree, write_label);
    for (uint32_t n = 1; n < tree.nr_nodes; n++) {
        uint64_t value = tree.totals[export->metric][n];

        if (!value || !bm_is_leaf(&tree, n))
            continue;
        bm_str_truncate(&line, 0);
        bm_stack_of(&stack, &tree, n);
        for (size_t i = stack.depth; i-- > 0;) {
            uint32_t place = stack.places[i];

            bm_str_add(&line, labels.texts[place], labels.sizes[place]);
            bm_str_putc(&line, i ? ';' : ' ');
        }
        if (line.data[0] == '#')
            line.data[0] = '_';
        bm_put_number(&line, value);
        bm_str_putc(&line, '\n');
        fwrite_unlocked(line.data, 1, line.size, file);
    }
    free(stack.places);
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
