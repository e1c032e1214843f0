/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a command line asks clang to do, and what that means for benchmem.
 * Pure: a function of the words alone.
 *
 *   1. bm_scan(&scan, &line)      every word once, in order
 *   2. bm_decide(&scan)           what is to be added
 *   3. bm_scan_clear(&scan)
 *
 * The line is borrowed until 3.
 */
#ifndef BENCHMEM_DRIVER_SCAN_H
#define BENCHMEM_DRIVER_SCAN_H

#include "driver/line.h"

#include <stdbool.h>
#include <stddef.h>

struct bm_scan {
    unsigned flags;      /* enum bm_scan_flags of driver/options.h */
    unsigned sanitizers; /* those in force that own malloc, one bit each */
    size_t nr_code;      /* inputs of the C family that are compiled */
    size_t nr_linked;    /* inputs and libraries that a link would get */
    size_t nr_words;
    struct bm_strvec inputs;      /* paths, without "-" */
    struct bm_strvec plugin_args; /* "benchmark=GLOB", for the pass */
    bool *ours;          /* for each word: an option of benchmem, not clang's */
    size_t end;          /* word number of "--", or nr_words */
    const char *unknown; /* an option --benchmem-... that there is none */
};

void bm_scan(struct bm_scan *scan, const struct bm_line *line);

void bm_scan_clear(struct bm_scan *scan);

struct bm_decision {
    bool instrument;     /* the pass goes into a compilation */
    bool add_line_table; /* for the pass only: not for the object */
    bool link;           /* the runtime goes into an executable or library */
    bool is_static;      /* which has no other libraries, also later on */
    bool is_program;     /* an executable: it may lack a main */
    bool is_unsupported; /* musl as a shared library has no list of modules */
    bool add_libc;       /* behind the runtime: clang adds none */
    bool add_operators;  /* of C++, in front of those of a shared library */
    bool add_aside;      /* what says that a sanitizer owns malloc */
};

/* All false where clang is to do what it would do without benchmem. */
struct bm_decision bm_decide(const struct bm_scan *scan);

#endif
