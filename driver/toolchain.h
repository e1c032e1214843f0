/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Where the real compiler and benchmem's own parts are. The only part of the
 * driver that reads the environment or looks for files.
 *
 *   1. struct bm_toolchain t = {.self = bm_find_self(argv[0])};
 *   2. bm_toolchain_find_compiler, bm_toolchain_find_parts: 0, or one line
 *      printed that says what is missing and the fix, and -1.
 *   3. bm_toolchain_clear(&t).
 */
#ifndef BENCHMEM_DRIVER_TOOLCHAIN_H
#define BENCHMEM_DRIVER_TOOLCHAIN_H

#include "base/strvec.h"

#include <stdbool.h>

enum bm_language {
    BM_LANGUAGE_C,
    BM_LANGUAGE_CXX,
};

/* Paths; each is owned. */
struct bm_toolchain {
    char *self;                /* this program */
    struct bm_strvec compiler; /* words to run it, the first a path */
    bool is_named;             /* by the user: it may be anything */
    char *plugin;
    char *runtime;        /* archive for executables and libraries */
    char *static_runtime; /* archive for static executables */
    char *operators;      /* archive with C++'s new and delete */
    char *harness;        /* archive with a main for benchmem.h */
    char *aside;          /* archive for programs with a sanitizer */
};

void bm_toolchain_clear(struct bm_toolchain *toolchain);

/* BENCHMEM_DISABLE is set to anything but 0. */
bool bm_toolchain_is_disabled(void);

/*
 * BENCHMEM_CC or BENCHMEM_CXX, a command with or without words of its own
 * (quoted as in a response file), else the clang that the pass was built for.
 */
int bm_toolchain_find_compiler(struct bm_toolchain *toolchain,
                               enum bm_language language);

/*
 * Has compilers find <benchmem/benchmem.h> where nothing else is: by their
 * environment, so that whatever the command line does, it stays as it is.
 */
void bm_toolchain_show_headers(const struct bm_toolchain *toolchain);

/*
 * Plugin and runtimes, in ../lib/benchmem beside this program, else
 * beside the benchmem-cc of the PATH (this program may be a hard link). Asks
 * a compiler that the user named for its version.
 */
int bm_toolchain_find_parts(struct bm_toolchain *toolchain);

#endif
