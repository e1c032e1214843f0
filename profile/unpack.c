/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "records.h"

#define BYTES_A_WORD 8

static bool unpack_U(const msgpack_object *object, uint64_t *value)
{
    *value = object->via.u64;
    return object->type == MSGPACK_OBJECT_POSITIVE_INTEGER;
}

static bool unpack_S(const msgpack_object *object, struct bm_text *text)
{
    if (object->type == MSGPACK_OBJECT_NIL)
        return true;
    if (object->type != MSGPACK_OBJECT_STR)
        return false;
    text->size = object->via.str.size;
    /* msgpack-c gives no address for an empty one, which is not nil. */
    text->data = text->size ? object->via.str.ptr : "";
    return true;
}

static bool unpack_W(const msgpack_object *object, struct bm_words *words)
{
    if (object->type != MSGPACK_OBJECT_BIN)
        return false;
    words->data = object->via.bin.ptr;
    words->nr_words = object->via.bin.size / BYTES_A_WORD;
    return true;
}

/* The elements behind the tag; false if it is no such record. */
static bool open_record(const msgpack_object *object, uint64_t tag,
                        const msgpack_object **at, const msgpack_object **end)
{
    const msgpack_object_array *array = &object->via.array;
    uint64_t found;

    if (object->type != MSGPACK_OBJECT_ARRAY || array->size == 0)
        return false;
    if (!unpack_U(&array->ptr[0], &found) || found != tag)
        return false;
    *at = array->ptr + 1;
    *end = array->ptr + array->size;
    return true;
}

#define BM_RECORD(tag, name, meaning)                                          \
    bool bm_unpack_##name(const msgpack_object *object,                        \
                          struct bm_record_##name *record)                     \
    {                                                                          \
        const msgpack_object *at, *end;                                        \
                                                                               \
        *record = (struct bm_record_##name){0};                                \
        if (!open_record(object, tag, &at, &end))                              \
            return false;
#define BM_FIELD(owner, type, name, meaning)                                   \
    if (at < end && !unpack_##type(at++, &record->name))                       \
        return false;
#define BM_END_RECORD(name)                                                    \
    return true;                                                               \
    }
#include "schema.inc"
