/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/error.h"
#include "base/escape.h"
#include "base/memory.h"
#include "tools/export.h"

#include <stdlib.h>
#include <string.h>

void bm_labels_init(struct bm_labels *labels, const struct bm_call_tree *tree,
                    void (*write)(struct bm_str *out,
                                  const struct bm_call_place *place))
{
    struct bm_str text = BM_STR_INIT;

    *labels = (struct bm_labels){
        .texts = bm_xcalloc(tree->nr_places, sizeof(*labels->texts)),
        .sizes = bm_xcalloc(tree->nr_places, sizeof(*labels->sizes)),
        .arena = BM_ARENA_INIT,
    };
    for (uint32_t i = 0; i < tree->nr_places; i++) {
        bm_str_truncate(&text, 0);
        write(&text, &tree->places[i]);
        labels->texts[i] = bm_arena_strdup(&labels->arena, text.data);
        labels->sizes[i] = text.size;
    }
    bm_str_clear(&text);
}

void bm_labels_clear(struct bm_labels *labels)
{
    free(labels->texts);
    free(labels->sizes);
    bm_arena_release(&labels->arena);
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

void bm_fragments_init(struct bm_fragments *fragments,
                       const struct bm_call_tree *tree,
                       void (*write)(struct bm_json *json,
                                     const struct bm_call_place *place))
{
    size_t size;
    FILE *memory = open_memstream(&fragments->text, &size);

    if (!memory)
        bm_die("out of memory");
    fragments->ends = bm_xcalloc(tree->nr_places, sizeof(size_t));
    for (uint32_t i = 0; i < tree->nr_places; i++) {
        struct bm_json json;

        bm_json_init(&json, memory, 0);
        write(&json, &tree->places[i]);
        fragments->ends[i] = (size_t)ftello(memory);
    }
    if (fclose(memory))
        bm_die("out of memory");
}

const char *bm_fragment(const struct bm_fragments *fragments, uint32_t place,
                        size_t *size)
{
    size_t start = place ? fragments->ends[place - 1] : 0;

    *size = fragments->ends[place] - start;
    return fragments->text + start;
}

void bm_fragments_clear(struct bm_fragments *fragments)
{
    free(fragments->text);
    free(fragments->ends);
}
