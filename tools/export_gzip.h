/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A gzip stream into a file. Compressing takes longer than making what is
 * compressed, so where there is much of it another thread does that: from the
 * first full block on, one block is compressed while the next one fills.
 *
 *   1. bm_gzip_open; dies without memory.
 *   2. bm_gzip_write, as often as needed, from one thread.
 *   3. bm_gzip_close writes the rest. The file is the caller's, and nobody
 *      else's in between. Errors of writing stay in it.
 */
#ifndef BENCHMEM_TOOLS_EXPORT_GZIP_H
#define BENCHMEM_TOOLS_EXPORT_GZIP_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <zlib.h>

struct bm_gzip {
    FILE *file;
    z_stream stream; /* the thread's, while there is one */
    uint8_t *filling;
    size_t filled;
    bool threaded;
    pthread_t thread;

    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t changed;
    uint8_t *full; /* the block that waits or is compressed */
    bool waits;    /* full is not compressed yet */
    bool ends;     /* no block comes after it */
};

void bm_gzip_open(struct bm_gzip *gzip, FILE *file);
void bm_gzip_write(struct bm_gzip *gzip, const void *data, size_t size);
void bm_gzip_close(struct bm_gzip *gzip);

#endif
