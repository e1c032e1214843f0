/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/sweep.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* First line of what a command prints, the caller's; NULL where it fails. */
static char *first_line(char *const argv[])
{
    struct bm_str text = BM_STR_INIT;
    struct bm_process_end end;
    bool good = !bm_process_capture(argv, &text, &end) &&
                !bm_process_shell_status(&end);
    char *line = good ? strndup(text.data, strcspn(text.data, "\n")) : NULL;

    bm_str_clear(&text);
    return line;
}

static bool run(const struct bm_process_place *place, char *const argv[])
{
    struct bm_process_end end;

    return !bm_process_run_at(place, argv, &end) &&
           !bm_process_shell_status(&end);
}

/* git's own words are in the log of a terminal, not of the version. */
static bool git_quiet(char *const argv[])
{
    const struct bm_process_place place = {.log = "/dev/null"};

    return run(&place, argv);
}

static bool make_worktree(struct bm_version *version, struct bm_str *why)
{
    struct bm_str commit = BM_STR_INIT;
    char *const prefix_argv[] = {"git", "rev-parse", "--show-prefix", NULL};
    char *prefix = git_quiet(prefix_argv) ? first_line(prefix_argv) : NULL;

    if (!prefix) {
        bm_str_printf(why, "no git repository here for the revision %s",
                      version->source);
        return false;
    }
    bm_str_printf(&commit, "%s^{commit}", version->source);
    char *const parse_argv[] = {"git",     "rev-parse",        "--verify",
                                "--quiet", "--end-of-options", commit.data,
                                NULL};
    version->revision = first_line(parse_argv);
    bm_str_clear(&commit);
    if (!version->revision) {
        bm_str_printf(why, "no such revision or folder: %s", version->source);
        free(prefix);
        return false;
    }
    char *const add_argv[] = {
        "git",           "worktree",        "add", "--detach", "--force",
        version->folder, version->revision, NULL};
    struct bm_str place = BM_STR_INIT;
    bm_str_printf(&place, "%s/%s", version->folder, prefix);
    version->place = bm_str_detach(&place);
    free(prefix);
    if (!git_quiet(add_argv)) {
        bm_str_printf(why, "git cannot make a worktree of %s", version->source);
        return false;
    }
    return true;
}

/* Without what belongs to the place and not to the source. */
static bool copy_folder(struct bm_version *version, struct bm_str *why)
{
    struct bm_strvec settings = BM_STRVEC_INIT;
    char *const argv[] = {
        "sh", "-c",
        "tar -C \"$BENCHMEM_FROM\" --exclude=./.git --exclude=./.benchmem "
        "-cf - . | tar -C \"$BENCHMEM_TO\" -xf -",
        NULL};

    bm_strvec_pushf(&settings, "BENCHMEM_FROM=%s",
                    version->source ? version->source : ".");
    bm_strvec_pushf(&settings, "BENCHMEM_TO=%s", version->folder);
    const struct bm_process_place place = {.settings = settings.items};
    version->place = bm_xstrdup(version->folder);
    bool good = !mkdir(version->folder, 0777) && run(&place, argv);
    if (!good)
        bm_str_printf(why, "cannot copy %s",
                      version->source ? version->source : "the folder");
    bm_strvec_clear(&settings);
    return good;
}

/* Replaces what the version has at these paths. */
static bool lay_suite(const struct bm_version *version,
                      const struct bm_strvec *suite, struct bm_str *why)
{
    char *const argv[] = {
        "sh", "-c",
        "rm -rf -- \"$BENCHMEM_TO/$BENCHMEM_PATH\" && "
        "mkdir -p -- \"$(dirname -- \"$BENCHMEM_TO/$BENCHMEM_PATH\")\" && "
        "cp -a -- \"$BENCHMEM_PATH\" \"$BENCHMEM_TO/$BENCHMEM_PATH\"",
        NULL};

    for (size_t i = 0; i < suite->count; i++) {
        struct bm_strvec settings = BM_STRVEC_INIT;

        bm_strvec_pushf(&settings, "BENCHMEM_PATH=%s", suite->items[i]);
        bm_strvec_pushf(&settings, "BENCHMEM_TO=%s", version->place);
        const struct bm_process_place place = {.settings = settings.items};
        bool good = run(&place, argv);
        bm_strvec_clear(&settings);
        if (!good) {
            bm_str_printf(why, "cannot lay %s over it", suite->items[i]);
            return false;
        }
    }
    return true;
}

bool bm_sweep_make_source(struct bm_version *version, const char *folder,
                          const struct bm_strvec *suite, struct bm_str *why)
{
    bool is_copy = version->is_folder || !version->source;

    version->folder = bm_xstrdup(folder);
    /* What an earlier sweep left behind, if it was ended from outside. */
    bm_sweep_remove_source(version);
    if (!(is_copy ? copy_folder(version, why) : make_worktree(version, why)))
        return false;
    return lay_suite(version, suite, why);
}

void bm_sweep_remove_source(const struct bm_version *version)
{
    char *const worktree[] = {"git",     "worktree",      "remove",
                              "--force", version->folder, NULL};
    char *const folder[] = {"rm", "-rf", "--", version->folder, NULL};
    char *const prune[] = {"git", "worktree", "prune", NULL};
    struct stat status;

    if (lstat(version->folder, &status))
        return;
    if (!version->is_folder && version->source && git_quiet(worktree))
        return;
    run(&(struct bm_process_place){.folder = NULL}, folder);
    if (!version->is_folder && version->source)
        git_quiet(prune);
}
