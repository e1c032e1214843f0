/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "driver/run_profile.h"

#include "base/error.h"
#include "base/locate.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/str.h"
#include "base/strvec.h"
#include "profile/profile.h"
#include "symbols/symbols.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *make_absolute(const char *path)
{
    struct bm_str absolute = BM_STR_INIT;
    if (path[0] != '/') {
        char *here = getcwd(NULL, 0);
        if (!here)
            return NULL;
        bm_str_printf(&absolute, "%s/", here);
        free(here);
    }
    bm_str_puts(&absolute, path);
    return bm_str_detach(&absolute);
}

/* Whether the folder of an absolute path is missing. */
static bool has_no_folder(char *path)
{
    char *slash = strrchr(path, '/');
    bool missing;

    if (slash == path)
        return false;
    *slash = '\0';
    missing = access(path, F_OK) != 0;
    *slash = '/';
    return missing;
}

/*
 * Whether a file can be made there; it is not left behind. The recorder makes
 * a folder that is missing.
 */
static bool can_make(char *path)
{
    int fd;

    if (has_no_folder(path))
        return true;
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return false;
    close(fd);
    return unlink(path) == 0;
}

char *bm_run_claim_output(const char *path, bool force)
{
    struct stat st;
    if (lstat(path, &st) == 0) {
        if (!S_ISREG(st.st_mode)) {
            bm_error("cannot write %s: not a regular file", path);
            return NULL;
        }
        if (!force) {
            bm_error("cannot write %s: it exists; -f replaces it", path);
            return NULL;
        }
        /* The recorder never replaces a file. */
        if (unlink(path) != 0) {
            bm_error("cannot replace %s: %s", path, strerror(errno));
            return NULL;
        }
    }
    char *absolute = make_absolute(path);
    if (absolute && can_make(absolute))
        return absolute;
    bm_error("cannot write %s: %s", path, strerror(errno));
    free(absolute);
    return NULL;
}

char *bm_run_pattern(const char *path)
{
    struct bm_str pattern = BM_STR_INIT;
    for (; *path; path++)
        bm_str_puts(&pattern, *path == '%' ? "%%" : (char[]){*path, '\0'});
    return bm_str_detach(&pattern);
}

char *bm_run_default_profile(pid_t pid)
{
    struct bm_strvec paths = BM_STRVEC_INIT;
    struct bm_str suffix = BM_STR_INIT;
    char *found = NULL;

    bm_str_printf(&suffix, ".%d" BM_PROFILE_SUFFIX, (int)pid);
    if (bm_locate_profiles(BM_FOLDER_NAME, &paths) == 0)
        for (size_t i = 0; i < paths.count && !found; i++) {
            size_t size = strlen(paths.items[i]);
            if (size > suffix.size &&
                strcmp(paths.items[i] + size - suffix.size, suffix.data) == 0)
                found = bm_xstrdup(paths.items[i]);
        }
    bm_str_clear(&suffix);
    bm_strvec_clear(&paths);
    return found;
}

/* What the process became by exec has a profile of its own. */
void bm_run_set_end(struct bm_profile *profile,
                    const struct bm_process_end *end)
{
    if (profile->end == BM_END_EXEC)
        return;
    profile->end = end->signal ? BM_END_SIGNAL : BM_END_STATUS;
    profile->end_value = (uint64_t)(end->signal ? end->signal : end->status);
    profile->complete = profile->flags == 0;
}

static int replace(const char *path, const struct bm_profile *profile)
{
    struct bm_output out;
    if (bm_output_open(&out, path, true))
        return -1;
    if (bm_profile_write(profile, fileno(out.file))) {
        bm_error("cannot write %s: %s", path, strerror(errno));
        bm_output_abandon(&out);
        return -1;
    }
    return bm_output_close(&out);
}

int bm_run_finish_profile(const char *path, pid_t pid,
                          const struct bm_process_end *end)
{
    struct bm_profile_error error;
    struct bm_profile *profile = bm_profile_read(path, &error);
    int result = 0;

    if (!profile)
        return bm_error("cannot read %s: byte %llu: %s", path,
                        (unsigned long long)error.offset, error.why);
    bool is_ours = profile->pid == (uint64_t)pid;
    if (is_ours)
        bm_run_set_end(profile, end);
    struct bm_symbols *symbols = bm_symbols_resolve(profile);
    if (is_ours || kill((pid_t)profile->pid, 0) != 0)
        result = replace(path, profile);
    bm_profile_free(profile);
    bm_symbols_free(symbols);
    return result;
}
