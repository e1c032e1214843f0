/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * benchmem-sweep: one suite over several versions.
 */
#include "tools/sweep.h"

#include "base/error.h"
#include "base/locate.h"
#include "base/memory.h"
#include "base/process.h"
#include "tools/trial.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Lines of a log that are worth repeating. */
#define LOG_LINES "12"

struct sweep {
    const struct bm_sweep_options *options;
    struct bm_version *versions;
    size_t nr_versions;
    char *home;  /* the folder .benchmem, absolute */
    char *shown; /* the same, as people name it from here */
    char *work;  /* .benchmem/sweep */
    struct bm_strvec saved;
    size_t nr_failed;
};

/* -- what there is to measure ---------------------------------------------- */

/* Names for files, each another: v1.0, feature-x, v1.0-O3. */
static char *name_of(const struct sweep *sweep, const char *label)
{
    struct bm_str name = BM_STR_INIT;
    const char *prefix = sweep->options->prefix;
    size_t size, number = 1;

    bm_str_puts(&name, prefix ? prefix : "");
    for (const char *p = label; *p; p++)
        bm_str_putc(&name, strchr("/~^:@{}\\ *?", *p) ? '-' : *p);
    size = name.size;
    for (size_t i = 0; i < sweep->nr_versions; i++) {
        if (!strcmp(sweep->versions[i].name, name.data)) {
            bm_str_truncate(&name, size);
            bm_str_printf(&name, "-%zu", ++number);
        }
    }
    return bm_str_detach(&name);
}

/* The names of the variants, each once. */
static void list_variants(const struct bm_strvec *variants,
                          struct bm_strvec *names)
{
    for (size_t i = 0; i < variants->count; i++) {
        char *name =
            strndup(variants->items[i], strcspn(variants->items[i], ":"));
        size_t at = 0;

        while (at < names->count && strcmp(names->items[at], name) != 0)
            at++;
        if (at == names->count)
            bm_strvec_push(names, name);
        free(name);
    }
}

static void add_version(struct sweep *sweep, const char *source,
                        const char *variant)
{
    const struct bm_sweep_options *o = sweep->options;
    struct bm_version *version = &sweep->versions[sweep->nr_versions];
    struct bm_str label = BM_STR_INIT;
    size_t size = variant ? strlen(variant) : 0;

    bm_str_printf(&label, "%s%s%s", source ? source : "",
                  source && variant ? "-" : "", variant ? variant : "");
    *version = (struct bm_version){
        .source = source,
        .is_folder = source && bm_is_folder(source),
        .settings = BM_STRVEC_INIT,
    };
    for (size_t i = 0; variant && i < o->variants.count; i++) {
        const char *text = o->variants.items[i];

        if (!strncmp(text, variant, size) && text[size] == ':')
            bm_strvec_push(&version->settings, text + size + 1);
    }
    version->name = name_of(sweep, label.data);
    version->label = bm_str_detach(&label);
    sweep->nr_versions++;
}

static void list_versions(struct sweep *sweep)
{
    const struct bm_sweep_options *o = sweep->options;
    struct bm_strvec variants = BM_STRVEC_INIT;

    list_variants(&o->variants, &variants);
    size_t nr_sources = o->versions.count ? o->versions.count : 1;
    size_t nr_variants = variants.count ? variants.count : 1;
    sweep->versions =
        bm_xcalloc(nr_sources * nr_variants, sizeof(*sweep->versions));
    for (size_t i = 0; i < nr_sources; i++) {
        for (size_t j = 0; j < nr_variants; j++)
            add_version(sweep, o->versions.count ? o->versions.items[i] : NULL,
                        variants.count ? variants.items[j] : NULL);
    }
    bm_strvec_clear(&variants);
}

/* -- where it happens ------------------------------------------------------ */

static void make_home(struct sweep *sweep)
{
    char *found = bm_locate_folder();
    char path[PATH_MAX];
    struct bm_str work = BM_STR_INIT;

    if (!found) {
        if (bm_locate_make_folder(BM_FOLDER_NAME))
            exit(BM_EXIT_USAGE);
        found = bm_xstrdup(BM_FOLDER_NAME);
    }
    if (!realpath(found, path))
        bm_die("cannot find %s: %s", found, strerror(errno));
    sweep->shown = found;
    sweep->home = bm_xstrdup(path);
    bm_str_printf(&work, "%s/sweep", path);
    sweep->work = bm_str_detach(&work);
    if (mkdir(sweep->work, 0777) && errno != EEXIST)
        bm_die("cannot make %s: %s", sweep->work, strerror(errno));
}

/* Before anything runs. */
static void refuse_existing(const struct sweep *sweep)
{
    for (size_t i = 0; i < sweep->nr_versions; i++) {
        struct bm_str path = BM_STR_INIT;
        const char *why;

        if (!bm_run_valid_name(sweep->versions[i].name, &why))
            bm_die("cannot save a run as %s: %s", sweep->versions[i].name, why);
        bm_str_printf(&path, "%s/%s.json", sweep->shown,
                      sweep->versions[i].name);
        if (!sweep->options->common.force && !access(path.data, F_OK))
            bm_die("cannot save %s: it exists; use -f to replace it, or "
                   "--prefix for other names",
                   path.data);
        bm_str_clear(&path);
    }
}

