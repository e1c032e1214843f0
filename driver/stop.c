/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "driver/stop.h"

#include "base/error.h"
#include "base/locate.h"
#include "base/memory.h"
#include "base/strvec.h"
#include "driver/find.h"
#include "driver/stop_where.h"
#include "profile/profile.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
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

static struct bm_profile *usable(const char *path, const char *program)
{
    struct bm_profile_error error;
    struct bm_profile *profile = bm_profile_read(path, &error);

    if (profile && !strcmp(profile->program, program) &&
        bm_stop_can_use(profile) && profile->totals.peak_bytes)
        return profile;
    bm_profile_free(profile);
    return NULL;
}

static struct bm_profile *newest_in(const char *folder, const char *program)
{
    struct bm_strvec paths = BM_STRVEC_INIT;
    struct bm_profile *profile = NULL;

    if (bm_locate_profiles(folder, &paths))
        return NULL;
    struct dated *dated = bm_xcalloc(paths.count + 1, sizeof(*dated));
    for (size_t i = 0; i < paths.count; i++) {
        struct stat st = {0};

        stat(paths.items[i], &st);
        dated[i] = (struct dated){paths.items[i], st.st_mtim};
    }
    qsort(dated, paths.count, sizeof(*dated), newest_first);
    for (size_t i = 0; i < paths.count && !profile; i++)
        profile = usable(dated[i].path, program);
    free(dated);
    bm_strvec_clear(&paths);
    return profile;
}

static struct bm_profile *find_newest(const char *where, const char *path)
{
    char *folder = bm_locate_folder(), *program = realpath(path, NULL);
    struct bm_profile *profile =
        folder && program ? newest_in(folder, program) : NULL;

    free(folder);
    free(program);
    if (!profile)
        bm_error("--stop-at %s: there is no run of %s in .benchmem: run it "
                 "once first, or name its profile, as in --stop-at %.*s:FILE%s",
                 where, path, (int)strcspn(where, ":"), where,
                 strchr(where, ':') ? BM_PROFILE_SUFFIX ":..." : "");
    return profile;
}

static struct bm_profile *read_named(const char *file)
{
    struct bm_profile_error error;
    struct bm_profile *profile = bm_profile_read(file, &error);

    if (!profile && access(file, R_OK))
        bm_error("cannot read %s: %s", file, strerror(errno));
    else if (!profile)
        bm_error("cannot read %s: byte %" PRIu64 ": %s", file, error.offset,
                 error.why);
    if (!profile || (bm_stop_can_use(profile) && profile->totals.peak_bytes))
        return profile;
    bm_error("--stop-at: %s tells of no peak of one process", file);
    bm_profile_free(profile);
    return NULL;
}

/*
 * Whether a file begins as a profile, however it goes on. A benchmark may be
 * called as a file that lies there, such as the program.
 */
static bool is_profile(const char *path)
{
    /* The tag of the head and its first string: docs/profile-format.md. */
    static const char magic[] = "\1\250benchmem";
    char start[sizeof(magic)]; /* one byte before it, the array's */
    struct stat st;
    FILE *file;
    bool is;

    if (stat(path, &st) || !S_ISREG(st.st_mode))
        return false;
    file = fopen(path, "re");
    if (!file)
        return true; /* reading it says why */
    is = fread(start, 1, sizeof(start), file) == sizeof(start) &&
         !memcmp(start + 1, magic, sizeof(start) - 1);
    fclose(file);
    return is;
}

/*
 * The name of a profile at the start of text, the caller's to free: all of it
 * if it ends as profiles do, or what does before a colon. NULL if it begins
 * otherwise.
 */
static char *leading_profile(const char *text)
{
    static const size_t size = sizeof(BM_PROFILE_SUFFIX) - 1;
    const char *end = strstr(text, BM_PROFILE_SUFFIX ":");
    size_t length = strlen(text);
    struct bm_str name = BM_STR_INIT;

    if (!end && length > size &&
        !strcmp(text + length - size, BM_PROFILE_SUFFIX))
        end = text + length - size;
    if (!end)
        return NULL;
    bm_str_add(&name, text, (size_t)(end - text) + size);
    return bm_str_detach(&name);
}

static int find_in(const struct bm_profile *profile, bool site,
                   const char *name, struct bm_stop_place *place)
{
    if (site)
        return bm_stop_at_site(profile, profile->path, name, place);
    if (*name)
        return bm_stop_at_benchmark(profile, profile->path, name, place);
    *place = (struct bm_stop_place){
        .live = profile->totals.peak_bytes,
        .ordinal = profile->totals.peak_ordinal,
    };
    return 0;
}

static void put_place(struct bm_str *recorder,
                      const struct bm_stop_place *place)
{
    bm_str_printf(recorder, "%sstop_live=%" PRIu64, recorder->size ? ":" : "",
                  place->live);
    if (place->ordinal)
        bm_str_printf(recorder, ":stop_ordinal=%" PRIu64, place->ordinal);
    if (place->benchmark)
        bm_str_printf(recorder, ":stop_benchmark=%" PRIu64, place->benchmark);
    if (place->site)
        bm_str_printf(recorder, ":stop_site=%" PRIu64, place->site);
}

int bm_stop_find(const char *where, const char *path, struct bm_str *recorder)
{
    const char *colon = strchr(where, ':');
    const char *name = colon ? colon + 1 : "";
    bool site = !strncmp(where, "site", strlen("site"));
    struct bm_stop_place place;
    struct bm_profile *profile;
    char *file;
    int result;

    if (!strncmp(where, "allocation", strlen("allocation")))
        return 0;
    file = leading_profile(name);
    if (file && site && strlen(file) == strlen(name)) {
        free(file);
        return bm_error("--stop-at %s: of which line? Name it, as in "
                        "--stop-at %s:FILE:LINE",
                        where, where);
    }
    if (!file && !site && is_profile(name))
        file = bm_xstrdup(name);
    profile = file ? read_named(file) : find_newest(where, path);
    if (file)
        name += strlen(file);
    name += file && *name == ':';
    result = profile ? find_in(profile, site, name, &place) : -1;
    if (!result)
        put_place(recorder, &place);
    bm_profile_free(profile);
    free(file);
    return result;
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
