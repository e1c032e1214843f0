/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * benchmem-plot: runs as charts.
 */
#include "tools/plot.h"

#include "base/error.h"
#include "base/locate.h"
#include "base/output.h"
#include "tools/open.h"
#include "tools/page.h"

#include <stdlib.h>
#include <string.h>

static void load_runs(struct bm_plot *plot)
{
    const struct bm_plot_options *o = plot->options;

    plot->runs = bm_xcalloc(o->args.count, sizeof(*plot->runs));
    for (size_t i = 0; i < o->args.count; i++) {
        struct bm_run *run = bm_run_load(o->args.items[i], NULL);

        if (!run)
            exit(BM_EXIT_USAGE);
        if (o->labels.count)
            bm_run_set_label(run, o->labels.items[i]);
        plot->runs[plot->nr_runs++] = run;
    }
}

/* Beside the first run, as NAME.VIEW.html. */
static char *output_beside(const struct bm_plot *plot)
{
    static const char *const suffixes[] = {BM_PROFILE_SUFFIX, ".json"};
    struct bm_str path = BM_STR_INIT;

    bm_str_puts(&path, plot->runs[0]->source);
    while (path.size > 1 && path.data[path.size - 1] == '/')
        bm_str_truncate(&path, path.size - 1);
    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
        size_t size = strlen(suffixes[i]);

        if (path.size > size &&
            !strcmp(path.data + path.size - size, suffixes[i])) {
            bm_str_truncate(&path, path.size - size);
            break;
        }
    }
    bm_str_printf(&path, ".%s.html", bm_plot_view_names[plot->view]);
    return bm_str_detach(&path);
}

static int write_form(struct bm_plot *plot, const json_t *spec,
                      enum bm_plot_form form, FILE *file)
{
    switch (form) {
    case BM_PLOT_HTML:
        bm_plot_write_page(plot, spec, file);
        return 0;
    case BM_PLOT_JSON:
        json_dumpf(spec, file, JSON_INDENT(1));
        putc('\n', file);
        return 0;
    default:
        return bm_plot_write_picture(spec, form, file);
    }
}

static int write_output(struct bm_plot *plot, const json_t *spec,
                        enum bm_plot_form form)
{
    const struct bm_common *common = &plot->options->common;
    char *path =
        common->output ? bm_xstrdup(common->output) : output_beside(plot);
    struct bm_output output;
    int failed =
        bm_output_open(&output, path, common->force || !common->output);

    if (!failed) {
        bool named = output.path != NULL;

        failed = write_form(plot, spec, form, output.file);
        if (failed)
            bm_output_abandon(&output);
        else
            failed = bm_output_close(&output);
        if (!failed && named)
            printf("%s\n", path);
    }
    if (!failed && plot->options->open)
        failed = bm_open_in_browser(path);
    free(path);
    return failed;
}

/* Refuses what cannot be written before anything is read. */
static enum bm_plot_form check_output(const struct bm_plot_options *o)
{
    const char *path = o->common.output;
    enum bm_plot_form form = bm_plot_form_of(path);
    struct bm_output output;

    if (o->open && path && !strcmp(path, "-"))
        bm_die("--open needs a file, not standard output");
    if (form == BM_PLOT_HTML)
        bm_page_check(&bm_page_plot, "name a .json file with --output");
    else if (form != BM_PLOT_JSON)
        bm_plot_check_picture(form);
    if (!path)
        return form;
    if (bm_output_open(&output, path, o->common.force))
        exit(BM_EXIT_USAGE);
    bm_output_abandon(&output);
    return form;
}

static void clear(struct bm_plot *plot)
{
    bm_joined_clear(&plot->joined);
    for (size_t i = 0; i < plot->nr_runs; i++)
        bm_run_free(plot->runs[i]);
    free(plot->runs);
    free(plot->points);
    bm_strvec_clear(&plot->series);
    bm_strvec_clear(&plot->notes);
    bm_arena_release(&plot->arena);
}

int main(int argc, char **argv)
{
    struct bm_plot_options o = {
        .args = BM_STRVEC_INIT,
        .labels = BM_STRVEC_INIT,
        .where = BM_STRVEC_INIT,
        .top = UINT64_MAX,
    };
    struct bm_plot plot = {
        .options = &o,
        .series = BM_STRVEC_INIT,
        .notes = BM_STRVEC_INIT,
        .arena = BM_ARENA_INIT,
    };

    bm_command_parse(&bm_plot_command, argc, argv, &o.common, &o);
    enum bm_plot_form form = check_output(&o);
    load_runs(&plot);
    bm_plot_gather(&plot);
    plot.view = bm_plot_choose_view(&plot);
    json_t *spec = bm_plot_make_spec(&plot);
    for (size_t i = 0; i < plot.notes.count; i++)
        bm_warn("%s", plot.notes.items[i]);
    int failed = write_output(&plot, spec, form);

    json_decref(spec);
    clear(&plot);
    bm_strvec_clear(&o.args);
    bm_strvec_clear(&o.labels);
    bm_strvec_clear(&o.where);
    return failed ? BM_EXIT_USAGE : BM_EXIT_OK;
}
