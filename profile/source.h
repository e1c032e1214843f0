/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The bytes of a profile, as far as they have been read. A file is read, not
 * mapped: it may shrink or change while its program runs, and what was
 * checked must stay what is used. Memory is that of the bytes between
 * bm_source_forget and bm_source_fill, however large the file, and used again
 * for those that follow.
 *
 * Life cycle: one of the open functions, then fill and forget in turn, then
 * bm_source_close, also after a failure. Addresses are valid until the next
 * fill.
 */
#ifndef BENCHMEM_PROFILE_SOURCE_H
#define BENCHMEM_PROFILE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

struct bm_source {
    const unsigned char *data; /* of offset base */
    size_t base;
    size_t filled;         /* offset up to which bytes can be read */
    size_t size;           /* of the whole, SIZE_MAX until known */
    unsigned char *buffer; /* NULL for bytes of the caller's */
    size_t capacity;
    size_t forgotten; /* offset */
    int fd;
};

/* 0, or the errno of what failed. path: any file, also a pipe. */
int bm_source_open(struct bm_source *source, const char *path);
void bm_source_open_bytes(struct bm_source *source, const void *data,
                          size_t size);

/*
 * Reads until offset `until` can be reached or the end is (then size is
 * known and filled is equal to it). 0, or errno.
 */
int bm_source_fill(struct bm_source *source, size_t until);

/* The bytes from an offset on that was not forgotten. */
static inline const unsigned char *bm_source_at(const struct bm_source *source,
                                                size_t offset)
{
    return source->data + (offset - source->base);
}

/* Bytes before offset are not needed any more. */
void bm_source_forget(struct bm_source *source, size_t offset);

void bm_source_close(struct bm_source *source);

#endif
