/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Samples are packed here and not by protobuf-c: there are millions, each of
 * dozens of numbers, and protobuf-c goes to each number twice by way of its
 * descriptor.
 */
#include "base/memory.h"
#include "tools/export_pprof_stream.h"

#include <string.h>

/* Field numbers of profile.proto, and the wire types of its encoding. */
enum {
    PROFILE_SAMPLE = 2,
    SAMPLE_LOCATION = 1,
    SAMPLE_VALUE = 2,
    SAMPLE_LABEL = 3,
    LABEL_KEY = 1,
    LABEL_STR = 2,
    LABEL_NUM = 3,
    LABEL_UNIT = 4,
    WIRE_VARINT = 0,
    WIRE_BYTES = 2,
};

/* Every field number here is below 16, so a tag takes one byte. */
#define TAG(field, wire) ((uint8_t)((field) << 3 | (wire)))

/* A varint has seven bits in a byte. */
static size_t varint_size(uint64_t value)
{
    return (size_t)(70 - __builtin_clzll(value | 1)) / 7;
}

uint8_t *bm_pprof_put_varint(uint8_t *out, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *out++ = (uint8_t)(value | 0x80);
    *out++ = (uint8_t)value;
    return out;
}

/* What holds others: its tag and its size. */
static uint8_t *put_head(uint8_t *out, int field, size_t size)
{
    *out++ = TAG(field, WIRE_BYTES);
    return bm_pprof_put_varint(out, size);
}

static size_t with_head(size_t size)
{
    return 1 + varint_size(size) + size;
}

/* Fields that are 0 are not written. */
static size_t field_size(int64_t value)
{
    return value ? 1 + varint_size((uint64_t)value) : 0;
}

static size_t label_size(const Pprof__Label *label)
{
    return field_size(label->key) + field_size(label->str) +
           field_size(label->num) + field_size(label->num_unit);
}

static uint8_t *put_field(uint8_t *out, int field, int64_t value)
{
    if (!value)
        return out;
    *out++ = TAG(field, WIRE_VARINT);
    return bm_pprof_put_varint(out, (uint64_t)value);
}

void bm_pprof_pack_label(struct bm_str *out, const Pprof__Label *label)
{
    uint8_t packed[5 * (1 + BM_PPROF_VARINT)];
    uint8_t *end = put_head(packed, SAMPLE_LABEL, label_size(label));

    end = put_field(end, LABEL_KEY, label->key);
    end = put_field(end, LABEL_STR, label->str);
    end = put_field(end, LABEL_NUM, label->num);
    end = put_field(end, LABEL_UNIT, label->num_unit);
    bm_str_add(out, (const char *)packed, (size_t)(end - packed));
}

static uint8_t *put_bytes(uint8_t *out, const struct bm_pprof_bytes *bytes)
{
    if (bytes->size)
        memcpy(out, bytes->data, bytes->size);
    return out + bytes->size;
}

void bm_pprof_put_sample(struct bm_pprof *pprof,
                         const struct bm_pprof_sample *sample)
{
    const size_t nr_labels = sizeof(sample->labels) / sizeof(*sample->labels);
    size_t values = 0, size;
    uint8_t *out;

    for (size_t i = 0; i < sample->nr_values; i++)
        values += varint_size((uint64_t)sample->values[i]);
    size = with_head(sample->locations.size) + with_head(values);
    for (size_t i = 0; i < nr_labels; i++)
        size += sample->labels[i].size;

    out = bm_pprof_room(pprof, with_head(size));
    out = put_head(out, PROFILE_SAMPLE, size);
    out = put_head(out, SAMPLE_LOCATION, sample->locations.size);
    out = put_bytes(out, &sample->locations);
    out = put_head(out, SAMPLE_VALUE, values);
    for (size_t i = 0; i < sample->nr_values; i++)
        out = bm_pprof_put_varint(out, (uint64_t)sample->values[i]);
    for (size_t i = 0; i < nr_labels; i++)
        out = put_bytes(out, &sample->labels[i]);
    bm_gzip_write(pprof->gzip, pprof->packed, (size_t)(out - pprof->packed));
}
