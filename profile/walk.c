/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "walk.h"

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* A record has some dozen fields; what claims more and is cut is damage. */
#define MAX_CUT_ELEMENTS 1024

enum shape { INVALID, SCALAR, BLOB, BIN, ARRAY, MAP };

struct head {
    enum shape shape;
    size_t size;     /* of the head itself */
    uint64_t number; /* bytes or elements that follow, pairs as two */
};

/* Codes 0xc0 to 0xdf (msgpack specification, "formats"). */
static const struct format {
    unsigned char shape;
    unsigned char length_size; /* bytes of the big-endian number behind */
    unsigned char fixed;       /* bytes that follow all the same */
} formats[32] = {
    {SCALAR, 0, 0},  {INVALID, 0, 0}, {SCALAR, 0, 0}, {SCALAR, 0, 0},
    {BIN, 1, 0},     {BIN, 2, 0},     {BIN, 4, 0},    {BLOB, 1, 1},
    {BLOB, 2, 1},    {BLOB, 4, 1},    {SCALAR, 0, 4}, {SCALAR, 0, 8},
    {SCALAR, 0, 1},  {SCALAR, 0, 2},  {SCALAR, 0, 4}, {SCALAR, 0, 8},
    {SCALAR, 0, 1},  {SCALAR, 0, 2},  {SCALAR, 0, 4}, {SCALAR, 0, 8},
    {SCALAR, 0, 2},  {SCALAR, 0, 3},  {SCALAR, 0, 5}, {SCALAR, 0, 9},
    {SCALAR, 0, 17}, {BLOB, 1, 0},    {BLOB, 2, 0},   {BLOB, 4, 0},
    {ARRAY, 2, 0},   {ARRAY, 4, 0},   {MAP, 2, 0},    {MAP, 4, 0},
};

static uint64_t big_endian(const unsigned char *at, size_t size)
{
    uint64_t value = 0;

    if (size == 1)
        return *at;
    for (size_t i = 0; i < size; i++)
        value = value << 8 | at[i];
    return value;
}

static struct head short_head(unsigned char code)
{
    if (code < 0x80 || code >= 0xe0)
        return (struct head){SCALAR, 1, 0};
    if (code < 0x90)
        return (struct head){MAP, 1, 2 * (uint64_t)(code & 15)};
    if (code < 0xa0)
        return (struct head){ARRAY, 1, code & 15};
    return (struct head){BLOB, 1, code & 31};
}

static inline enum bm_walk_result read_head(const unsigned char *at,
                                            size_t left, struct head *head)
{
    const struct format *format;
    uint64_t number;

    if (left == 0)
        return BM_WALK_CUT;
    if (at[0] < 0xc0 || at[0] >= 0xe0) {
        *head = short_head(at[0]);
        return BM_WALK_WHOLE;
    }
    format = &formats[at[0] - 0xc0];
    if (format->shape == INVALID)
        return BM_WALK_DAMAGED;
    if (left <= format->length_size)
        return BM_WALK_CUT;
    number = big_endian(at + 1, format->length_size);
    if (format->shape == MAP)
        number *= 2;
    *head = (struct head){.shape = format->shape,
                          .size = 1 + (size_t)format->length_size,
                          .number = number + format->fixed};
    return BM_WALK_WHOLE;
}

static bool is_container(const struct head *head)
{
    return head->shape == ARRAY || head->shape == MAP;
}

enum bm_walk_result bm_walk(const void *data, size_t left, size_t *size)
{
    const unsigned char *start = data;
    const unsigned char *at = start;
    uint64_t pending[BM_WALK_DEPTH]; /* elements still to come, by level */
    size_t depth = 0;

    pending[0] = 1;
    for (;;) {
        struct head head;
        enum bm_walk_result result = read_head(at, left, &head);

        if (result != BM_WALK_WHOLE)
            return result;
        at += head.size;
        left -= head.size;
        if (head.number > left)
            return is_container(&head) && head.number > MAX_CUT_ELEMENTS
                       ? BM_WALK_DAMAGED
                       : BM_WALK_CUT;
        pending[depth]--;
        if (!is_container(&head)) {
            at += head.number;
            left -= head.number;
        } else if (++depth == BM_WALK_DEPTH) {
            return BM_WALK_DAMAGED;
        } else {
            pending[depth] = head.number;
        }
        while (pending[depth] == 0) {
            if (depth == 0) {
                *size = (size_t)(at - start);
                return BM_WALK_WHOLE;
            }
            depth--;
        }
    }
}

