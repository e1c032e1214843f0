/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * benchmem-flamegraph: the call paths that a program's memory came by.
 */
#include "tools/flamegraph.h"

#include "base/error.h"
#include "base/escape.h"
#include "base/locate.h"
#include "base/output.h"
#include "tools/open.h"
#include "tools/page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool ends_with(const char *text, const char *end)
{
    size_t size = strlen(text), end_size = strlen(end);

    return size > end_size && !strcmp(text + size - end_size, end);
}

/* The suffix of a file's name, "" without one. */
static const char *suffix_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');

    return dot && dot != name ? dot : "";
}

/* True for a picture, false for a page; dies for another suffix. */
static bool wants_svg(const struct bm_flame_options *o)
{
    const char *output = o->common.output;

    if (!output || !strcmp(output, "-"))
        return false;
    const char *suffix = suffix_of(output);
    if (!strcmp(suffix, ".svg"))
        return true;
    if (*suffix && strcmp(suffix, ".html") != 0 && strcmp(suffix, ".htm") != 0)
        bm_die("cannot write %s: a flame graph is .html or .svg", output);
    return false;
}

/* The profiles of one argument, or the newest run without one. */
static int find_inputs(struct bm_inputs *inputs, const char *where)
{
    struct bm_strvec args = BM_STRVEC_INIT, found = BM_STRVEC_INIT;

    if (where) {
        bm_strvec_push(&args, where);
        if (bm_is_folder(where) && !bm_locate_profiles(where, &found) &&
            !found.count)
            bm_die(
                "no profile in %s: fill it with benchmem-run -o %s/NAME.bmem "
                "PROGRAM, or run a program that benchmem-cc built with "
                "BENCHMEM_OUTPUT=%s%s%%e.%%p.bmem",
                where, where, where, ends_with(where, "/") ? "" : "/");
    }
    bm_inputs_find(inputs, &args);
    bm_strvec_clear(&args);
    bm_strvec_clear(&found);
    int result = bm_inputs_read(inputs);
    if (!inputs->count)
        exit(BM_EXIT_USAGE);
    return result;
}

static enum bm_metric choose_metric(const struct bm_flame_options *o)
{
    if (o->at_given)
        return o->at;
    return o->worst_given ? o->worst : BM_METRIC_PEAK;
}

static void check_native(const struct bm_profile *profile)
{
    if (!bm_call_is_native(profile))
        bm_die("%s has no native stacks: record it with BENCHMEM_OPTIONS="
               "native=1, or with benchmem-run --native",
               profile->path);
}

static void add_base(struct bm_flame *flame, struct bm_inputs *inputs)
{
    struct bm_flame_options like = *flame->options;

    find_inputs(inputs, flame->options->base);
    /* A process is compared with a process. */
    like.process = !flame->benchmark;
    like.worst_given = false;
    like.args.count = 0;
    struct bm_flame_choice choice = bm_flame_choose(
        inputs, &like, flame->benchmark ? flame->benchmark->id : NULL);
    const struct bm_profile *profile = inputs->items[choice.input].profile;
    if (flame->options->native)
        check_native(profile);
    bm_flame_compare(flame, profile, choice.benchmark);
    free(choice.why);
}

/* Beside the profile, unless the user named a file. */
static char *output_beside(const char *profile)
{
    struct bm_str path = BM_STR_INIT;

    bm_str_puts(&path, profile);
    if (ends_with(profile, BM_PROFILE_SUFFIX))
        bm_str_truncate(&path, path.size - strlen(BM_PROFILE_SUFFIX));
    bm_str_puts(&path, ".flamegraph.html");
    return bm_str_detach(&path);
}

static void write_report(struct bm_flame *flame, bool svg, FILE *file)
{
    struct bm_terminal terminal =
        bm_terminal_of(fileno(file), flame->options->common.color);

    switch (flame->options->report) {
    case BM_FLAME_PAGE:
        if (svg)
            bm_flame_write_svg(flame, file);
        else
            bm_flame_write_page(flame, file);
        break;
    case BM_FLAME_TABLE:
        bm_flame_write_table(flame, file, &terminal);
        break;
    case BM_FLAME_TREE:
        bm_flame_write_tree(flame, file, &terminal);
        break;
    case BM_FLAME_SUMMARY:
        bm_flame_write_summary(flame, file, &terminal);
        break;
    case BM_FLAME_STATS:
        bm_flame_write_stats(flame, file, &terminal);
        break;
    }
}

