/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Any text as a size, as a count, and as what is escaped for each place that
 * the tools write to.
 */
#include "outputs.h"

#include "base/escape.h"
#include "base/json.h"
#include "base/size.h"
#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_size(const char *text)
{
    struct bm_str shown = BM_STR_INIT;
    uint64_t bytes, again;

    if (bm_count_parse(text, &bytes)) {
        bm_str_printf(&shown, "%llu", (unsigned long long)bytes);
        demand(bm_count_parse(shown.data, &again) && again == bytes,
               "counts read back");
    }
    bm_str_truncate(&shown, 0);
    if (bm_size_parse(text, &bytes)) {
        bm_size_print(&shown, bytes);
        demand(bm_size_parse(shown.data, &again) || bytes > UINT64_MAX / 2,
               "sizes read back");
        demand(bytes >= 1024 || again == bytes, "small sizes are exact");
    }
    bm_str_clear(&shown);
}

/* No byte that means something to HTML, and no entity but ours. */
static void check_html(const char *text)
{
    struct bm_str out = BM_STR_INIT;

    bm_escape_html(&out, text);
    demand_plain(out.data, out.size, "HTML is plain");
    demand(!strpbrk(out.data, "<>\"'"), "HTML has no markup");
    bm_str_clear(&out);
}

/* Each character of Markdown's punctuation stands behind a backslash. */
static void check_markdown(const char *text)
{
    struct bm_str out = BM_STR_INIT;

    bm_escape_markdown(&out, text);
    demand_plain(out.data, out.size, "Markdown is plain");
    for (const char *p = out.data; *p; p++) {
        if (*p == '\\' && p[1])
            p++;
        else
            demand(!strchr("|`*_[]<>", *p), "Markdown has no markup");
    }
    bm_str_clear(&out);
}

static void check_csv(const char *text)
{
    struct bm_str out = BM_STR_INIT;

    bm_escape_csv(&out, text);
    bm_str_putc(&out, '\n');
    demand_csv(out.data, out.size, "a field of CSV");
    bm_str_clear(&out);
}

static void write_json(FILE *file, void *text)
{
    struct bm_json json;

    bm_json_init(&json, file, 1);
    bm_json_begin_array(&json);
    bm_json_string(&json, text);
    bm_json_end_array(&json);
    bm_json_finish(&json);
}

static void check_shortened(const char *text, size_t width)
{
    struct bm_str clean = BM_STR_INIT, out = BM_STR_INIT;

    bm_escape_terminal(&clean, text);
    bm_utf8_shorten_middle(&out, clean.data, width);
    demand_plain(out.data, out.size, "a shortened text is plain");
    demand(bm_utf8_width(out.data) <= width, "it has room");
    bm_str_truncate(&out, 0);
    bm_utf8_shorten_end(&out, clean.data, width);
    demand_plain(out.data, out.size, "a shortened text is plain");
    demand(bm_utf8_width(out.data) <= width, "it has room");
    bm_str_clear(&clean);
    bm_str_clear(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bm_str text = BM_STR_INIT;
    size_t json_size;

    bm_utf8_init();
    bm_str_add(&text, (const char *)data, size);
    check_size(text.data);
    check_html(text.data);
    check_markdown(text.data);
    check_csv(text.data);
    check_shortened(text.data, size % 40);
    char *json = written(write_json, text.data, &json_size);
    demand_json(json, json_size, "a string of JSON");
    free(json);
    bm_str_clear(&text);
    return 0;
}