enum bm_walk_result bm_walk_bin(const void *data, size_t left, size_t *size)
{
    struct head head;
    enum bm_walk_result result = read_head(data, left, &head);

    if (result != BM_WALK_WHOLE)
        return result;
    if (head.shape != BIN)
        return BM_WALK_DAMAGED;
    *size = head.size + (size_t)head.number;
    return *size > left ? BM_WALK_CUT : BM_WALK_WHOLE;
}

static uint64_t load_16(const unsigned char *at)
{
    uint16_t value;

    memcpy(&value, at, sizeof(value));
    return be16toh(value);
}

static uint64_t load_32(const unsigned char *at)
{
    uint32_t value;

    memcpy(&value, at, sizeof(value));
    return be32toh(value);
}

static uint64_t load_64(const unsigned char *at)
{
    uint64_t value;

    memcpy(&value, at, sizeof(value));
    return be64toh(value);
}

/* What a field is by its first byte, and how many bytes tell its value. */
enum flat_kind { OTHER, FIXED, NUMBER, FIXED_STR, STR_FIELD, BIN_FIELD, NIL };

static const struct {
    unsigned char kind;
    unsigned char size;
} flat_heads[256] = {
    [0x00 ... 0x7f] = {FIXED, 0},
    [0xa0 ... 0xbf] = {FIXED_STR, 0},
    [0xc0] = {NIL, 0},
    [0xc4] = {BIN_FIELD, 1},
    [0xc5] = {BIN_FIELD, 2},
    [0xc6] = {BIN_FIELD, 4},
    [0xcc] = {NUMBER, 1},
    [0xcd] = {NUMBER, 2},
    [0xce] = {NUMBER, 4},
    [0xcf] = {NUMBER, 8},
    [0xd9] = {STR_FIELD, 1},
    [0xda] = {STR_FIELD, 2},
    [0xdb] = {STR_FIELD, 4},
};

static inline uint64_t load_sized(const unsigned char *at, size_t size)
{
    switch (size) {
    case 1:
        return *at;
    case 2:
        return load_16(at);
    case 4:
        return load_32(at);
    default:
        return load_64(at);
    }
}

/* One field of a flat record; the bytes that it takes, 0 if it is not one. */
static inline size_t read_field(const unsigned char *at, size_t left,
                                msgpack_object *field)
{
    if (left == 0)
        return 0;

    unsigned kind = flat_heads[at[0]].kind;
    size_t head = 1 + (size_t)flat_heads[at[0]].size;
    uint64_t number;

    if (kind == FIXED) {
        field->type = MSGPACK_OBJECT_POSITIVE_INTEGER;
        field->via.u64 = at[0];
        return 1;
    }
    if (head > left || kind == OTHER)
        return 0;
    if (kind == NIL) {
        field->type = MSGPACK_OBJECT_NIL;
        return 1;
    }
    number = kind == FIXED_STR ? at[0] & 31 : load_sized(at + 1, head - 1);
    if (kind == NUMBER) {
        field->type = MSGPACK_OBJECT_POSITIVE_INTEGER;
        field->via.u64 = number;
        return head;
    }
    if (number > left - head)
        return 0;
    if (kind == BIN_FIELD) {
        field->type = MSGPACK_OBJECT_BIN;
        field->via.bin.ptr = (const char *)at + head;
        field->via.bin.size = (uint32_t)number;
    } else {
        field->type = MSGPACK_OBJECT_STR;
        field->via.str.ptr = (const char *)at + head;
        field->via.str.size = (uint32_t)number;
    }
    return head + (size_t)number;
}

bool bm_walk_flat(const void *data, size_t left, struct bm_flat *flat)
{
    const unsigned char *start = data;
    struct head head;
    size_t at;

    if (read_head(start, left, &head) != BM_WALK_WHOLE || head.shape != ARRAY ||
        head.number == 0 || head.number > BM_FLAT_FIELDS)
        return false;
    at = head.size;
    for (uint64_t i = 0; i < head.number; i++) {
        size_t size = read_field(start + at, left - at, &flat->fields[i]);

        if (size == 0)
            return false;
        at += size;
    }
    flat->array.type = MSGPACK_OBJECT_ARRAY;
    flat->array.via.array.size = (uint32_t)head.number;
    flat->array.via.array.ptr = flat->fields;
    flat->size = at;
    return true;
}
