/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "say.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *program = "benchmark";

void bm_say_set_program(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;

    if (path && *path)
        program = slash ? slash + 1 : path;
}

const char *bm_say_program(void)
{
    return program;
}

static __attribute__((format(printf, 1, 0))) void say(const char *format,
                                                      va_list arguments)
{
    fflush(stdout);
    fprintf(stderr, "%s: ", program);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void bm_say(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

void bm_say_die(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    exit(2);
}
