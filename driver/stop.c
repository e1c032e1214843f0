/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "driver/stop.h"

#include "base/error.h"
#include "base/locate.h"
#include "base/memory.h"
#include "base/strvec.h"
#include "driver/find.h"
#include "profile/profile.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* -- which peak ------------------------------------------------------------ */

struct dated {
    const char *path;
    struct timespec time;
};

static int newest_first(const void *a, const void *b)
{
    const struct dated *p = a, *q = b;

    if (p->time.tv_sec != q->time.tv_sec)
        return p->time.tv_sec > q->time.tv_sec ? -1 : 1;
    if (p->time.tv_nsec != q->time.tv_nsec)
        return p->time.tv_nsec > q->time.tv_nsec ? -1 : 1;
    return strcmp(p->path, q->path);
}

/* The peak of one process that was not stopped before it; 0: there is none. */
static uint64_t peak_of(const struct bm_profile *profile)
{
    if (profile->flags & BM_STATE_MERGED ||
        (profile->end == BM_END_SIGNAL && profile->end_value == SIGTRAP))
        return 0;
    return profile->totals.peak_bytes;
}

static uint64_t peak_in(const char *path, const char *program)
{
    struct bm_profile_error error;
    struct bm_profile *profile = bm_profile_read(path, &error);
    uint64_t peak = 0;

    if (profile && !strcmp(profile->program, program))
        peak = peak_of(profile);
    bm_profile_free(profile);
    return peak;
}

static uint64_t newest_peak(const char *folder, const char *program)
{
    struct bm_strvec paths = BM_STRVEC_INIT;
    uint64_t peak = 0;

    if (bm_locate_profiles(folder, &paths))
        return 0;
    struct dated *dated = bm_xcalloc(paths.count + 1, sizeof(*dated));
    for (size_t i = 0; i < paths.count; i++) {
        struct stat st = {0};

        stat(paths.items[i], &st);
        dated[i] = (struct dated){paths.items[i], st.st_mtim};
    }
    qsort(dated, paths.count, sizeof(*dated), newest_first);
    for (size_t i = 0; i < paths.count && !peak; i++)
        peak = peak_in(dated[i].path, program);
    free(dated);
    bm_strvec_clear(&paths);
    return peak;
}

static int find_newest(const char *path, uint64_t *peak)
{
    char *folder = bm_locate_folder(), *program = realpath(path, NULL);

    *peak = folder && program ? newest_peak(folder, program) : 0;
    free(folder);
    free(program);
    if (!*peak)
        return bm_error("--stop-at peak: there is no run of %s in .benchmem: "
                        "run it once first, or name its profile, as in "
                        "--stop-at peak:FILE",
                        path);
    return 0;
}

static int find_in(const char *file, uint64_t *peak)
{
    struct bm_profile_error error;
    struct bm_profile *profile = bm_profile_read(file, &error);

    if (!profile && access(file, R_OK))
        return bm_error("cannot read %s: %s", file, strerror(errno));
    if (!profile)
        return bm_error("cannot read %s: byte %" PRIu64 ": %s", file,
                        error.offset, error.why);
    *peak = peak_of(profile);
    bm_profile_free(profile);
    if (!*peak)
        return bm_error("--stop-at peak: %s tells of no peak of one process",
                        file);
    return 0;
}

int bm_stop_find(const char *where, const char *path, struct bm_str *recorder)
{
    const char *colon = strchr(where, ':');
    uint64_t peak;

    if (strncmp(where, "peak", strlen("peak")) != 0)
        return 0;
    if (colon ? find_in(colon + 1, &peak) : find_newest(path, &peak))
        return -1;
    bm_str_printf(recorder, "%sstop_live=%" PRIu64, recorder->size ? ":" : "",
                  peak);
    return 0;
}

/* -- stopping there -------------------------------------------------------- */

/* A preloaded recorder is the program's, not gdb's. */
static void move_preload(struct bm_strvec *argv)
{
    const char *preload = getenv("LD_PRELOAD");

    if (!preload)
        return;
    bm_strvec_push(argv, "-iex");
    bm_strvec_pushf(argv, "set environment LD_PRELOAD %s", preload);
    unsetenv("LD_PRELOAD");
}

static void become_gdb(char *const *program, const char *path, char *gdb)
{
    struct bm_strvec argv = BM_STRVEC_INIT;

    bm_strvec_push(&argv, "gdb");
    bm_strvec_push(&argv, "-q");
    /* A shell would be recorded, and stopped, before the program. */
    bm_strvec_push(&argv, "-iex");
    bm_strvec_push(&argv, "set startup-with-shell off");
    move_preload(&argv);
    bm_strvec_push(&argv, "-ex");
    bm_strvec_push(&argv, "run");
    bm_strvec_push(&argv, "--args");
    bm_strvec_push(&argv, path);
    for (program++; *program; program++)
        bm_strvec_push(&argv, *program);
    execv(gdb, argv.items);
    bm_warn("cannot run %s: stopping with a core file", gdb);
    bm_strvec_clear(&argv);
}

static void allow_core(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_CORE, &limit))
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_CORE, &limit);
}

void bm_stop_debug(char *const *program, const char *path)
{
    bool terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
    char *gdb = terminal ? bm_find_program("gdb", NULL) : NULL;

    if (gdb)
        become_gdb(program, path, gdb);
    free(gdb);
    allow_core();
}

void bm_stop_tell(const char *program, const struct bm_process_end *end)
{
    if (end->signal != SIGTRAP)
        bm_error("%s ended without being stopped: this run never came there",
                 program);
}
