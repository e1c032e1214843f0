/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is read at once: it stays in the cache until it has been looked at. */
#define CHUNK ((size_t)512 << 10)

static int map_buffer(struct bm_source *source, size_t capacity)
{
    void *memory = source->buffer;

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
    }
    return map_buffer(source, CHUNK);
}

void bm_source_open_bytes(struct bm_source *source, const void *data,
                          size_t size)
{
    *source = (struct bm_source){
        .data = data, .filled = size, .size = size, .fd = -1};
}

/* Room behind what is there: that of forgotten bytes, if they are many. */
static int make_room(struct bm_source *source)
{
    size_t kept = source->filled - source->forgotten;

    if (kept > source->capacity / 2)
        return map_buffer(source, source->capacity * 2);
    memmove(source->buffer, source->buffer + (source->forgotten - source->base),
            kept);
    source->base = source->forgotten;
    return 0;
}

/* Reads some bytes more; at the end, size becomes known. */
static int read_more(struct bm_source *source)
{
    size_t used = source->filled - source->base;
    size_t room;
    ssize_t got;

    if (used == source->capacity) {
        int error = make_room(source);

        if (error)
            return error;
        used = source->filled - source->base;
    }
    room = source->capacity - used;
    if (room > source->size - source->filled)
        room = source->size - source->filled;
    do {
        got = read(source->fd, source->buffer + used, room);
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
    source->forgotten = offset;
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
