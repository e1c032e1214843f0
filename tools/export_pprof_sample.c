/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Samples are packed here and not by protobuf-c: there are millions, each of
 * dozens of numbers, and protobuf-c goes to each number twice by way of its
 * descriptor.
 */
#include "base/memory.h"
#include "tools/export_pprof_stream.h"

#include <stdlib.h>

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

static uint8_t *put_varint(uint8_t *out, uint64_t value)
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
    return put_varint(out, size);
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
    return put_varint(out, (uint64_t)value);
}

static uint8_t *put_label(uint8_t *out, const Pprof__Label *label)
{
    out = put_head(out, SAMPLE_LABEL, label_size(label));
    out = put_field(out, LABEL_KEY, label->key);
    out = put_field(out, LABEL_STR, label->str);
    out = put_field(out, LABEL_NUM, label->num);
    return put_field(out, LABEL_UNIT, label->num_unit);
}

void bm_pprof_put_sample(struct bm_pprof *pprof,
                         const struct bm_pprof_sample *sample)
{
    size_t locations = 0, values = 0, size;
    uint8_t *out;

    for (size_t i = 0; i < sample->nr_locations; i++)
        locations += varint_size(sample->locations[i]);
    for (size_t i = 0; i < sample->nr_values; i++)
        values += varint_size((uint64_t)sample->values[i]);
    size = with_head(locations) + with_head(values);
    for (size_t i = 0; i < sample->nr_labels; i++)
        size += with_head(label_size(sample->labels[i]));

    out = bm_pprof_room(pprof, with_head(size));
    out = put_head(out, PROFILE_SAMPLE, size);
    out = put_head(out, SAMPLE_LOCATION, locations);
    for (size_t i = 0; i < sample->nr_locations; i++)
        out = put_varint(out, sample->locations[i]);
    out = put_head(out, SAMPLE_VALUE, values);
    for (size_t i = 0; i < sample->nr_values; i++)
        out = put_varint(out, (uint64_t)sample->values[i]);
    for (size_t i = 0; i < sample->nr_labels; i++)
        out = put_label(out, sample->labels[i]);
    bm_gzip_write(&pprof->gzip, pprof->packed, (size_t)(out - pprof->packed));
}
