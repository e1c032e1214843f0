/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "measure/about.h"

#include "base/memory.h"
#include "base/process.h"
#include "driver/sections.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* Variables that change what a program allocates; the rest is nobody's. */
static const char *const telling[] = {
    "BENCHMEM_", "MALLOC_",         "GLIBC_TUNABLES", "LD_PRELOAD",
    "OMP_",      "LD_LIBRARY_PATH", "LANG",           "LC_ALL",
};

static bool is_telling(const char *variable)
{
    for (size_t i = 0; i < sizeof(telling) / sizeof(*telling); i++) {
        size_t size = strlen(telling[i]);
        bool is_prefix = telling[i][size - 1] == '_';

        if (strncmp(variable, telling[i], size) == 0 &&
            (is_prefix || variable[size] == '='))
            return true;
    }
    return false;
}

static void fill_environment(struct bm_run *run)
{
    struct bm_run_setting *settings;
    size_t nr = 0;

    for (char **variable = environ; *variable; variable++)
        nr += is_telling(*variable);
    settings = bm_arena_alloc(&run->arena, (nr + 1) * sizeof(*settings));
    nr = 0;
    for (char **variable = environ; *variable; variable++) {
        char *name;

        if (!is_telling(*variable))
            continue;
        name = bm_arena_strdup(&run->arena, *variable);
        settings[nr].value = strchr(name, '=') + 1;
        *strchr(name, '=') = '\0';
        settings[nr++].name = name;
    }
    run->about.environment = settings;
    run->about.nr_environment = nr;
}

/* What a command of git prints on one line; false without git or repository. */
static bool ask_git(char *const words[], struct bm_str *out)
{
    struct bm_process_end end;
    struct bm_strvec quiet = BM_STRVEC_INIT;

    /* git's complaints are not ours to show. */
    bm_strvec_push(&quiet, "sh");
    bm_strvec_push(&quiet, "-c");
    bm_strvec_push(&quiet, "exec \"$@\" 2>/dev/null");
    bm_strvec_push(&quiet, "sh");
    for (; *words; words++)
        bm_strvec_push(&quiet, *words);
    bool known = bm_process_capture(quiet.items, out, &end) == 0 &&
                 !end.signal && end.status == 0;
    bm_strvec_clear(&quiet);
    return known;
}

static void fill_revision(struct bm_run *run)
{
    static char *const head[] = {"git", "rev-parse", "HEAD", NULL};
    static char *const changes[] = {"git", "status", "--porcelain",
                                    "--untracked-files=no", NULL};
    struct bm_str text = BM_STR_INIT;

    if (ask_git(head, &text) && text.size > 1) {
        bm_str_truncate(&text, strcspn(text.data, "\n"));
        run->about.revision = bm_arena_strdup(&run->arena, text.data);
        bm_str_truncate(&text, 0);
        if (ask_git(changes, &text))
            run->about.dirty = text.size ? BM_DIRTY_YES : BM_DIRTY_NO;
    }
    bm_str_clear(&text);
}

static const char *strings_of(struct bm_run *run, const char *program,
                              const char *section)
{
    char *text = bm_program_strings(program, section);
    const char *copy = text ? bm_arena_strdup(&run->arena, text) : NULL;

    free(text);
    return copy;
}

void bm_about_fill(struct bm_run *run, const char *program)
{
    struct bm_run_about *about = &run->about;
    struct utsname names;
    time_t now = time(NULL);
    struct tm utc;
    char text[64];

    fill_revision(run);
    fill_environment(run);
    about->compiler = strings_of(run, program, ".comment");
    about->flags = strings_of(run, program, ".GCC.command.line");
    if (!about->program) {
        char *path = realpath(program, NULL);
        about->program = path ? bm_arena_strdup(&run->arena, path) : NULL;
        free(path);
    }
    if (!about->machine && uname(&names) == 0)
        about->machine = bm_arena_strdup(&run->arena, names.nodename);
    if (!about->time && gmtime_r(&now, &utc) &&
        strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc))
        about->time = bm_arena_strdup(&run->arena, text);
}

const char *bm_about_platform(struct bm_run *run)
{
    struct utsname names;

    if (uname(&names))
        return NULL;
    return bm_arena_printf(&run->arena, "%s %s %s, %ld CPUs, %ld-byte pages",
                           names.sysname, names.release, names.machine,
                           sysconf(_SC_NPROCESSORS_ONLN),
                           sysconf(_SC_PAGESIZE));
}
