/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "results/results.h"

#include "base/error.h"
#include "base/locate.h"
#include "base/str.h"
#include "results/make.h"
#include "results/runs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LAST "last"

/* -- files ----------------------------------------------------------------- */

/* JSON begins with a bracket, which no profile does. */
static bool looks_like_json(const char *path)
{
    char first[64] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return false;
    if (read(fd, first, sizeof(first) - 1) < 0)
        first[0] = '\0';
    close(fd);
    char start = first[strspn(first, " \t\r\n")];
    return start == '{' || start == '[';
}

static struct bm_run *load_file(const char *path)
{
    if (looks_like_json(path))
        return bm_run_read_json(path);
    struct bm_profile *profile = bm_run_read(path);
    return profile ? bm_run_of_profile(profile) : NULL;
}

/* All of paths together, which is not empty; one in memory at a time. */
static struct bm_run *load_profiles(const char *source,
                                    const struct bm_strvec *paths)
{
    struct bm_run *run = bm_run_new(source, NULL);

    for (size_t i = 0; i < paths->count; i++) {
        struct bm_profile *profile = bm_run_read(paths->items[i]);

        if (!profile) {
            bm_run_free(run);
            return NULL;
        }
        bm_strvec_push(&run->files, paths->items[i]);
        bm_run_add_profile(run, profile);
        if (!i)
            bm_run_describe(run, profile);
        bm_profile_free(profile);
    }
    if (paths->count > 1) {
        run->has_process = false;
        memset(run->process.series, 0, sizeof(run->process.series));
    }
    return run;
}

/* -- folders --------------------------------------------------------------- */

/* The profiles of the newest run in a folder .benchmem. */
static void keep_newest(struct bm_strvec *paths)
{
    struct bm_strvec kept = BM_STRVEC_INIT;
    struct bm_runs runs;

    bm_runs_init(&runs, paths);
    if (runs.nr_processes)
        bm_strvec_push(&kept, runs.processes[runs.newest].path);
    bm_runs_clear(&runs);
    bm_strvec_clear(paths);
    *paths = kept;
}

static bool is_store(const char *folder)
{
    size_t end = strlen(folder), size = strlen(BM_FOLDER_NAME);

    while (end > 1 && folder[end - 1] == '/')
        end--;
    return end >= size && !strncmp(folder + end - size, BM_FOLDER_NAME, size) &&
           (end == size || folder[end - size - 1] == '/');
}

static struct bm_run *load_folder(const char *folder)
{
    struct bm_strvec paths = BM_STRVEC_INIT;
    struct bm_str inner = BM_STR_INIT;
    struct bm_run *run = NULL;

    bm_str_printf(&inner, "%s%s" BM_FOLDER_NAME, folder,
                  folder[strlen(folder) - 1] == '/' ? "" : "/");
    if (bm_locate_profiles(folder, &paths)) {
        bm_error("cannot read %s: %s", folder, strerror(errno));
    } else if (!paths.count && bm_is_folder(inner.data)) {
        run = load_folder(inner.data);
    } else {
        if (is_store(folder))
            keep_newest(&paths);
        if (!paths.count)
            bm_error("no profile in %s: run a program that benchmem-cc built, "
                     "or name a .bmem file",
                     folder);
        else
            run = load_profiles(paths.count == 1 ? paths.items[0] : folder,
                                &paths);
    }
    bm_str_clear(&inner);
    bm_strvec_clear(&paths);
    return run;
}

/* -- names ----------------------------------------------------------------- */

static bool is_file(const char *path)
{
    struct stat st;

    return !stat(path, &st) && S_ISREG(st.st_mode);
}

/* folder/name with the suffix that there is a file for, or NULL. */
static char *find_saved(const char *folder, const char *name)
{
    static const char *const suffixes[] = {".json", BM_PROFILE_SUFFIX};

    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
        struct bm_str path = BM_STR_INIT;

        bm_str_printf(&path, "%s/%s%s", folder, name, suffixes[i]);
        if (is_file(path.data))
            return bm_str_detach(&path);
        bm_str_clear(&path);
    }
    return NULL;
}

/* The name in the file `last`, the caller's; NULL if there is none. */
static char *last_name(const char *folder)
{
    struct bm_str path = BM_STR_INIT;
    char *name = NULL;
    size_t room = 0;
    const char *why;

    bm_str_printf(&path, "%s/" LAST, folder);
    FILE *file = fopen(path.data, "re");
    ssize_t size = file ? getline(&name, &room, file) : -1;
    if (file)
        fclose(file);
    bm_str_clear(&path);
    if (size > 0 && name[size - 1] == '\n')
        name[size - 1] = '\0';
    if (size > 0 && bm_run_valid_name(name, &why))
        return name;
    free(name);
    return NULL;
}

static struct bm_run *load_last(const char *folder)
{
    char *name = last_name(folder);
    char *path = name ? find_saved(folder, name) : NULL;
    struct bm_run *run = path ? load_file(path) : load_folder(folder);

    free(name);
    free(path);
    return run;
}

static struct bm_run *load_name(const char *name, enum bm_run_fault *fault)
{
    char *folder = bm_locate_folder();
    char *path = folder ? find_saved(folder, name) : NULL;
    struct bm_run *run = NULL;

    if (folder && !strcmp(name, LAST))
        run = load_last(folder);
    else if (path)
        run = load_file(path);
    else if (!folder)
        bm_error("no run %s: no such file, and no " BM_FOLDER_NAME
                 " here or above to look it up in",
                 name);
    else
        bm_error("no run %s: no such file, and no %s.json or %s.bmem in %s; "
                 "save one with benchmem-run --save %s",
                 name, name, name, folder, name);
    if (!run && !path && (!folder || strcmp(name, LAST)))
        *fault = BM_RUN_FAULT_MISSING;
    free(folder);
    free(path);
    return run;
}

struct bm_run *bm_run_load(const char *what, enum bm_run_fault *fault)
{
    enum bm_run_fault unused;
    const char *why;
    struct stat st;

    fault = fault ? fault : &unused;
    *fault = BM_RUN_FAULT_UNREADABLE;
    if (stat(what, &st)) {
        int error = errno;

        if (error == ENOENT && bm_run_valid_name(what, &why) &&
            !strstr(what, ".bmem") && !strstr(what, ".json"))
            return load_name(what, fault);
        if (error == ENOENT)
            *fault = BM_RUN_FAULT_MISSING;
        bm_error("cannot read %s: %s", what, strerror(error));
        return NULL;
    }
    if (S_ISDIR(st.st_mode))
        return load_folder(what);
    if (!S_ISREG(st.st_mode)) {
        bm_error("cannot read %s: neither a file nor a folder", what);
        return NULL;
    }
    return load_file(what);
}
