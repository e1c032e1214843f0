/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Where a command writes its result: standard output, or a file that the
 * user named.
 *
 *   1. bm_output_open, before any work: it refuses what it may not replace.
 *   2. write to out.file with stdio.
 *   3. bm_output_close: only now does a file get its name, whole; or
 *      bm_output_abandon, after which no file was made or changed.
 *
 * A file that exists is replaced only with force, and then in one step, so
 * that a reader sees the old or the new one. Devices and pipes are written to
 * as they are. A command that ends early, by bm_die or exit, abandons what
 * it has open. Both functions print their errors and return -1.
 */
#ifndef BENCHMEM_BASE_OUTPUT_H
#define BENCHMEM_BASE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

struct bm_output {
    FILE *file;
    char *path;      /* NULL: standard output */
    char *temporary; /* NULL: written in place */
    char *buffer;    /* of file */
    bool force;
    struct bm_output *next; /* of those that are open */
};

/* path NULL or "-" is standard output. */
int bm_output_open(struct bm_output *out, const char *path, bool force);
int bm_output_close(struct bm_output *out);
void bm_output_abandon(struct bm_output *out);

#endif
