/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What kind of program a file is, from its ELF headers; nothing of it is
 * trusted. No memory is kept.
 */
#ifndef BENCHMEM_DRIVER_ELF_H
#define BENCHMEM_DRIVER_ELF_H

#include <stdbool.h>

enum bm_program {
    BM_PROGRAM_OTHER,        /* no ELF file of this machine: a script, say */
    BM_PROGRAM_PLAIN,        /* nothing in it was compiled by benchmem-cc */
    BM_PROGRAM_STATIC,       /* the same, and nothing can be loaded into it */
    BM_PROGRAM_INSTRUMENTED, /* something was */
};

/* Told by sections that strip keeps. Libraries are not looked at. */
enum bm_program bm_program_kind(const char *path);

/*
 * Whether the program has the main of benchmem.h, plain or not: it takes
 * --list and BENCHMEM_ARGUMENTS (docs/harness.md). Told by a section that
 * strip keeps.
 */
bool bm_program_has_harness(const char *path);

#endif
