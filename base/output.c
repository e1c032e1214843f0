/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/output.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* More than stdio's 4 KiB, of which exported files have 100,000s. */
#define BUFFER_SIZE ((size_t)256 << 10)

/* Outputs with a temporary file, to be abandoned if the command ends early. */
static struct bm_output *opened;

static void abandon_opened(void)
{
    while (opened)
        bm_output_abandon(opened);
}

static void remember(struct bm_output *out)
{
    static bool registered;

    if (!registered)
        registered = !atexit(abandon_opened);
    out->next = opened;
    opened = out;
}

static void forget(struct bm_output *out)
{
    struct bm_output **link = &opened;

    while (*link && *link != out)
        link = &(*link)->next;
    if (*link)
        *link = out->next;
}

static int refuse(const char *path)
{
    return bm_error("cannot write %s: it exists; use -f to replace it", path);
}

static int open_in_place(struct bm_output *out)
{
    out->file = fopen(out->path, "we");
    if (!out->file)
        return bm_error("cannot write %s: %s", out->path, strerror(errno));
    return 0;
}

/* A new file beside the one asked for, so that a rename can put it there. */
static int open_temporary(struct bm_output *out, mode_t mode)
{
    struct bm_str name = BM_STR_INIT;

    bm_str_printf(&name, "%s.XXXXXX", out->path);
    int fd = mkostemp(name.data, O_CLOEXEC);
    if (fd < 0) {
        int error = errno;
        bm_str_clear(&name);
        return bm_error("cannot write %s: %s", out->path, strerror(error));
    }
    out->temporary = bm_str_detach(&name);
    remember(out);
    out->file = fdopen(fd, "w");
    if (!out->file || fchmod(fd, mode)) {
        bm_error("cannot write %s: %s", out->path, strerror(errno));
        if (!out->file)
            close(fd);
        bm_output_abandon(out);
        return -1;
    }
    return 0;
}

/* Once: what a buffer holds is lost if another one takes its place. */
static void enlarge_stdout(void)
{
    static char buffer[BUFFER_SIZE];
    static bool done;

    if (!done && !isatty(STDOUT_FILENO))
        setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
    done = true;
}

int bm_output_open(struct bm_output *out, const char *path, bool force)
{
    struct stat st;

    *out = (struct bm_output){.force = force};
    if (!path || !strcmp(path, "-")) {
        out->file = stdout;
        enlarge_stdout();
        return 0;
    }
    out->path = bm_xstrdup(path);

    int error = 0;
    if (stat(path, &st)) {
        mode_t mask = umask(0);
        umask(mask);
        error = open_temporary(out, 0666 & ~mask);
    } else if (S_ISDIR(st.st_mode)) {
        error = bm_error("cannot write %s: it is a folder", path);
    } else if (!S_ISREG(st.st_mode)) {
        error = open_in_place(out);
    } else if (!force) {
        error = refuse(path);
    } else {
        /* Behind a symbolic link, the file itself is replaced. */
        char *real = realpath(path, NULL);
        if (real) {
            free(out->path);
            out->path = real;
        }
        error = open_temporary(out, st.st_mode & 07777);
    }
    if (error) {
        bm_output_abandon(out);
        return error;
    }
    out->buffer = bm_xmalloc(BUFFER_SIZE);
    setvbuf(out->file, out->buffer, _IOFBF, BUFFER_SIZE);
    return 0;
}

/* Gives the finished file its name, keeping one made meanwhile. */
static int put_in_place(struct bm_output *out)
{
    if (out->force) {
        if (!rename(out->temporary, out->path))
            return 0;
    } else if (!link(out->temporary, out->path)) {
        unlink(out->temporary);
        return 0;
    } else if (errno == EEXIST) {
        return refuse(out->path);
    } else if (!rename(out->temporary, out->path)) {
        /* Some file systems have no hard links. */
        return 0;
    }
    return bm_error("cannot write %s: %s", out->path, strerror(errno));
}

int bm_output_close(struct bm_output *out)
{
    const char *name = out->path ? out->path : "standard output";
    int failed = ferror(out->file);

    errno = 0;
    failed |= out->path ? fclose(out->file) : fflush(out->file);
    out->file = NULL;
    if (failed) {
        /* Who closed the pipe knows: head(1), a pager that was left. */
        if (out->path || errno != EPIPE)
            bm_error("cannot write %s: %s", name,
                     errno ? strerror(errno) : "write error");
    } else if (out->temporary) {
        failed = put_in_place(out);
        if (!failed) {
            free(out->temporary);
            out->temporary = NULL;
        }
    }
    bm_output_abandon(out);
    return failed ? -1 : 0;
}

void bm_output_abandon(struct bm_output *out)
{
    forget(out);
    if (out->file && out->path)
        fclose(out->file);
    if (out->temporary)
        unlink(out->temporary);
    free(out->buffer);
    free(out->temporary);
    free(out->path);
    *out = (struct bm_output){.file = NULL};
}
