/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The records of a profile as C structs, with their packers and unpackers,
 * all made from schema.inc. Used by the recorder (which packs into its own
 * memory), by the writer of small profiles and by the reader.
 *
 * Packers never allocate: they write through msgpack-c's callback into the
 * caller's buffer. Unpackers check every type and length, and lend pointers
 * into the object that they were given. Both are safe on any thread.
 */
#ifndef BENCHMEM_PROFILE_RECORDS_H
#define BENCHMEM_PROFILE_RECORDS_H

#include <endian.h>
#include <msgpack.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define BM_SCHEMA_VERSION 2
#define BM_PROFILE_MAGIC "benchmem"

/* Bytes, not terminated; data is NULL where the field is nil. */
struct bm_text {
    const char *data;
    size_t size;
};

/*
 * `bin` of 64-bit little-endian words; data need not be aligned. Packed with
 * NULL, only its head is: the caller has the words where they belong.
 */
struct bm_words {
    const void *data;
    size_t nr_words;
};

enum bm_tag {
#define BM_RECORD(tag, name, meaning) BM_TAG_##name = tag,
#include "schema.inc"
};

/* Word numbers: BM_NODE_key ... and BM_NR_WORDS_node. */
enum bm_word_state {
#define BM_WORD_OF_state(name) BM_STATE_##name,
#define BM_WORD_OF_thread(name)
#define BM_WORD_OF_ledger(name)
#define BM_WORD_OF_pass(name)
#define BM_WORD_OF_passes(name)
#define BM_WORD_OF_tally(name)
#define BM_WORD_OF_node(name)
#define BM_WORD_OF_mark(name)
#define BM_WORD_OF_process(name)
#define BM_WORD_OF_pool(name)
#define BM_WORD_OF_moment(name)
#define BM_WORD_OF_saving(name)
#define BM_WORD_OF_access(name)
#define BM_WORD(list, name, meaning) BM_WORD_OF_##list(name)
#include "schema.inc"
#undef BM_WORD_OF_state
#define BM_WORD_OF_state(name)
    BM_NR_WORDS_state
};
enum bm_word_thread {
#undef BM_WORD_OF_thread
#define BM_WORD_OF_thread(name) BM_THREAD_##name,
#define BM_WORD(list, name, meaning) BM_WORD_OF_##list(name)
#include "schema.inc"
#undef BM_WORD_OF_thread
#define BM_WORD_OF_thread(name)
    BM_NR_WORDS_thread
};
enum bm_word_ledger {
#undef BM_WORD_OF_ledger
#define BM_WORD_OF_ledger(name) BM_LEDGER_##name,
#define BM_WORD(list, name, meaning) BM_WORD_OF_##list(name)
#include "schema.inc"
#undef BM_WORD_OF_ledger
#define BM_WORD_OF_ledger(name)
    BM_NR_WORDS_ledger
};
enum bm_word_pass {
#undef BM_WORD_OF_pass
#define BM_WORD_OF_pass(name) BM_PASS_##name,
#define BM_WORD(list, name, meaning) BM_WORD_OF_##list(name)
#include "schema.inc"
#undef BM_WORD_OF_pass
#define BM_WORD_OF_pass(name)
    BM_NR_WORDS_pass
};
enum bm_word_passes {
#undef BM_WORD_OF_passes
#define BM_WORD_OF_passes(name) BM_PASSES_##name,
#define BM_WORD(list, name, meaning) BM_WORD_OF_##list(name)
#include "schema.inc"
#undef BM_WORD_OF_passes
#define BM_WORD_OF_passes(name)
    BM_NR_WORDS_passes
};
enum bm_word_tally {
#undef BM_WORD_OF_tally
#define BM_WORD_OF_tally(name) BM_TALLY_##name,
#define BM_WORD(list, name, meaning) BM_WORD_OF_##list(name)
#include "schema.inc"
#undef BM_WORD_OF_tally
#define BM_WORD_OF_tally(name)
    BM_NR_WORDS_tally
};
enum bm_word_node {
#undef BM_WORD_OF_node
#define BM_WORD_OF_node(name) BM_NODE_##name,
#define BM_WORD(list, name, meaning) BM_WORD_OF_##list(name)
#include "schema.inc"
#undef BM_WORD_OF_node
#define BM_WORD_OF_node(name)
    BM_NR_WORDS_node
};
enum bm_word_mark {
#undef BM_WORD_OF_mark
#define BM_WORD_OF_mark(name) BM_MARK_##name,
#define BM_WORD(list, name, meaning) BM_WORD_OF_##list(name)
#include "schema.inc"
#undef BM_WORD_OF_mark
#define BM_WORD_OF_mark(name)
    BM_NR_WORDS_mark
};
enum bm_word_process {
#undef BM_WORD_OF_process
#define BM_WORD_OF_process(name) BM_PROCESS_##name,
#define BM_WORD(list, name, meaning) BM_WORD_OF_##list(name)
#include "schema.inc"
#undef BM_WORD_OF_process
#define BM_WORD_OF_process(name)
    BM_NR_WORDS_process
};
enum bm_word_pool {
#undef BM_WORD_OF_pool
#define BM_WORD_OF_pool(name) BM_POOL_##name,
#define BM_WORD(list, name, meaning) BM_WORD_OF_##list(name)
#include "schema.inc"
#undef BM_WORD_OF_pool
#define BM_WORD_OF_pool(name)
    BM_NR_WORDS_pool
};
enum bm_word_moment {
#undef BM_WORD_OF_moment
#define BM_WORD_OF_moment(name) BM_MOMENT_##name,
#define BM_WORD(list, name, meaning) BM_WORD_OF_##list(name)
#include "schema.inc"
#undef BM_WORD_OF_moment
#define BM_WORD_OF_moment(name)
    BM_NR_WORDS_moment
};
enum bm_word_saving {
#undef BM_WORD_OF_saving
#define BM_WORD_OF_saving(name) BM_SAVING_##name,
#define BM_WORD(list, name, meaning) BM_WORD_OF_##list(name)
#include "schema.inc"
#undef BM_WORD_OF_saving
#define BM_WORD_OF_saving(name)
    BM_NR_WORDS_saving
};
enum bm_word_access {
#undef BM_WORD_OF_access
#define BM_WORD_OF_access(name) BM_ACCESS_##name,
#define BM_WORD(list, name, meaning) BM_WORD_OF_##list(name)
#include "schema.inc"
#undef BM_WORD_OF_access
    BM_NR_WORDS_access
};

