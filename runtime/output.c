/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "output.h"

#include "file.h"
#include "launch.h"
#include "slab.h"
#include "sys.h"
#include "text.h"

#include <errno.h>
#include <string.h>

#define DEFAULT_FOLDER ".benchmem"
#define DEFAULT_NAME "%e.%p.bmem"
#define MAX_TRIES 10000u /* names tried before giving up */
#define STDERR 2
#define MESSAGE_SIZE (PATH_MAX + 256)

/*
 * Buffers are static: one thread starts the recorder, and its stack may be
 * small.
 */

/* What is tried: the pattern as it is, then with something added. */
struct attempt {
    const struct bm_launch *launch;
    const char *pattern;
    uint32_t pid;
    uint32_t number; /* from 0; the value of %n */
    bool has_number; /* the pattern has %n */
};

const char *bm_output_pattern(const struct bm_launch *launch)
{
    const char *pattern = bm_text_env(launch->environment, "BENCHMEM_OUTPUT");

    return pattern && pattern[0] ? pattern : NULL;
}

static void put_field(struct bm_line *line, struct attempt *attempt, char field)
{
    switch (field) {
    case 'e':
        bm_line_text(line, bm_launch_name(attempt->launch));
        break;
    case 'p':
        bm_line_number(line, attempt->pid);
        break;
    case 'h':
        bm_line_text(line, attempt->launch->host);
        break;
    case 'r':
        bm_line_text(line, attempt->launch->rank ? attempt->launch->rank : "0");
        break;
    case 'n':
        attempt->has_number = true;
        bm_line_number(line, attempt->number);
        break;
    case '%':
        bm_line_text(line, "%");
        break;
    default: /* not ours: as it stands */
        bm_line_text(line, "%");
        bm_line_bytes(line, &field, field != '\0');
    }
}

static void expand(struct bm_line *line, struct attempt *attempt,
                   const char *pattern)
{
    for (; *pattern; pattern++) {
        if (*pattern != '%') {
            bm_line_bytes(line, pattern, 1);
            continue;
        }
        put_field(line, attempt, pattern[1]);
        if (pattern[1])
            pattern++;
    }
}

/* "x.bmem" becomes "x.4242.bmem", then "x.4242.2.bmem". */
static void put_apart(struct bm_line *line, const struct attempt *attempt)
{
    char suffix[NAME_MAX + 1];
    const char *slash = strrchr(line->text, '/');
    char *dot = strrchr(slash ? slash : line->text, '.');

    suffix[0] = '\0';
    if (dot && strlen(dot) < sizeof(suffix)) {
        memcpy(suffix, dot, strlen(dot) + 1);
        line->length = (size_t)(dot - line->text);
    }
    bm_line_text(line, ".");
    bm_line_number(line, attempt->pid);
    if (attempt->number > 1) {
        bm_line_text(line, ".");
        bm_line_number(line, attempt->number);
    }
    bm_line_text(line, suffix);
}

static void name_file(struct bm_line *line, struct attempt *attempt)
{
    const char *pattern = attempt->pattern;

    line->length = 0;
    line->cut = false;
    if ((!pattern || pattern[0] != '/') && attempt->launch->cwd[0]) {
        bm_line_text(line, attempt->launch->cwd);
        bm_line_text(line, "/");
    }
    if (!pattern)
        bm_line_text(line, DEFAULT_FOLDER "/");
    else
        expand(line, attempt, pattern);
    if (!pattern || line->text[line->length - 1] == '/')
        expand(line, attempt, DEFAULT_NAME);
    if (attempt->number > 0 && !attempt->has_number)
        put_apart(line, attempt);
}

static void ignore_folder(const char *path, size_t length)
{
    static const char everything[] = "*\n";
    static char buffer[PATH_MAX];
    struct bm_line line = bm_line_in(buffer, sizeof(buffer));

    if (!bm_slab_within_limit(strlen(everything)))
        return;
    bm_line_bytes(&line, path, length);
    bm_line_text(&line, "/.gitignore");
    int fd = bm_sys_open(line.text, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (fd < 0)
        return;
    bm_sys_write(fd, everything, strlen(everything));
    bm_sys_close(fd);
}

static bool ends_with(const char *text, size_t length, const char *end)
{
    size_t size = strlen(end);

    return length >= size && memcmp(text + length - size, end, size) == 0;
}

/* Every folder above path that is not there. */
static void make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        size_t length = (size_t)(slash - path);

        *slash = '\0';
        bool made = bm_sys_mkdir(path, 0777) == 0;
        *slash = '/';
        if (made && ends_with(path, length, "/" DEFAULT_FOLDER))
            ignore_folder(path, length);
    }
}

static int create(struct bm_thread *thread, struct bm_line *line)
{
    int error;

    if (line->cut)
        return -ENAMETOOLONG;
    error = bm_file_settle(thread, line->text);
    if (error != -ENOENT)
        return error;
    make_folders(line->text);
    return bm_file_settle(thread, line->text);
}

/* Not every libc has it. */
#pragma weak strerrordesc_np

static const char *describe(int error)
{
    const char *text = strerrordesc_np ? strerrordesc_np(error) : NULL;

    return text ? text : "see errno(3)";
}

/* Where files have a limit, a line in one can be answered by SIGXFSZ. */
static bool can_complain(void)
{
    return bm_sys_offset(STDERR) < 0 || bm_slab_within_limit(UINT64_MAX);
}

static void complain(const char *path, int error)
{
    static char buffer[MESSAGE_SIZE];
    struct bm_line line = bm_line_in(buffer, sizeof(buffer));

    if (!can_complain())
        return;

    bm_line_text(&line, "benchmem: cannot write profile ");
    bm_line_text(&line, path);
    bm_line_text(&line, ": error ");
    bm_line_number(&line, (uint64_t)-error);
    bm_line_text(&line, " (");
    bm_line_text(&line, describe(-error));
    bm_line_text(&line, ")\n");
    bm_sys_write(STDERR, line.text, line.length);
}

bool bm_output_settle(struct bm_thread *thread, const struct bm_launch *launch)
{
    static char buffer[PATH_MAX];
    struct bm_line line = bm_line_in(buffer, sizeof(buffer));
    struct attempt attempt = {
        .launch = launch,
        .pattern = bm_output_pattern(launch),
        .pid = bm_sys_getpid(),
    };
    int error;

    do {
        name_file(&line, &attempt);
        error = create(thread, &line);
    } while (error == -EEXIST && ++attempt.number < MAX_TRIES);
    if (error && attempt.pattern)
        complain(line.text, error);
    return error == 0;
}
