/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "driver/find.h"

#include "base/memory.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of execvp, where PATH is not set. */
#define DEFAULT_PATH "/bin:/usr/bin"

static bool is_program(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
           access(path, X_OK) == 0;
}

static bool is_same_file(const char *a, const char *b)
{
    struct stat sta, stb;
    return b && stat(a, &sta) == 0 && stat(b, &stb) == 0 &&
           sta.st_dev == stb.st_dev && sta.st_ino == stb.st_ino;
}

char *bm_find_self(const char *argv0)
{
    char *self = realpath("/proc/self/exe", NULL);
    if (self)
        return self;
    char *found = argv0 ? bm_find_program(argv0, NULL) : NULL;
    self = found ? realpath(found, NULL) : NULL;
    free(found);
    return self;
}

char *bm_find_program(const char *name, const char *self)
{
    if (strchr(name, '/'))
        return is_program(name) ? bm_xstrdup(name) : NULL;
    const char *folder = getenv("PATH");
    if (!folder)
        folder = DEFAULT_PATH;
    for (;;) {
        size_t size = strcspn(folder, ":");
        struct bm_str path = BM_STR_INIT;
        bm_str_add(&path, folder, size);
        bm_str_puts(&path, size > 0 ? "/" : "./"); /* empty: here */
        bm_str_puts(&path, name);
        if (is_program(path.data) && !is_same_file(path.data, self))
            return bm_str_detach(&path);
        bm_str_clear(&path);
        if (folder[size] == '\0')
            return NULL;
        folder += size + 1;
    }
}

char *bm_find_beside(const char *program, const char *relative)
{
    /* Never relative to the current folder, which anyone may have filled. */
    const char *slash = program ? strrchr(program, '/') : NULL;
    if (!slash)
        return NULL;
    struct bm_str path = BM_STR_INIT;
    bm_str_add(&path, program, (size_t)(slash - program) + 1);
    bm_str_puts(&path, relative);
    char *found = realpath(path.data, NULL);
    bm_str_clear(&path);
    return found;
}
