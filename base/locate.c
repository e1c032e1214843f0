/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/locate.h"

#include "base/error.h"
#include "base/str.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool bm_is_folder(const char *path)
{
    struct stat st;

    return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static bool same_folder(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

char *bm_locate_folder(void)
{
    struct bm_str up = BM_STR_INIT;
    struct stat here, above;

    for (;;) {
        size_t size = up.size;
        bm_str_puts(&up, BM_FOLDER_NAME);
        if (bm_is_folder(up.data))
            return bm_str_detach(&up);

        bm_str_truncate(&up, size);
        if (stat(up.size ? up.data : ".", &here))
            break;
        bm_str_puts(&up, "../");
        /* The root is its own parent. */
        if (stat(up.data, &above) || same_folder(&here, &above))
            break;
    }
    bm_str_clear(&up);
    return NULL;
}

int bm_locate_make_folder(const char *folder)
{
    struct bm_str ignore = BM_STR_INIT;
    int failed = 0;

    if (bm_is_folder(folder))
        return 0;
    if (mkdir(folder, 0777))
        return bm_error("cannot make %s: %s", folder, strerror(errno));
    bm_str_printf(&ignore, "%s/.gitignore", folder);
    FILE *file = fopen(ignore.data, "we");
    if (!file || fputs("*\n", file) < 0 || fclose(file))
        failed = bm_error("cannot write %s: %s", ignore.data, strerror(errno));
    bm_str_clear(&ignore);
    return failed;
}

static bool is_profile(const char *name)
{
    size_t size = strlen(name), suffix = strlen(BM_PROFILE_SUFFIX);

    return size > suffix && name[0] != '.' &&
           !strcmp(name + size - suffix, BM_PROFILE_SUFFIX);
}

/* Folders, pipes and devices are none, whatever their name; the rest may be. */
static bool is_something_else(DIR *dir, const char *name)
{
    struct stat st;

    return !fstatat(dirfd(dir), name, &st, 0) && !S_ISREG(st.st_mode);
}

int bm_locate_profiles(const char *folder, struct bm_strvec *paths)
{
    size_t size = strlen(folder);
    struct bm_strvec found = BM_STRVEC_INIT;
    DIR *dir = opendir(folder);

    if (!dir)
        return -1;
    while (size > 1 && folder[size - 1] == '/')
        size--;
    const char *slash = size == 1 && folder[0] == '/' ? "" : "/";

    for (;;) {
        errno = 0;
        const struct dirent *entry = readdir(dir);
        if (!entry)
            break;
        if (is_profile(entry->d_name) && !is_something_else(dir, entry->d_name))
            bm_strvec_pushf(&found, "%.*s%s%s", (int)size, folder, slash,
                            entry->d_name);
    }
    int error = errno;
    closedir(dir);

    bm_strvec_sort(&found);
    for (size_t i = 0; i < found.count; i++)
        bm_strvec_push(paths, found.items[i]);
    bm_strvec_clear(&found);
    errno = error;
    return error ? -1 : 0;
}
