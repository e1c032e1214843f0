/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK ((size_t)1 << 20) /* read at once, and forgotten at once */

static int map_buffer(struct bm_source *source, size_t capacity)
{
    void *memory = source->buffer;

    capacity = (capacity + CHUNK - 1) / CHUNK * CHUNK;
    if (!memory)
        memory = mmap(NULL, capacity, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    else
        memory = mremap(memory, source->capacity, capacity, MREMAP_MAYMOVE);
    if (memory == MAP_FAILED)
        return errno;
    source->buffer = memory;
    source->data = memory;
    source->capacity = capacity;
    return 0;
}

int bm_source_open(struct bm_source *source, const char *path)
{
    struct stat status;
    size_t capacity = CHUNK;

    *source = (struct bm_source){.size = SIZE_MAX};
    source->fd = open(path, O_RDONLY | O_CLOEXEC);
    if (source->fd < 0 || fstat(source->fd, &status) < 0)
        return errno;
    if (S_ISDIR(status.st_mode))
        return EISDIR;
    if (S_ISREG(status.st_mode)) {
        if ((uint64_t)status.st_size > SIZE_MAX / 2)
            return EFBIG;
        source->size = (size_t)status.st_size;
        capacity = source->size ? source->size : 1;
    }
    return map_buffer(source, capacity);
}

void bm_source_open_bytes(struct bm_source *source, const void *data,
                          size_t size)
{
    *source = (struct bm_source){
        .data = data, .filled = size, .size = size, .fd = -1};
}

/* Reads some bytes more; at the end, size becomes known. */
static int read_more(struct bm_source *source)
{
    size_t room = source->capacity - source->filled;
    ssize_t got;

    if (room == 0) {
        int error = map_buffer(source, source->capacity * 2);

        if (error)
            return error;
        room = source->capacity - source->filled;
    }
    if (room > CHUNK)
        room = CHUNK;
    if (room > source->size - source->filled)
        room = source->size - source->filled;
    do {
        got = read(source->fd, source->buffer + source->filled, room);
    } while (got < 0 && errno == EINTR);
    if (got < 0)
        return errno;
    source->filled += (size_t)got;
    if (got == 0) /* a pipe's end, or the file shrank */
        source->size = source->filled;
    return 0;
}

int bm_source_fill(struct bm_source *source, size_t until)
{
    while (source->filled < until && source->filled < source->size) {
        int error = read_more(source);

        if (error)
            return error;
    }
    return 0;
}

void bm_source_forget(struct bm_source *source, size_t offset)
{
    size_t upto = offset / CHUNK * CHUNK;

    if (!source->buffer || upto <= source->forgotten)
        return;
    /* Only memory is at stake, so a refusal changes nothing. */
    madvise(source->buffer + source->forgotten, upto - source->forgotten,
            MADV_DONTNEED);
    source->forgotten = upto;
}

void bm_source_close(struct bm_source *source)
{
    if (source->fd >= 0)
        close(source->fd);
    if (source->buffer)
        munmap(source->buffer, source->capacity);
    source->fd = -1;
    source->buffer = NULL;
}
