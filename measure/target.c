/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "measure/target.h"

#include "base/error.h"
#include "base/locate.h"
#include "base/memory.h"
#include "base/temporary.h"
#include "driver/find.h"
#include "driver/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define RUNTIME "../lib/benchmem/libbenchmem_rt.so"
#define SPAWNER "../lib/benchmem/benchmem-spawn"
#define BENCHES_SECTION "benchmem_benches"

/* ---- the program ---- */

int bm_target_init(struct bm_target *target, const char *path, char **argv,
                   const char *self)
{
    *target = (struct bm_target){
        .path = path,
        .argv = argv,
        .kind = bm_program_kind(path),
        .has_main = bm_program_has_main(path),
    };
    target->has_benchmarks =
        target->has_main || bm_program_has_section(path, BENCHES_SECTION);
    if (target->kind == BM_PROGRAM_PLAIN) {
        target->runtime = bm_find_beside(self, RUNTIME);
        if (!target->runtime)
            return bm_error("cannot find %s beside %s: install benchmem again",
                            RUNTIME, self ? self : "benchmem-run");
    }
    target->spawner = bm_find_beside(self, SPAWNER);
    if (!target->spawner)
        return bm_error("cannot find %s beside %s: install benchmem again",
                        SPAWNER, self ? self : "benchmem-run");
    target->folder = bm_temporary_folder();
    return target->folder ? 0 : -1;
}

void bm_target_clear(struct bm_target *target)
{
    for (unsigned i = 1; target->folder && i <= target->nr_launches; i++) {
        struct bm_str folder = BM_STR_INIT;

        bm_str_printf(&folder, "%s/%u", target->folder, i);
        bm_temporary_remove(bm_str_detach(&folder));
    }
    bm_temporary_remove(target->folder);
    free(target->runtime);
    free(target->spawner);
}

/* ---- its environment ---- */

enum variable {
    OUTPUT,
    OPTIONS,
    ARGUMENTS,
    DISABLE,
    PRELOAD,
    NR_VARIABLES,
};

static const char *const variables[NR_VARIABLES] = {
    [OUTPUT] = "BENCHMEM_OUTPUT",       [OPTIONS] = "BENCHMEM_OPTIONS",
    [ARGUMENTS] = "BENCHMEM_ARGUMENTS", [DISABLE] = "BENCHMEM_DISABLE",
    [PRELOAD] = "LD_PRELOAD",
};

struct environment {
    char *old[NR_VARIABLES]; /* NULL: it was not set */
};

static void keep_environment(struct environment *environment)
{
    for (size_t i = 0; i < NR_VARIABLES; i++)
        environment->old[i] = bm_xstrdup(getenv(variables[i]));
}

static void restore_environment(struct environment *environment)
{
    for (size_t i = 0; i < NR_VARIABLES; i++) {
        if (environment->old[i])
            setenv(variables[i], environment->old[i], 1);
        else
            unsetenv(variables[i]);
        free(environment->old[i]);
    }
}

/* Ours and what is there; ours comes first in LD_PRELOAD, last elsewhere. */
static void add_to_list(enum variable variable, const char *value, bool first)
{
    const char *old = getenv(variables[variable]);
    struct bm_str list = BM_STR_INIT;

    if (!value)
        return;
    if (old && *old)
        bm_str_printf(&list, "%s:%s", first ? value : old, first ? old : value);
    else
        bm_str_puts(&list, value);
    setenv(variables[variable], list.data, 1);
    bm_str_clear(&list);
}

/* One word a line, as the harness reads it; ours come last, and so win. */
static void set_arguments(const struct bm_strvec *arguments)
{
    const char *old = getenv(variables[ARGUMENTS]);
    struct bm_str lines = BM_STR_INIT;

    if (old && *old)
        bm_str_printf(&lines, "%s\n", old);
    for (size_t i = 0; arguments && i < arguments->count; i++)
        bm_str_printf(&lines, "%s\n", arguments->items[i]);
    if (arguments)
        setenv(variables[ARGUMENTS], lines.data, 1);
    bm_str_clear(&lines);
}