/*
 * Nodes of the process that inherited nothing have the first words alone: a
 * line of memory.
 */
#define BM_NR_WORDS_of_process ((unsigned)BM_NODE_live)
#define BM_NODE_KEY_BITS 24
#define BM_NODE_KEY_MASK ((UINT64_C(1) << BM_NODE_KEY_BITS) - 1)

/* What a word of a record `paths` says. */
enum bm_path_kind {
    BM_PATH_FRAME = 1,  /* a path: the frame */
    BM_PATH_SITE,       /* one that ends at a site, by default at its frame */
    BM_PATH_OTHERS,     /* the same, for further paths beyond max_paths */
    BM_PATH_SITE_FRAME, /* the frame of the path that comes next */
    BM_PATH_INDEX,      /* the index of the path that comes next */
    BM_PATH_BOTH,       /* as SITE: the site, above it in 16 bits the frame */
};
#define BM_PATH_BOTH_MAX UINT16_MAX

static inline uint64_t bm_path_word(enum bm_path_kind kind, uint64_t value,
                                    uint64_t outer)
{
    return value << 32 | (uint64_t)kind << BM_NODE_KEY_BITS | outer;
}

/* struct bm_record_head { ... }, one for each record. */
#define BM_C_TYPE_U uint64_t
#define BM_C_TYPE_S struct bm_text
#define BM_C_TYPE_W struct bm_words
#define BM_RECORD(tag, name, meaning) struct bm_record_##name {
#define BM_FIELD(record, type, name, meaning) BM_C_TYPE_##type name;
#define BM_END_RECORD(name) };
#include "schema.inc"

/*
 * bm_pack_NAME(packer, record): the record as one msgpack array. The error
 * of the packer's callback, 0 if none.
 *
 * bm_unpack_NAME(object, &record): false if the object is no such record or
 * has a field of another type; missing trailing fields are 0 or nil.
 */
#define BM_RECORD(tag, name, meaning)                                        \
    int bm_pack_##name(msgpack_packer *, const struct bm_record_##name *);   \
    bool bm_unpack_##name(const msgpack_object *, struct bm_record_##name *);
#include "schema.inc"

/* Word i of w, 0 past its end. */
static inline uint64_t bm_words_get(struct bm_words w, size_t i)
{
    uint64_t value;

    if (i >= w.nr_words)
        return 0;
    memcpy(&value, (const char *)w.data + i * sizeof(value), sizeof(value));
    return le64toh(value);
}

#endif