/* -- one version ----------------------------------------------------------- */

static void tell_failure(const struct bm_version *version, const char *log,
                         const char *why)
{
    char *const argv[] = {"tail", "-n", LOG_LINES, "--", (char *)log, NULL};
    struct bm_process_end end;
    struct bm_str text = BM_STR_INIT;

    bm_error("%s: %s", version->label, why);
    if (!access(log, F_OK) && !bm_process_capture(argv, &text, &end) &&
        text.size)
        fprintf(stderr, "the end of %s:\n%s", log, text.data);
    bm_str_clear(&text);
}

static void save(struct sweep *sweep, struct bm_version *version,
                 struct bm_trial *trial)
{
    struct bm_str flags = BM_STR_INIT;

    for (size_t i = 0; i < version->settings.count; i++)
        bm_str_printf(&flags, "%s%s", i ? " " : "", version->settings.items[i]);
    bm_run_set_label(trial->run, version->label);
    trial->run->about.revision = version->revision;
    if (flags.size)
        trial->run->about.flags = flags.data;
    if (bm_run_save(trial->run, sweep->home, version->name,
                    sweep->options->common.force))
        sweep->nr_failed++;
    else
        bm_strvec_push(&sweep->saved, version->name);
    bm_str_clear(&flags);
}

static void measure(struct sweep *sweep, struct bm_version *version,
                    const char *log)
{
    const struct bm_sweep_options *o = sweep->options;
    struct bm_str folder = BM_STR_INIT, why = BM_STR_INIT;

    bm_str_printf(&folder, "%s/%s", sweep->work, version->name);
    if (!bm_sweep_make_source(version, folder.data, &o->suite, &why)) {
        bm_error("%s: %s", version->label, why.data);
        sweep->nr_failed++;
    } else {
        struct bm_trial trial = {
            .folder = version->place,
            .build = o->build,
            .command = o->command,
            .log = o->common.verbose ? NULL : log,
            .settings = &version->settings,
        };

        bm_trial_run(&trial);
        if (trial.outcome == BM_TRIAL_OK)
            save(sweep, version, &trial);
        else {
            tell_failure(version, log, trial.why.data);
            sweep->nr_failed++;
        }
        bm_trial_clear(&trial);
    }
    if (!o->keep)
        bm_sweep_remove_source(version);
    bm_str_clear(&folder);
    bm_str_clear(&why);
}

static void measure_all(struct sweep *sweep)
{
    for (size_t i = 0; i < sweep->nr_versions; i++) {
        struct bm_version *version = &sweep->versions[i];
        struct bm_str log = BM_STR_INIT;

        if (!sweep->options->common.quiet)
            fprintf(stderr, "[%zu/%zu] %s\n", i + 1, sweep->nr_versions,
                    version->label);
        bm_str_printf(&log, "%s/%s.log", sweep->work, version->name);
        unlink(log.data);
        measure(sweep, version, log.data);
        bm_str_clear(&log);
    }
}

/* -- the end --------------------------------------------------------------- */

static void tell_next(const struct sweep *sweep)
{
    struct bm_str names = BM_STR_INIT;

    for (size_t i = 0; i < sweep->saved.count; i++)
        bm_str_printf(&names, " %s", sweep->saved.items[i]);
    printf("%zu of %zu versions saved in %s%s%s\n", sweep->saved.count,
           sweep->nr_versions, sweep->shown, sweep->saved.count ? ":" : "",
           names.data);
    if (sweep->saved.count)
        printf("next:\n    benchmem-compare%s --columns peak\n"
               "    benchmem-plot%s\n",
               names.data, names.data);
    bm_str_clear(&names);
}

static void clear(struct sweep *sweep)
{
    for (size_t i = 0; i < sweep->nr_versions; i++) {
        struct bm_version *version = &sweep->versions[i];

        free((char *)version->label);
        free(version->name);
        free(version->folder);
        free(version->place);
        free(version->revision);
        bm_strvec_clear(&version->settings);
    }
    free(sweep->versions);
    free(sweep->home);
    free(sweep->shown);
    free(sweep->work);
    bm_strvec_clear(&sweep->saved);
}

int main(int argc, char **argv)
{
    struct bm_sweep_options o = {
        .versions = BM_STRVEC_INIT,
        .variants = BM_STRVEC_INIT,
        .suite = BM_STRVEC_INIT,
    };
    struct sweep sweep = {.options = &o, .saved = BM_STRVEC_INIT};

    bm_command_parse(&bm_sweep_command, argc, argv, &o.common, &o);
    list_versions(&sweep);
    make_home(&sweep);
    refuse_existing(&sweep);
    measure_all(&sweep);
    tell_next(&sweep);

    int status = sweep.nr_failed ? BM_EXIT_GATE : BM_EXIT_OK;
    clear(&sweep);
    bm_strvec_clear(&o.versions);
    bm_strvec_clear(&o.variants);
    bm_strvec_clear(&o.suite);
    return status;
}
