/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * benchmem-run: runs a program and keeps its profile; what goes beyond one
 * recorded run is measure/'s.
 */
#include "base/error.h"
#include "base/locate.h"
#include "base/memory.h"
#include "driver/child.h"
#include "driver/elf.h"
#include "driver/find.h"
#include "driver/run_options.h"
#include "driver/run_profile.h"
#include "driver/sections.h"
#include "driver/stop.h"
#include "measure/manifest.h"
#include "measure/measure.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Statuses of a shell for a program that does not start. */
#define EXIT_NOT_FOUND 127
#define EXIT_NOT_RUNNABLE 126

#define PRELOAD "../lib/benchmem/libbenchmem_rt.so"

/* Sets a variable that is a list, ours behind what is there. */
static void append_variable(const char *name, const char *value)
{
    const char *old = getenv(name);
    struct bm_str list = BM_STR_INIT;
    if (old && *old)
        bm_str_printf(&list, "%s:", old);
    bm_str_puts(&list, value);
    setenv(name, list.data, 1);
    bm_str_clear(&list);
}

/* First, so that the recorder sees every call before other preloads do. */
static int preload(const char *self)
{
    char *library = bm_find_beside(self, PRELOAD);
    const char *old = getenv("LD_PRELOAD");
    if (!library)
        return bm_error("cannot find %s beside %s: install benchmem again",
                        PRELOAD, self ? self : "benchmem-run");
    setenv("LD_PRELOAD", library, 1);
    if (old && *old)
        append_variable("LD_PRELOAD", old);
    free(library);
    return 0;
}

static int prepare(const struct bm_measuring *m, const char *path,
                   const char *output, const char *self)
{
    if (m->recorder.size > 0)
        append_variable("BENCHMEM_OPTIONS", m->recorder.data);
    if (output) {
        char *pattern = bm_run_pattern(output);
        setenv("BENCHMEM_OUTPUT", pattern, 1);
        free(pattern);
    }
    switch (bm_program_kind(path)) {
    case BM_PROGRAM_PLAIN:
        return preload(self);
    case BM_PROGRAM_STATIC:
        bm_warn("%s: nothing can be recorded: it is linked statically and "
                "holds nothing built with benchmem-cc; build it with "
                "benchmem-cc, or link it dynamically",
                m->program[0]);
        return 0;
    default:
        return 0;
    }
}

/*
 * The recorder is loaded into a plain program, where another malloc may have
 * come before it: AddressSanitizer's, say, which must be the first.
 */
static void tell_if_late(const char *program, const char *path,
                         const char *profile)
{
    struct bm_profile_error error;
    struct bm_profile *p;

    if (bm_program_kind(path) != BM_PROGRAM_PLAIN)
        return;
    p = bm_profile_read(profile, &error);
    if (p && p->flags & BM_STATE_LATE && !p->totals.allocations)
        bm_warn("%s: nothing was recorded: its malloc is not libc's, as with "
                "a sanitizer; build it without",
                program);
    bm_profile_free(p);
}

static void finish(const char *program, const char *path, const char *output,
                   pid_t pid, const struct bm_process_end *end)
{
    if (end->signal)
        bm_error("%s: killed by signal %d: %s", program, end->signal,
                 strsignal(end->signal));
    char *found = output || getenv("BENCHMEM_OUTPUT")
                      ? NULL
                      : bm_run_default_profile(pid);
    const char *profile = output ? output : found;
    if (profile && access(profile, F_OK) == 0)
        bm_run_finish_profile(profile, pid, end);
    if (profile && access(profile, F_OK) == 0)
        tell_if_late(program, path, profile);
    else if (output && bm_program_kind(path) != BM_PROGRAM_STATIC)
        bm_warn("%s wrote no profile: was it built with benchmem-cc?", program);
    free(found);
}

/* A script may well run nothing that is recorded, which no one else says. */
static bool may_leave_nothing(const char *path, const char *output)
{
    return !output && !getenv("BENCHMEM_OUTPUT") &&
           !getenv("BENCHMEM_DISABLE") &&
           bm_program_kind(path) == BM_PROGRAM_OTHER;
}

static size_t count_profiles(void)
{
    struct bm_strvec paths = BM_STRVEC_INIT;

    bm_locate_profiles(BM_FOLDER_NAME, &paths);
    size_t count = paths.count;
    bm_strvec_clear(&paths);
    return count;
}

static int run_program(const struct bm_measuring *m, const char *path,
                       const char *output)
{
    bool is_script = may_leave_nothing(path, output);
    size_t before = is_script ? count_profiles() : 0;
    struct bm_child child;

    if (m->stop_at)
        bm_stop_debug(m->program, path);
    if (bm_child_run(path, m->program, -1, &child)) {
        bm_error("cannot run %s: %s", path, strerror(errno));
        return EXIT_NOT_RUNNABLE;
    }
    finish(m->program[0], path, output, child.pid, &child.end);
    if (is_script && count_profiles() == before)
        bm_warn("%s: nothing was recorded: it is a script, and nothing that it "
                "ran here was built with benchmem-cc; to record a plain "
                "program that it runs, name that: benchmem-run -- python3 FILE",
                m->program[0]);
    if (m->stop_at)
        bm_stop_tell(m->program[0], &child.end);
    return bm_process_shell_status(&child.end);
}

/* One recorded run, in which we are hardly there. */
static int run_plainly(struct bm_measuring *m, const char *path,
                       const char *self)
{
    int status = BM_EXIT_USAGE;
    char *output = NULL;

    if (m->stop_at && bm_stop_find(m->stop_at, path, &m->recorder))
        return status;
    if (m->output) {
        output = bm_run_claim_output(m->output, m->force);
        if (!output)
            return status;
    }
    if (!prepare(m, path, output, self))
        status = run_program(m, path, output);
    free(output);
    return status;
}

/* Whether the words behind the program ask its main for words alone. */
static bool only_tells(char **words)
{
    static const char *const telling[] = {"--list", "--help", "-h"};

    for (words++; *words; words++)
        for (size_t i = 0; i < sizeof(telling) / sizeof(*telling); i++)
            if (strcmp(*words, telling[i]) == 0)
                return true;
    return false;
}

static bool is_measured(const struct bm_measuring *m, const char *path)
{
    if (m->stop_at)
        return false;
    return m->asked || (bm_program_has_main(path) && !only_tells(m->program));
}

static int run(struct bm_measuring *m, const char *self)
{
    char *path = bm_find_program(m->program[0], NULL);
    int status;

    if (!path) {
        bool exists = access(m->program[0], F_OK) == 0;
        bm_error("cannot run %s: %s", m->program[0],
                 exists ? "not an executable file" : "no such program");
        return exists ? EXIT_NOT_RUNNABLE : EXIT_NOT_FOUND;
    }
    status = is_measured(m, path) ? bm_measure(m, path, self)
                                  : run_plainly(m, path, self);
    free(path);
    return status;
}

int main(int argc, char **argv)
{
    struct bm_measuring m;
    char *self = bm_find_self(argv[0]);
    int status;

    bm_run_options_read(&m, argc, argv);
    if (m.summarize)
        status = bm_manifest_summarize(m.summarize, m.output, m.force,
                                       m.common.quiet)
                     ? BM_EXIT_USAGE
                     : BM_EXIT_OK;
    else
        status = run(&m, self);
    bm_measuring_clear(&m);
    free(self);
    return status;
}
