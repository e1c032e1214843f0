/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Where the records of a whole profile go: a descriptor, in large pieces. The
 * small form of one profile and a merged one are written through it; the
 * recorder is not, which packs into its map.
 *
 *     if (bm_sink_open(&sink, fd)) ...
 *     BM_PUT(&sink, note, .text = bm_put_text("..."));
 *     if (bm_sink_close(&sink)) ...
 *
 * Nothing between the two fails: the first fault is kept, nothing is written
 * after it, and bm_sink_close tells it. One thread.
 */
#ifndef BENCHMEM_PROFILE_SINK_H
#define BENCHMEM_PROFILE_SINK_H

#include "records.h"

struct bm_sink {
    int fd;
    int error; /* the first errno */
    size_t filled;
    char *buffer;
    msgpack_packer packer;
};

/* The descriptor stays the caller's. -1 with errno set if there is no memory.
 */
int bm_sink_open(struct bm_sink *sink, int fd);

/* Writes what is left. 0, or -1 with errno set to the first fault. */
int bm_sink_close(struct bm_sink *sink);

/* What a packer returned: other than 0, a text beyond what msgpack can hold. */
void bm_sink_check(struct bm_sink *sink, int error);

/* A record as a compound literal; what is not named is 0 or nil. */
#define BM_PUT(sink, name, ...)                                                \
    bm_sink_check(sink,                                                        \
                  bm_pack_##name(&(sink)->packer,                              \
                                 &(struct bm_record_##name){__VA_ARGS__}))

/* Borrowed; nil for NULL. */
static inline struct bm_text bm_put_text(const char *text)
{
    return (struct bm_text){text, text ? strlen(text) : 0};
}

/* Words in the file's order: list, an array of native words, is turned. */
static inline struct bm_words bm_put_words(uint64_t *list, size_t nr)
{
    for (size_t i = 0; i < nr; i++)
        list[i] = htole64(list[i]);
    return (struct bm_words){list, nr};
}
#define BM_PUT_WORDS(list) bm_put_words(list, sizeof(list) / sizeof((list)[0]))

#endif
