/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Profiles made record by record, for tests:
 *
 *     struct builder b;
 *     builder_init(&b);
 *     ADD(&b, site, .index = 1, .kind = text_of("malloc"));
 *     ADD_WORDS(&b, ledger, (.benchmark = 0), BM_LEDGER_peak, 100);
 *     profile = builder_parse(&b, &error);
 */
#ifndef BENCHMEM_TEST_BUILD_PROFILE_H
#define BENCHMEM_TEST_BUILD_PROFILE_H

#include "profile/profile.h"
#include "profile/records.h"

#include <endian.h>
#include <string.h>

static inline struct bm_text text_of(const char *text)
{
    return (struct bm_text){text, text ? strlen(text) : 0};
}

/* list, changed to the order of a file. */
static inline struct bm_words words_of(uint64_t *list, size_t nr)
{
    for (size_t i = 0; i < nr; i++)
        list[i] = htole64(list[i]);
    return (struct bm_words){list, nr};
}
#define WORDS_OF(list) words_of(list, sizeof(list) / sizeof((list)[0]))

/* Packs a record; fields that are not named are 0 or nil. */
#define PACK(packer, name, ...)                                                \
    bm_pack_##name(packer, &(struct bm_record_##name){__VA_ARGS__})

struct builder {
    msgpack_sbuffer bytes;
    msgpack_packer packer;
};

static inline void builder_init(struct builder *b)
{
    msgpack_sbuffer_init(&b->bytes);
    msgpack_packer_init(&b->packer, &b->bytes, msgpack_sbuffer_write);
}

static inline void builder_clear(struct builder *b)
{
    msgpack_sbuffer_destroy(&b->bytes);
}

#define ADD(b, name, ...) PACK(&(b)->packer, name, __VA_ARGS__)

static inline void add_head(struct builder *b)
{
    ADD(b, head, .magic = text_of(BM_PROFILE_MAGIC),
        .schema_version = BM_SCHEMA_VERSION, .writer = text_of("test"),
        .program = text_of("./test"), .cwd = text_of("/tmp"));
}

static inline void add_state(struct builder *b, enum bm_end end, uint64_t value,
                             unsigned flags)
{
    uint64_t words[] = {end, value, flags};

    ADD(b, state, .state = WORDS_OF(words));
}

/* A site in function f of file, at line index. */
static inline void add_site(struct builder *b, uint64_t index, const char *file)
{
    ADD(b, frame, .index = index, .function = text_of("f"),
        .file = text_of(file), .line = index, .column = 1);
    ADD(b, site, .index = index, .id = 1000 + index, .frame = index,
        .kind = text_of("malloc"), .callee = text_of("malloc"));
}

static inline void add_ledger(struct builder *b, uint64_t benchmark,
                              uint64_t live, uint64_t peak, uint64_t peak_pass,
                              uint64_t nr_passes)
{
    uint64_t words[] = {live, peak, peak_pass, nr_passes};

    ADD(b, ledger, .benchmark = benchmark, .ledger = WORDS_OF(words));
}

/* A node of the process that allocated blocks of size bytes and keeps them. */
static inline void add_kept(struct builder *b, uint64_t site, uint64_t path,
                            uint64_t blocks, uint64_t size, uint64_t peak)
{
    uint64_t words[BM_NR_WORDS_tally] = {
        [BM_TALLY_allocations] = blocks, [BM_TALLY_allocated] = blocks * size,
        [BM_TALLY_live] = blocks * size, [BM_TALLY_at_peak] = blocks * size,
        [BM_TALLY_seen] = peak,          [BM_TALLY_at_peak_blocks] = blocks,
    };

    ADD(b, node, .site = site, .path = path, .thread = 1,
        .node = WORDS_OF(words));
}

static inline struct bm_profile *builder_parse(const struct builder *b,
                                               struct bm_profile_error *error)
{
    return bm_profile_parse(b->bytes.data, b->bytes.size, "test.bmem", error);
}

#endif
