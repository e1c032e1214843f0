/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The command line of a program with the harness's main. The same options
 * may come in BENCHMEM_ARGUMENTS, one a line; they are read first, so that
 * the command line wins. A mistake prints one line and the fix and ends the
 * program with status 2.
 */
#ifndef BENCHMEM_HARNESS_OPTIONS_H
#define BENCHMEM_HARNESS_OPTIONS_H

#include "recorder.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BM_MODE_UNSAID (-1)
#define BM_WARMUP_UNSAID (-1)

/* Strings of the command line, in order. */
struct bm_words {
    const char **items;
    size_t nr;
};

struct bm_harness_options {
    int mode; /* enum bm_mode, or BM_MODE_UNSAID */
    bool list;
    bool json;            /* of the list */
    bool quiet;           /* no table, and ceilings are another's to check */
    bool in_process;      /* nothing gets a process of its own */
    uint32_t repeats;     /* 0: as many as it takes */
    int32_t warmup;       /* or BM_WARMUP_UNSAID */
    uint64_t max_time_ns; /* for all passes of a benchmark; 0: no limit */
    struct bm_words filters, suites, workloads;
    char *words;       /* what the strings of BENCHMEM_ARGUMENTS lie in */
    int child_fd;      /* where a process of its own hands its figures to */
    size_t child_case; /* and what it runs; SIZE_MAX: it is none */
};

void bm_harness_options_read(struct bm_harness_options *out, int argc,
                             char **argv);

#endif
