/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A command line with its response files (@file) read, as clang will see it.
 *
 * Only decisions are made on this: what clang is given is the command line
 * as it was, so that clang itself reads the files and reports what is wrong
 * with them. An @file that does not exist stays a word, as in clang. One
 * that cannot be read or includes itself makes the line broken: nothing may
 * be decided on it.
 *
 * Files come from a callback, so this needs no file system. Memory as in
 * base/memory.h.
 *
 *   1. struct bm_line line = BM_LINE_INIT;
 *   2. bm_line_read(&line, argc, argv, &files);
 *   3. bm_line_clear(&line).
 */
#ifndef BENCHMEM_DRIVER_LINE_H
#define BENCHMEM_DRIVER_LINE_H

#include "base/strvec.h"

#include <stdbool.h>
#include <stddef.h>

enum bm_file_state {
    BM_FILE_ABSENT,
    BM_FILE_READ,
    BM_FILE_READ_ONCE, /* a pipe: nobody can read it again */
    BM_FILE_BROKEN,
};

struct bm_files {
    /*
     * Sets *data (to be freed by the caller) and *size where the file was
     * read.
     */
    enum bm_file_state (*read)(void *context, const char *path, char **data,
                               size_t *size);
    void *context;
};

/* The files of the machine; one that is larger than 64 MiB is broken. */
extern const struct bm_files bm_files_real;

struct bm_line {
    struct bm_strvec words; /* without argv[0] */
    size_t *origins;        /* index in argv of each word */
    size_t room;            /* of origins */
    bool *read_once;        /* for each index in argv: an @file of a pipe */
    bool broken;
};
#define BM_LINE_INIT                                                           \
    {                                                                          \
        BM_STRVEC_INIT, NULL, 0, NULL, false                                   \
    }

void bm_line_read(struct bm_line *line, int argc, char **argv,
                  const struct bm_files *files);

void bm_line_clear(struct bm_line *line);

/*
 * Appends the words of text: blanks separate them, '...' and "..." hold
 * blanks, a backslash takes the next byte as it is, in quotes too. Those are
 * LLVM's GNU rules (llvm::cl::TokenizeGNUCommandLine).
 */
void bm_split_words(const char *text, size_t size, struct bm_strvec *words);

#endif
