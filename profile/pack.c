/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "records.h"
#include "text.h"

#define BYTES_A_WORD 8

static int pack_text_body(msgpack_packer *packer, struct bm_text text)
{
    size_t done = 0;
    int error = 0;

    while (done < text.size && error == 0) {
        const char *at = text.data + done;
        size_t valid = bm_text_valid_prefix(at, text.size - done);
        char escape[BM_TEXT_ESCAPE_SIZE];

        if (valid) {
            error = msgpack_pack_str_body(packer, at, valid);
            done += valid;
            continue;
        }
        bm_text_escape(escape, (unsigned char)*at);
        error = msgpack_pack_str_body(packer, escape, sizeof(escape));
        done++;
    }
    return error;
}

static int pack_S(msgpack_packer *packer, struct bm_text text)
{
    size_t size;
    int error;

    if (!text.data)
        return msgpack_pack_nil(packer);
    size = bm_text_escaped_size(text.data, text.size);
    if (size > UINT32_MAX)
        return -1;
    error = msgpack_pack_str(packer, size);
    return error ? error : pack_text_body(packer, text);
}

static int pack_U(msgpack_packer *packer, uint64_t value)
{
    return msgpack_pack_uint64(packer, value);
}

static int pack_W(msgpack_packer *packer, struct bm_words words)
{
    size_t size = words.nr_words * BYTES_A_WORD;
    int error;

    if (words.nr_words > UINT32_MAX / BYTES_A_WORD)
        return -1;
    error = msgpack_pack_bin(packer, size);
    if (error || size == 0 || !words.data)
        return error;
    return msgpack_pack_bin_body(packer, words.data, size);
}

/* Elements of each record's array: its tag and its fields. */
enum {
#define BM_RECORD(tag, name, meaning) nr_elements_##name = 1
#define BM_FIELD(record, type, name, meaning) +1
#define BM_END_RECORD(name) ,
#include "schema.inc"
};

#define BM_RECORD(tag, name, meaning)                                          \
    int bm_pack_##name(msgpack_packer *packer,                                 \
                       const struct bm_record_##name *record)                  \
    {                                                                          \
        int error = msgpack_pack_array(packer, nr_elements_##name);            \
                                                                               \
        if (!error)                                                            \
            error = pack_U(packer, tag);
#define BM_FIELD(owner, type, name, meaning)                                   \
    if (!error)                                                                \
        error = pack_##type(packer, record->name);
#define BM_END_RECORD(name)                                                    \
    return error;                                                              \
    }
#include "schema.inc"