static void set_environment(const struct bm_target *target,
                            const struct bm_wish *wish, const char *folder)
{
    static const char *const measures[] = {
        [BM_MODE_MEMORY] = "measure=memory",
        [BM_MODE_TIME] = "measure=time",
        [BM_MODE_RSS] = "measure=rss",
    };
    struct bm_str pattern = BM_STR_INIT;

    set_arguments(wish->arguments);
    if (wish->off) {
        setenv(variables[DISABLE], "1", 1);
        return;
    }
    for (const char *c = folder; *c; c++)
        bm_str_puts(&pattern, *c == '%' ? "%%" : (char[]){*c, '\0'});
    bm_str_puts(&pattern, "/%p.%n.bmem");
    setenv(variables[OUTPUT], pattern.data, 1);
    add_to_list(OPTIONS, wish->options, false);
    add_to_list(OPTIONS, measures[wish->mode], false);
    add_to_list(PRELOAD, target->runtime, true);
    bm_str_clear(&pattern);
}

/* ---- starting it ---- */

static uint64_t real_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* By a small program that tells us how it went. */
static int run_by_spawner(struct bm_target *target, const struct bm_wish *wish,
                          struct bm_child *child)
{
    struct bm_strvec words = BM_STRVEC_INIT;
    struct bm_child spawner;
    struct bm_spawned answer;
    int ends[2], result = -1;

    if (pipe(ends))
        return -1;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    bm_strvec_push(&words, target->spawner);
    bm_strvec_pushf(&words, "%d", ends[1]);
    bm_strvec_push(&words, target->path);
    for (char **word = target->argv; *word; word++)
        bm_strvec_push(&words, *word);
    if (bm_child_run(target->spawner, words.items, wish->stdout_fd, &spawner))
        goto out;
    errno = EIO;
    if (read(ends[0], &answer, sizeof(answer)) != sizeof(answer))
        goto out;
    errno = answer.error;
    *child = answer.child;
    result = answer.error ? -1 : 0;
out:
    close(ends[0]);
    close(ends[1]);
    bm_strvec_clear(&words);
    return result;
}

int bm_target_launch(struct bm_target *target, const struct bm_wish *wish,
                     struct bm_launch *launch)
{
    struct environment environment;
    struct bm_str folder = BM_STR_INIT;

    *launch = (struct bm_launch){.profiles = BM_STRVEC_INIT};
    bm_str_printf(&folder, "%s/%u", target->folder, ++target->nr_launches);
    if (mkdir(folder.data, 0700)) {
        bm_error("cannot make %s: %s", folder.data, strerror(errno));
        bm_str_clear(&folder);
        return -1;
    }
    keep_environment(&environment);
    set_environment(target, wish, folder.data);
    launch->start_ns = real_ns();
    int result = wish->mode == BM_MODE_RSS
                     ? run_by_spawner(target, wish, &launch->child)
                     : bm_child_run(target->path, target->argv, wish->stdout_fd,
                                    &launch->child);
    if (result)
        bm_error("cannot run %s: %s", target->path, strerror(errno));
    restore_environment(&environment);
    if (!result && bm_locate_profiles(folder.data, &launch->profiles))
        result = bm_error("cannot read %s: %s", folder.data, strerror(errno));
    bm_str_clear(&folder);
    return result;
}

void bm_launch_clear(struct bm_launch *launch)
{
    bm_strvec_clear(&launch->profiles);
}

int bm_target_list(struct bm_target *target, struct bm_strvec *arguments,
                   struct bm_str *out, struct bm_process_end *end)
{
    struct bm_strvec words = BM_STRVEC_INIT;
    struct environment environment;

    bm_strvec_push(&words, target->path);
    for (char **word = target->argv + 1; *word; word++)
        bm_strvec_push(&words, *word);
    keep_environment(&environment);
    setenv(variables[DISABLE], "1", 1);
    bm_strvec_push(arguments, "--list");
    bm_strvec_push(arguments, "--format");
    bm_strvec_push(arguments, "json");
    set_arguments(arguments);
    int result = bm_process_capture(words.items, out, end);
    if (result)
        bm_error("cannot run %s: %s", target->path, strerror(errno));
    restore_environment(&environment);
    bm_strvec_clear(&words);
    return result;
}
