/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/error.h"

#include "base/escape.h"
#include "base/str.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool quiet;

void bm_error_set_quiet(bool value)
{
    quiet = value;
}

/* Keeps errno, so that callers can report it after a warning. */
static __attribute__((format(printf, 2, 0))) void
print_line(const char *word, const char *format, va_list args)
{
    int saved = errno;
    struct bm_str raw = BM_STR_INIT, line = BM_STR_INIT;

    bm_str_vprintf(&raw, format, args);
    bm_escape_terminal(&line, raw.data);
    fflush(stdout);
    fprintf(stderr, "%s: %s%s\n", program_invocation_short_name, word,
            line.data);
    bm_str_clear(&raw);
    bm_str_clear(&line);
    errno = saved;
}

void bm_die(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    print_line("", format, args);
    va_end(args);
    exit(BM_EXIT_USAGE);
}

int bm_error(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    print_line("", format, args);
    va_end(args);
    return -1;
}

void bm_warn(const char *format, ...)
{
    va_list args;

    if (quiet)
        return;
    va_start(args, format);
    print_line("warning: ", format, args);
    va_end(args);
}

void bm_bug(const char *file, int line, const char *format, ...)
{
    va_list args;

    fprintf(stderr, "%s: bug at %s:%d: ", program_invocation_short_name, file,
            line);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    abort();
}
