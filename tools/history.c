/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * benchmem-history: stored runs and the series of their figures.
 */
#include "tools/history.h"

#include "base/error.h"
#include "base/locate.h"
#include "base/process.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DATABASE "history.db"

static bool same(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

bool bm_history_alike(const struct bm_history_build *a,
                      const struct bm_history_build *b)
{
    return same(a->machine, b->machine) && same(a->compiler, b->compiler) &&
           same(a->flags, b->flags);
}

/* The caller's. For add, the folder is made. */
static char *find_database(const struct bm_history_options *o)
{
    struct bm_str path = BM_STR_INIT;

    if (o->database)
        return bm_xstrdup(o->database);
    char *folder = bm_locate_folder();
    if (!folder && o->action == BM_HISTORY_ADD) {
        folder = bm_xstrdup(BM_FOLDER_NAME);
        if (bm_locate_make_folder(folder))
            exit(BM_EXIT_USAGE);
    }
    bm_str_printf(&path, "%s/" DATABASE, folder ? folder : BM_FOLDER_NAME);
    free(folder);
    return bm_str_detach(&path);
}

/* -- add ------------------------------------------------------------------- */

/* What git prints, the caller's; NULL without git, or on no branch. */
static char *ask_git(const char *what, const char *option)
{
    char *const argv[] = {
        "sh", "-c",           "git rev-parse \"$@\" 2>/dev/null",
        "sh", (char *)option, (char *)what,
        NULL};
    struct bm_str text = BM_STR_INIT;
    struct bm_process_end end;
    char *line = NULL;

    if (!bm_process_capture(argv, &text, &end) &&
        !bm_process_shell_status(&end) && text.size > 1)
        line = strndup(text.data, strcspn(text.data, "\n"));
    bm_str_clear(&text);
    if (line && !strcmp(line, "HEAD")) {
        free(line);
        return NULL;
    }
    return line;
}

static int add_runs(const struct bm_history_options *o, struct bm_store *store)
{
    char *branch =
        o->branch ? bm_xstrdup(o->branch) : ask_git("HEAD", "--abbrev-ref");
    char *revision =
        o->revision ? bm_xstrdup(o->revision) : ask_git("HEAD", "--verify");
    int failed = 0;

    for (size_t i = 0; i < o->args.count && !failed; i++) {
        struct bm_run *run = bm_run_load(o->args.items[i], NULL);
        uint64_t id = 0;

        if (!run) {
            failed = -1;
            break;
        }
        if (!run->about.revision || o->revision)
            run->about.revision = revision;
        failed = bm_store_add(store, run, branch, &id);
        if (!failed && !o->common.quiet)
            printf("%s is run %" PRIu64 "%s%s, %zu benchmark%s\n", run->label,
                   id, branch ? " of " : "", branch ? branch : "",
                   run->nr_benchmarks, run->nr_benchmarks == 1 ? "" : "s");
        bm_run_free(run);
    }
    free(branch);
    free(revision);
    return failed;
}

/* -- compare --------------------------------------------------------------- */

struct search {
    const struct bm_history_options *options;
    struct bm_history_build wanted;
    char *document;
    char *id;
    size_t nr_unlike;
};

static int take_like(void *context, const char *const *cells)
{
    struct search *search = context;
    const struct bm_history_build build = {cells[1], cells[2], cells[3]};

    if (!search->options->unlike &&
        !bm_history_alike(&build, &search->wanted)) {
        search->nr_unlike++;
        return 0;
    }
    search->id = bm_xstrdup(cells[0]);
    search->document = bm_xstrdup(cells[4]);
    return 1;
}

/* A file that benchmem-compare can read; the caller's to remove and free. */
static char *write_document(const struct search *search)
{
    const char *root = getenv("TMPDIR");
    struct bm_str path = BM_STR_INIT;

    bm_str_printf(&path, "%s/stored-%s.XXXXXX.json",
                  root && *root ? root : "/tmp", search->id);
    int fd = mkstemps(path.data, (int)strlen(".json"));
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    if (!file || fputs(search->document, file) < 0 || fclose(file))
        bm_die("cannot write %s: %s", path.data, strerror(errno));
    return bm_str_detach(&path);
}

static void push_columns(const struct bm_history_options *o,
                         struct bm_strvec *argv)
{
    struct bm_str list = BM_STR_INIT;

    for (int m = 0; m < BM_NR_MEASURES; m++) {
        if (o->measures[m])
            bm_str_printf(&list, "%s%s", list.size ? "," : "",
                          bm_measure_names[m]);
    }
    if (list.size)
        bm_strvec_pushf(argv, "--columns=%s", list.data);
    bm_str_clear(&list);
}

static int run_compare(const struct bm_history_options *o, const char *base)
{
    struct bm_strvec argv = BM_STRVEC_INIT;
    struct bm_process_end end;

    bm_strvec_push_owned(&argv, bm_process_sibling("benchmem-compare"));
    push_columns(o, &argv);
    for (size_t i = 0; i < o->passed.count; i++)
        bm_strvec_push(&argv, o->passed.items[i]);
    bm_strvec_pushf(&argv, "--format=%s", bm_format_names[o->common.format]);
    if (o->common.output)
        bm_strvec_pushf(&argv, "--output=%s", o->common.output);
    if (o->common.force)
        bm_strvec_push(&argv, "--force");
    if (o->common.quiet)
        bm_strvec_push(&argv, "--quiet");
    bm_strvec_push(&argv, "--");
    bm_strvec_push(&argv, base);
    bm_strvec_push(&argv, o->args.items[0]);
    if (bm_process_run(argv.items, &end))
        bm_die("cannot run %s: %s", argv.items[0], strerror(errno));
    bm_strvec_clear(&argv);
    return bm_process_shell_status(&end);
}

/* Exit status. */
static int compare(const struct bm_history_options *o, struct bm_store *store)
{
    struct bm_run *run = bm_run_load(o->args.items[0], NULL);

    if (!run)
        return BM_EXIT_USAGE;
    struct search search = {
        .options = o,
        .wanted = {run->about.machine, run->about.compiler, run->about.flags},
    };
    int failed = bm_store_documents(store, o->branch, take_like, &search);
    bm_run_free(run);
    if (failed)
        return BM_EXIT_USAGE;
    if (!search.document && search.nr_unlike)
        bm_die("the %zu stored runs are of another machine, compiler or flags; "
               "compare with them by --unlike",
               search.nr_unlike);
    if (!search.document)
        bm_die("no stored run%s%s; add one with benchmem-history add",
               o->branch ? " of " : "", o->branch ? o->branch : "");
    char *path = write_document(&search);
    int status = run_compare(o, path);
    unlink(path);
    free(path);
    free(search.id);
    free(search.document);
    return status;
}

int main(int argc, char **argv)
{
    struct bm_history_options o = {
        .args = BM_STRVEC_INIT,
        .passed = BM_STRVEC_INIT,
    };
    struct bm_store store;
    int status = BM_EXIT_USAGE;

    bm_command_parse(&bm_history_command, argc, argv, &o.common, &o);
    char *database = find_database(&o);
    if (!bm_store_open(&store, database, o.action == BM_HISTORY_ADD)) {
        if (o.action == BM_HISTORY_COMPARE)
            status = compare(&o, &store);
        else if (!(o.action == BM_HISTORY_ADD    ? add_runs(&o, &store)
                   : o.action == BM_HISTORY_LIST ? bm_history_list(&o, &store)
                                                 : bm_history_show(&o, &store)))
            status = BM_EXIT_OK;
        bm_store_close(&store);
    }
    free(database);
    bm_strvec_clear(&o.args);
    bm_strvec_clear(&o.passed);
    return status;
}
