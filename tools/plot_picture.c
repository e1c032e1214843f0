/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Pictures: Vega on Node makes the SVG, rsvg-convert turns that into PNG and
 * PDF. Both are programs that need not be there; the script for Node was made
 * by the build and is part of this command.
 */
#include "tools/plot.h"

#include "base/error.h"
#include "base/process.h"
#include "base/temporary.h"
#include "tools/page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Pictures are for screens of twice the usual density. */
#define PNG_ZOOM "2"

static const char *const node_names[] = {"node", "nodejs"};

static const char *const form_names[] = {
    [BM_PLOT_SVG] = "svg",
    [BM_PLOT_PNG] = "png",
    [BM_PLOT_PDF] = "pdf",
};

static bool is_there(const char *program)
{
    char *const argv[] = {(char *)program, "--version", NULL};
    struct bm_str text = BM_STR_INIT;
    struct bm_process_end end;
    bool there = !bm_process_capture(argv, &text, &end) &&
                 !bm_process_shell_status(&end);

    bm_str_clear(&text);
    return there;
}

static const char *find_node(void)
{
    for (size_t i = 0; i < sizeof(node_names) / sizeof(node_names[0]); i++) {
        if (is_there(node_names[i]))
            return node_names[i];
    }
    return NULL;
}

void bm_plot_check_picture(enum bm_plot_form form)
{
    bm_page_check(&bm_page_render, "name a .json file with --output");
    if (!find_node())
        bm_die("cannot draw a .%s: Node (node or nodejs) is not installed; "
               "install it, or write .html or .json",
               form_names[form]);
    if (form != BM_PLOT_SVG && !is_there("rsvg-convert"))
        bm_die("cannot draw a .%s: rsvg-convert is not installed (Debian: "
               "librsvg2-bin); install it, or write .svg or .html",
               form_names[form]);
}

/* A folder of files that are gone when it is. */
struct workplace {
    char *folder;
    char *script;
    char *spec;
    char *svg;
    char *picture;
};

static int make_workplace(struct workplace *place)
{
    place->folder = bm_temporary_folder();
    if (!place->folder)
        return -1;
    char **const names[] = {&place->script, &place->spec, &place->svg,
                            &place->picture};
    static const char *const files[] = {"render.mjs", "spec.json", "plot.svg",
                                        "plot"};
    for (size_t i = 0; i < 4; i++) {
        struct bm_str path = BM_STR_INIT;

        bm_str_printf(&path, "%s/%s", place->folder, files[i]);
        *names[i] = bm_str_detach(&path);
    }
    return 0;
}

static void clear_workplace(struct workplace *place)
{
    bm_temporary_remove(place->folder);
    free(place->script);
    free(place->spec);
    free(place->svg);
    free(place->picture);
}

static int write_inputs(const struct workplace *place, const json_t *spec)
{
    const struct bm_page *script = &bm_page_render;
    FILE *file = fopen(place->script, "we");

    if (file) {
        fwrite(script->begin, 1, (size_t)(script->end - script->begin), file);
        if (!fclose(file) && !json_dump_file(spec, place->spec, JSON_COMPACT))
            return 0;
    }
    return bm_error("cannot write %s: %s", place->folder, strerror(errno));
}

static int run(char *const argv[])
{
    struct bm_process_end end;

    if (bm_process_run(argv, &end))
        return bm_error("cannot run %s: %s", argv[0], strerror(errno));
    if (bm_process_shell_status(&end))
        return bm_error("cannot draw: %s failed", argv[0]);
    return 0;
}

static int copy(const char *path, FILE *to)
{
    char piece[1 << 16];
    size_t size;
    FILE *from = fopen(path, "re");

    if (!from)
        return bm_error("cannot read %s: %s", path, strerror(errno));
    while ((size = fread(piece, 1, sizeof(piece), from)) > 0)
        fwrite(piece, 1, size, to);
    fclose(from);
    return 0;
}

static int convert(const struct workplace *place, enum bm_plot_form form)
{
    char *const argv[] = {
        "rsvg-convert", "-f", (char *)form_names[form], "-z",
        PNG_ZOOM,       "-o", place->picture,           "--unlimited",
        place->svg,     NULL};

    return run(argv);
}

int bm_plot_write_picture(const json_t *spec, enum bm_plot_form form,
                          FILE *file)
{
    struct workplace place = {.folder = NULL};
    const char *result;
    int failed = make_workplace(&place);

    if (failed)
        return failed;
    char *const argv[] = {(char *)find_node(), place.script, place.spec,
                          place.svg, NULL};
    failed = write_inputs(&place, spec) || run(argv);
    result = place.svg;
    if (!failed && form != BM_PLOT_SVG) {
        failed = convert(&place, form);
        result = place.picture;
    }
    if (!failed)
        failed = copy(result, file);
    clear_workplace(&place);
    return failed ? -1 : 0;
}
