/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/flamegraph.h"

#include "base/escape.h"
#include "tools/page.h"

static void write_title(FILE *file, const void *context)
{
    struct bm_str title = BM_STR_INIT, plain = BM_STR_INIT, text = BM_STR_INIT;

    bm_flame_title(context, &title);
    bm_escape_terminal(&plain, title.data);
    bm_escape_html(&text, plain.data);
    fprintf(file, "%s: memory flame graph", text.data);
    bm_str_clear(&title);
    bm_str_clear(&plain);
    bm_str_clear(&text);
}

static void write_data(FILE *file, const void *context)
{
    FILE *json = bm_page_open_json(file);

    bm_flame_write_data(context, json);
    fclose(json);
}

void bm_flame_write_page(const struct bm_flame *flame, FILE *file)
{
    const struct bm_slot slots[] = {
        {"title", write_title, flame},
        {"data", write_data, flame},
        {NULL, NULL, NULL},
    };

    bm_page_write(&bm_page_flamegraph, slots, file);
}
