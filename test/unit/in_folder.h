/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * For tests that make files: each test starts in an empty folder of its own,
 * which is removed behind it.
 *
 *     cmocka_unit_test_setup_teardown(test, folder_enter, folder_leave)
 */
#ifndef BENCHMEM_TEST_IN_FOLDER_H
#define BENCHMEM_TEST_IN_FOLDER_H

#include "base/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static inline int folder_enter(void **state)
{
    const char *base = getenv("TMPDIR");
    char *path = NULL;

    if (asprintf(&path, "%s/benchmem-test.XXXXXX", base ? base : "/tmp") < 0)
        return -1;
    *state = path;
    return mkdtemp(path) && !chdir(path) ? 0 : -1;
}

static inline int folder_leave(void **state)
{
    char *const argv[] = {(char *)"rm", (char *)"-rf", (char *)"--", *state,
                          NULL};
    struct bm_process_end end;
    int failed = chdir("/") || bm_process_run(argv, &end) || end.status;

    free(*state);
    return failed ? -1 : 0;
}

static inline int file_write(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    if (!file)
        return -1;
    int failed = fputs(text, file) < 0;
    return fclose(file) || failed ? -1 : 0;
}

/* What a file holds, to be freed; NULL if it is not there. */
static inline char *file_read(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;

    if (!file)
        return NULL;
    if (getdelim(&text, &room, 0, file) < 0) {
        free(text);
        text = strdup("");
    }
    fclose(file);
    return text;
}

#endif