/* What was drawn, and where it went. */
static void tell(const struct bm_flame *flame, const char *path)
{
    struct bm_str title = BM_STR_INIT, line = BM_STR_INIT;

    bm_flame_title(flame, &title);
    if (flame->why)
        bm_str_printf(&title, " (%s)", flame->why);
    bm_str_printf(&title, " of %s", flame->profile->path);
    bm_escape_terminal(&line, title.data);
    if (!flame->options->common.quiet)
        fprintf(stderr, "benchmem-flamegraph: %s\n", line.data);
    if (flame->options->common.verbose)
        fprintf(stderr,
                "benchmem-flamegraph: %zu paths of the profile, %" PRIu32
                " boxes, %zu figures of sites and threads\n",
                flame->profile->nr_paths, flame->tree.nr_nodes,
                flame->tree.nr_entries);
    printf("%s\n", path);
    bm_str_clear(&title);
    bm_str_clear(&line);
}

/* Writes to standard output, the named file, or beside the profile. */
static int write_output(struct bm_flame *flame, bool svg)
{
    const struct bm_flame_options *o = flame->options;
    bool beside = o->report == BM_FLAME_PAGE && !o->common.output;
    char *path = beside             ? output_beside(flame->profile->path)
                 : o->common.output ? bm_xstrdup(o->common.output)
                                    : NULL;
    struct bm_output output;
    int failed = bm_output_open(&output, path, beside || o->common.force);

    if (!failed) {
        bool named = output.path != NULL;
        write_report(flame, svg, output.file);
        failed = bm_output_close(&output);
        if (!failed && named && o->report == BM_FLAME_PAGE)
            tell(flame, path);
    }
    if (!failed && o->open)
        failed = bm_open_in_browser(path);
    free(path);
    return failed;
}

/* The newest run was taken, and not all of its processes are shown. */
static void tell_others(const struct bm_input *input)
{
    struct bm_str list = BM_STR_INIT;

    for (size_t i = 0; i < input->others.count; i++)
        bm_str_printf(&list, "%s%s", i ? ", " : "", input->others.items[i]);
    if (input->others.count)
        bm_warn("the run has more processes: %s", list.data);
    bm_str_clear(&list);
}

/* Refuses what cannot be written before anything is read. */
static void check_output(const struct bm_flame_options *o)
{
    struct bm_output output;

    if (o->open && o->common.output && !strcmp(o->common.output, "-"))
        bm_die("--open needs a file, not standard output");
    if (!o->common.output)
        return;
    if (bm_output_open(&output, o->common.output, o->common.force))
        exit(BM_EXIT_USAGE);
    bm_output_abandon(&output);
}

int main(int argc, char **argv)
{
    struct bm_flame_options o = {
        .args = BM_STRVEC_INIT,
        .threshold = -1,
        .depth = UINT64_MAX,
        .top = UINT64_MAX,
    };
    struct bm_inputs inputs = BM_INPUTS_INIT, base_inputs = BM_INPUTS_INIT;

    bm_command_parse(&bm_flame_command, argc, argv, &o.common, &o);
    bool svg = o.report == BM_FLAME_PAGE && wants_svg(&o);
    if (o.report == BM_FLAME_PAGE && !svg)
        bm_page_check(&bm_page_flamegraph, "name an .svg file with --output");
    check_output(&o);

    int failed = find_inputs(&inputs, o.args.count ? o.args.items[0] : NULL);
    struct bm_flame_choice choice = bm_flame_choose(&inputs, &o, NULL);
    struct bm_flame flame = {
        .options = &o,
        .profile = inputs.items[choice.input].profile,
        .benchmark = choice.benchmark,
        .why = choice.why ? choice.why : inputs.items[choice.input].why,
        .metric = choose_metric(&o),
    };
    tell_others(&inputs.items[choice.input]);
    if (o.native)
        check_native(flame.profile);
    /* The page has switches for what is left out elsewhere. */
    bool page = o.report == BM_FLAME_PAGE && !svg;
    bm_call_tree_init(&flame.tree, flame.profile, flame.benchmark,
                      (struct bm_call_options){
                          .own = page || o.own_frames,
                          .native = o.native,
                          .fold = o.fold && !page,
                      });
    if (o.base)
        add_base(&flame, &base_inputs);
    failed |= write_output(&flame, svg);

    bm_flame_base_clear(flame.base);
    bm_call_tree_clear(&flame.tree);
    free(choice.why);
    bm_inputs_clear(&inputs);
    bm_inputs_clear(&base_inputs);
    bm_strvec_clear(&o.args);
    return failed ? BM_EXIT_USAGE : BM_EXIT_OK;
}
