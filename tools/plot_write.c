/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/plot.h"

#include "base/error.h"
#include "base/escape.h"
#include "tools/page.h"

#include <string.h>

enum bm_plot_form bm_plot_form_of(const char *output)
{
    static const struct {
        const char *suffix;
        enum bm_plot_form form;
    } forms[] = {
        {".html", BM_PLOT_HTML}, {".htm", BM_PLOT_HTML},
        {".json", BM_PLOT_JSON}, {".svg", BM_PLOT_SVG},
        {".png", BM_PLOT_PNG},   {".pdf", BM_PLOT_PDF},
    };

    if (!output)
        return BM_PLOT_HTML;
    const char *slash = strrchr(output, '/');
    const char *name = slash ? slash + 1 : output;
    const char *dot = strrchr(name, '.');
    if (!dot || dot == name)
        return BM_PLOT_HTML;
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        if (!strcmp(dot, forms[i].suffix))
            return forms[i].form;
    }
    bm_die("cannot write %s: a plot is .html, .svg, .png, .pdf or .json",
           output);
}

static void write_title(FILE *file, const void *context)
{
    const struct bm_plot *plot = context;
    struct bm_str plain = BM_STR_INIT, text = BM_STR_INIT;

    for (size_t i = 0; i < plot->nr_runs; i++) {
        bm_escape_terminal(&plain, plot->runs[i]->label);
        bm_str_puts(&plain, i + 1 < plot->nr_runs ? ", " : "");
    }
    bm_escape_html(&text, plain.data);
    fprintf(file, "%s: %s, %s", text.data, bm_measure_info(plot->measure)->name,
            bm_plot_view_names[plot->view]);
    bm_str_clear(&plain);
    bm_str_clear(&text);
}

static void write_spec(FILE *file, const void *context)
{
    FILE *json = bm_page_open_json(file);

    json_dumpf(context, json, JSON_COMPACT);
    fclose(json);
}

void bm_plot_write_page(struct bm_plot *plot, const json_t *spec, FILE *file)
{
    const struct bm_slot slots[] = {
        {"title", write_title, plot},
        {"data", write_spec, spec},
        {NULL, NULL, NULL},
    };

    bm_page_write(&bm_page_plot, slots, file);
}
