/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * By zlib. Compressing takes as long as making what is compressed, so where
 * there is much of it another thread does that: from the first full block on,
 * one block is compressed while the next one fills.
 */
#include "tools/export_gzip.h"

#include "base/error.h"
#include "base/memory.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* As Go's own heap profiles: time counts for more than size. */
#define LEVEL Z_BEST_SPEED
#define WINDOW_BITS (15 + 16) /* 16: with the header of gzip */
#define MEM_LEVEL 9
#define BLOCK ((size_t)1 << 20)
#define OUT ((size_t)64 << 10)

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

struct bm_gzip *bm_gzip_open(FILE *file)
{
    struct bm_gzip *gzip = bm_xmalloc(sizeof(*gzip));

    *gzip = (struct bm_gzip){
        .file = file,
        .filling = bm_xmalloc(BLOCK),
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .changed = PTHREAD_COND_INITIALIZER,
    };
    if (deflateInit2(&gzip->stream, LEVEL, Z_DEFLATED, WINDOW_BITS, MEM_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        bm_die("out of memory");
    return gzip;
}

static void compress_block(struct bm_gzip *gzip, uint8_t *data, size_t size,
                           int flush)
{
    uint8_t out[OUT];

    gzip->stream.next_in = data;
    gzip->stream.avail_in = (uInt)size;
    do {
        gzip->stream.next_out = out;
        gzip->stream.avail_out = sizeof(out);
        if (deflate(&gzip->stream, flush) == Z_STREAM_ERROR)
            BM_BUG("deflate");
        fwrite_unlocked(out, 1, sizeof(out) - gzip->stream.avail_out,
                        gzip->file);
    } while (!gzip->stream.avail_out);
}

/* Blocks are full here; what is left over is compressed by bm_gzip_close. */
static void *compress_all(void *context)
{
    struct bm_gzip *gzip = context;

    pthread_mutex_lock(&gzip->lock);
    for (;;) {
        while (!gzip->waits && !gzip->ends)
            pthread_cond_wait(&gzip->changed, &gzip->lock);
        if (!gzip->waits)
            break;
        pthread_mutex_unlock(&gzip->lock);
        compress_block(gzip, gzip->full, BLOCK, Z_NO_FLUSH);
        pthread_mutex_lock(&gzip->lock);
        gzip->waits = false;
        pthread_cond_signal(&gzip->changed);
    }
    pthread_mutex_unlock(&gzip->lock);
    return NULL;
}

/* Without a thread to be had, this one does the work. */
static bool start_thread(struct bm_gzip *gzip)
{
    if (!gzip->full)
        gzip->full = bm_xmalloc(BLOCK);
    gzip->threaded = !pthread_create(&gzip->thread, NULL, compress_all, gzip);
    return gzip->threaded;
}

static void hand_over(struct bm_gzip *gzip)
{
    if (!gzip->threaded && !start_thread(gzip)) {
        compress_block(gzip, gzip->filling, BLOCK, Z_NO_FLUSH);
        gzip->filled = 0;
        return;
    }
    pthread_mutex_lock(&gzip->lock);
    while (gzip->waits)
        pthread_cond_wait(&gzip->changed, &gzip->lock);

    uint8_t *empty = gzip->full;
    gzip->full = gzip->filling;
    gzip->waits = true;
    pthread_cond_signal(&gzip->changed);
    pthread_mutex_unlock(&gzip->lock);
    gzip->filling = empty;
    gzip->filled = 0;
}

void bm_gzip_write(struct bm_gzip *gzip, const void *data, size_t size)
{
    const uint8_t *from = data;

    while (size) {
        size_t part = BLOCK - gzip->filled;

        if (part > size)
            part = size;
        memcpy(gzip->filling + gzip->filled, from, part);
        gzip->filled += part;
        from += part;
        size -= part;
        if (gzip->filled == BLOCK)
            hand_over(gzip);
    }
}

void bm_gzip_close(struct bm_gzip *gzip)
{
    if (gzip->threaded) {
        pthread_mutex_lock(&gzip->lock);
        gzip->ends = true;
        pthread_cond_signal(&gzip->changed);
        pthread_mutex_unlock(&gzip->lock);
        pthread_join(gzip->thread, NULL);
    }
    compress_block(gzip, gzip->filling, gzip->filled, Z_FINISH);
    deflateEnd(&gzip->stream);
    free(gzip->filling);
    free(gzip->full);
    free(gzip);
}
