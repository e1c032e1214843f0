/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "measure/outputs.h"

#include "base/error.h"
#include "base/locate.h"
#include "base/memory.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MANIFEST ".json"
#define SUMMARY ".md"
#define MOST_TRIES 10000

static bool ends_with(const char *path, const char *ending)
{
    size_t size = strlen(path), length = strlen(ending);

    return size > length && strcmp(path + size - length, ending) == 0;
}

char *bm_with_ending(const char *path, const char *ending)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    struct bm_str out = BM_STR_INIT;

    bm_str_add(&out, path, dot ? (size_t)(dot - path) : strlen(path));
    bm_str_puts(&out, ending);
    return bm_str_detach(&out);
}

/* ---- before anything runs ---- */

static int check_free(const char *path, bool force)
{
    struct stat st;

    if (!path || lstat(path, &st))
        return 0;
    if (!S_ISREG(st.st_mode))
        return bm_error("cannot write %s: not a regular file", path);
    return force ? 0
                 : bm_error("cannot write %s: it exists; -f replaces it", path);
}

/* Two runs that save under one name would each lose the other. */
static int check_saved(const struct bm_measuring *m)
{
    static const char *const endings[] = {MANIFEST, BM_PROFILE_SUFFIX};
    char *folder = m->save ? bm_locate_folder() : NULL;
    int result = 0;

    for (size_t i = 0; folder && i < 2 && !result; i++) {
        struct bm_str path = BM_STR_INIT;

        bm_str_printf(&path, "%s/%s%s", folder, m->save, endings[i]);
        result = check_free(path.data, m->force);
        bm_str_clear(&path);
    }
    free(folder);
    return result;
}

/* Which names come is not known yet: any profile could be one of them. */
static int check_folder(const char *folder, bool force)
{
    struct bm_strvec paths = BM_STRVEC_INIT;
    bool any;

    if (!folder || mkdir(folder, 0777) == 0)
        return 0;
    if (errno != EEXIST || !bm_is_folder(folder))
        return bm_error("cannot make %s: %s", folder, strerror(errno));
    any = bm_locate_profiles(folder, &paths) == 0 && paths.count;
    bm_strvec_clear(&paths);
    return any && !force
               ? bm_error("cannot write to %s: it holds profiles; -f replaces "
                          "those of the same name",
                          folder)
               : 0;
}

int bm_outputs_settle(struct bm_session *session)
{
    const struct bm_measuring *m = session->m;

    if (m->output && ends_with(m->output, MANIFEST)) {
        session->manifest = bm_xstrdup(m->output);
        session->summary = bm_with_ending(m->output, SUMMARY);
        if (BM_HAS_MODE(m, BM_MODE_MEMORY))
            session->profile = bm_with_ending(m->output, BM_PROFILE_SUFFIX);
    } else if (m->output && !BM_HAS_MODE(m, BM_MODE_MEMORY)) {
        return bm_error("cannot write %s: there is a profile of memory alone; "
                        "name a file that ends in .json",
                        m->output);
    } else if (m->output) {
        session->profile = bm_xstrdup(m->output);
    }
    if (check_free(session->profile, m->force) ||
        check_free(session->manifest, m->force) ||
        check_free(session->summary, m->force) || check_saved(m))
        return -1;
    return check_folder(m->profile_folder, m->force);
}

/* ---- the profile's name ---- */

static const char *program_of(const struct bm_profile *profile)
{
    const char *slash = strrchr(profile->program, '/');

    return slash && slash[1] ? slash + 1 : profile->program;
}

/* As the recorder fills in BENCHMEM_OUTPUT. */
static void fill_in(struct bm_str *out, const char *pattern,
                    const struct bm_profile *first, unsigned number)
{
    for (; *pattern; pattern++) {
        if (*pattern != '%' || !pattern[1]) {
            bm_str_putc(out, *pattern);
            continue;
        }
        switch (*++pattern) {
        case 'e':
            bm_str_puts(out, program_of(first));
            break;
        case 'p':
            bm_str_printf(out, "%" PRIu64, first->pid);
            break;
        case 'h':
            bm_str_puts(out, first->host ? first->host : "");
            break;
        case 'r':
            bm_str_puts(out, first->rank ? first->rank : "0");
            break;
        case 'n':
            bm_str_printf(out, "%u", number);
            break;
        case '%':
            bm_str_putc(out, '%');
            break;
        default:
            bm_str_printf(out, "%%%c", *pattern);
        }
    }
}

/* "x.bmem" becomes "x.4242.bmem", as the recorder has it. */
static void put_apart(struct bm_str *path, const struct bm_profile *first,
                      unsigned number)
{
    char *ending = NULL;
    char *slash = strrchr(path->data, '/');
    char *dot = strrchr(slash ? slash : path->data, '.');

    if (dot) {
        ending = bm_xstrdup(dot);
        bm_str_truncate(path, (size_t)(dot - path->data));
    }
    bm_str_printf(path, ".%" PRIu64, first->pid);
    if (number > 1)
        bm_str_printf(path, ".%u", number);
    bm_str_puts(path, ending ? ending : "");
    free(ending);
}

static int make_folders(const char *path)
{
    char *copy = bm_xstrdup(path);
    int result = 0;

    for (char *slash = strchr(copy + 1, '/'); slash && !result;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (ends_with(copy, "/" BM_FOLDER_NAME) ||
            strcmp(copy, BM_FOLDER_NAME) == 0)
            result = bm_locate_make_folder(copy);
        else if (mkdir(copy, 0777) && errno != EEXIST)
            result = bm_error("cannot make %s: %s", copy, strerror(errno));
        *slash = '/';
    }
    free(copy);
    return result;
}

int bm_outputs_name_profile(struct bm_session *session,
                            const struct bm_profile *first)
{
    const char *named = getenv("BENCHMEM_OUTPUT");
    struct bm_str path = BM_STR_INIT;

    for (unsigned n = 0; !session->profile && n < MOST_TRIES; n++) {
        const char *pattern =
            named && *named ? named : BM_FOLDER_NAME "/%e.%p.bmem";

        bm_str_truncate(&path, 0);
        fill_in(&path, pattern, first, n);
        if (path.size && path.data[path.size - 1] == '/')
            fill_in(&path, "%e.%p.bmem", first, n);
        if (n && !strstr(pattern, "%n"))
            put_apart(&path, first, n);
        if (access(path.data, F_OK))
            session->profile = bm_xstrdup(path.data);
    }
    bm_str_clear(&path);
    if (!session->profile)
        return bm_error("cannot write a profile: every name is taken");
    return make_folders(session->profile);
}

char *bm_name_of_id(const char *id)
{
    struct bm_str name = BM_STR_INIT;

    for (; *id; id++) {
        unsigned char c = (unsigned char)*id;
        bool is_bad = c == '/' || c < 0x20 || c == 0x7f;

        bm_str_putc(&name, is_bad ? '_' : *id);
    }
    if (name.data[0] == '.')
        name.data[0] = '_';
    return bm_str_detach(&name);
}
