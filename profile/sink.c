/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "sink.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define BUFFER_SIZE ((size_t)64 << 10)

static void flush(struct bm_sink *sink)
{
    const char *at = sink->buffer;

    while (sink->filled > 0 && !sink->error) {
        ssize_t written = write(sink->fd, at, sink->filled);

        if (written < 0) {
            if (errno != EINTR)
                sink->error = errno;
            continue;
        }
        at += written;
        sink->filled -= (size_t)written;
    }
}

static int append(void *data, const char *bytes, size_t size)
{
    struct bm_sink *sink = data;

    while (size > 0 && !sink->error) {
        size_t room = BUFFER_SIZE - sink->filled;
        size_t part = size < room ? size : room;

        memcpy(sink->buffer + sink->filled, bytes, part);
        sink->filled += part;
        bytes += part;
        size -= part;
        if (sink->filled == BUFFER_SIZE)
            flush(sink);
    }
    return sink->error;
}

int bm_sink_open(struct bm_sink *sink, int fd)
{
    *sink = (struct bm_sink){.fd = fd, .buffer = malloc(BUFFER_SIZE)};
    msgpack_packer_init(&sink->packer, sink, append);
    return sink->buffer ? 0 : -1;
}

int bm_sink_close(struct bm_sink *sink)
{
    flush(sink);
    free(sink->buffer);
    if (!sink->error)
        return 0;
    errno = sink->error;
    return -1;
}

void bm_sink_check(struct bm_sink *sink, int error)
{
    if (error && !sink->error)
        sink->error = EOVERFLOW;
}
