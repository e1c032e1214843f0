/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the parts of bm_profile_write share: writer.c and, for what benchmarks
 * add, writer_benchmarks.c. Nothing here fails: the first fault is kept, and
 * bm_profile_write returns it once all is written. Nothing of the profile is
 * copied or kept.
 */
#ifndef BENCHMEM_PROFILE_WRITER_H
#define BENCHMEM_PROFILE_WRITER_H

#include "profile.h"
#include "records.h"

/* Keeps the first errno; after it, nothing is written any more. */
struct bm_writer {
    const struct bm_profile *profile;
    int fd;
    int error;
    size_t filled;
    char *buffer;
    msgpack_packer packer;
};

void bm_write_check(struct bm_writer *writer, int error);

/* Borrowed; nil for NULL. */
struct bm_text bm_write_text(const char *text);

/* Words in the file's order: list, of nr native words, is turned in place. */
struct bm_words bm_write_words(uint64_t *list, size_t nr);

/* A record as a compound literal; what is not named is 0 or nil. */
#define BM_WRITE(writer, name, ...)                                            \
    bm_write_check(writer,                                                     \
                   bm_pack_##name(&(writer)->packer,                           \
                                  &(struct bm_record_##name){__VA_ARGS__}))

#define BM_WRITE_WORDS(list)                                                   \
    bm_write_words(list, sizeof(list) / sizeof((list)[0]))

/* Numbers from 1 of what a pointer points at in one of the arrays. */
#define BM_WRITE_INDEX(pointer, array)                                         \
    ((pointer) ? (uint64_t)((pointer) - (array)) + 1 : 0)

/* Of benchmark number `benchmark` from 1, 0 for the process. */
void bm_write_mark(struct bm_writer *writer, size_t benchmark,
                   const struct bm_site_info *site,
                   const struct bm_figures *figures);
void bm_write_ledger(struct bm_writer *writer, size_t benchmark,
                     const struct bm_figures *figures, uint64_t nr_passes);

/* All that benchmarks are and did, but for their nodes. */
void bm_write_benchmarks(struct bm_writer *writer);

#endif
