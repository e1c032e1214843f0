/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/escape.h"
#include "base/memory.h"
#include "tools/export.h"

#include <stdlib.h>
#include <string.h>

static void make_room(struct bm_labels *labels, const struct bm_call_tree *tree)
{
    labels->ends = bm_xcalloc(tree->nr_places, sizeof(*labels->ends));
}

void bm_labels_init(struct bm_labels *labels, const struct bm_call_tree *tree,
                    void (*write)(struct bm_str *out,
                                  const struct bm_call_place *place))
{
    struct bm_str text = BM_STR_INIT;

    make_room(labels, tree);
    for (uint32_t i = 0; i < tree->nr_places; i++) {
        write(&text, &tree->places[i]);
        labels->ends[i] = text.size;
    }
    labels->text = bm_str_detach(&text);
}

void bm_labels_init_json(struct bm_labels *labels,
                         const struct bm_call_tree *tree,
                         void (*write)(struct bm_json *json,
                                       const struct bm_call_place *place))
{
    struct bm_str text = BM_STR_INIT;

    make_room(labels, tree);
    for (uint32_t i = 0; i < tree->nr_places; i++) {
        struct bm_json json;

        bm_json_init_text(&json, &text, 0);
        write(&json, &tree->places[i]);
        bm_json_flush(&json);
        labels->ends[i] = text.size;
    }
    labels->text = bm_str_detach(&text);
}

void bm_labels_init_numbers(struct bm_labels *labels,
                            const struct bm_call_tree *tree,
                            const uint32_t *numbers)
{
    struct bm_str text = BM_STR_INIT;

    make_room(labels, tree);
    for (uint32_t i = 0; i < tree->nr_places; i++) {
        bm_put_number(&text, numbers[i]);
        labels->ends[i] = text.size;
    }
    labels->text = bm_str_detach(&text);
}

void bm_labels_clear(struct bm_labels *labels)
{
    free(labels->text);
    free(labels->ends);
}

void bm_label_plain(struct bm_str *out, const struct bm_call_place *place,
                    char from, char to)
{
    struct bm_str label = BM_STR_INIT;
    size_t start = out->size;

    bm_call_label(place, &label);
    bm_escape_terminal(out, label.data);
    for (char *p = memchr(out->data + start, from, out->size - start); p;
         p = strchr(p, from))
        *p = to;
    bm_str_clear(&label);
}
