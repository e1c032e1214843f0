/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "load.h"
#include "walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define WINDOW ((size_t)64 << 10) /* read ahead of a record at first */
#define ZONE_SIZE 8192            /* msgpack-c's memory for one record */

/*
 * A record whose index is above 127 takes 8 bytes and more, and gaps are
 * few, so a higher index than this is damage. It bounds the tables.
 */
#define BYTES_AN_INDEX 4
#define FREE_INDICES 1024
#define HIGHEST_INDEX ((size_t)1 << 28)

static const char no_profile[] = "not a benchmem profile";
static const char no_object[] = "damaged: no msgpack object";

static bool fill(struct bm_load *load, size_t until)
{
    int error = bm_source_fill(&load->source, until);

    return error == 0 || bm_load_fail(load, bm_load_error_text(error));
}

/*
 * Walks the object at load->at, reading on until it is whole. A cut one is
 * cut by the end of the file.
 */
static bool walk(struct bm_load *load, enum bm_walk_result *result,
                 size_t *size)
{
    struct bm_source *source = &load->source;
    size_t window = WINDOW;

    for (;;) {
        size_t at = load->at;

        if (!fill(load, window < SIZE_MAX - at ? at + window : SIZE_MAX))
            return false;
        *result = bm_walk(bm_source_at(source, at), source->filled - at, size);
        if (*result != BM_WALK_CUT || source->filled == source->size)
            return true;
        window *= 2;
    }
}

/* Steps over unused room; false at the end of the file or on an error. */
static bool skip_unused(struct bm_load *load)
{
    struct bm_source *source = &load->source;

    for (;;) {
        const unsigned char *data = bm_source_at(source, load->at);
        size_t left = source->filled - load->at;
        size_t at = 0;
        uint64_t word;

        while (left - at >= sizeof(word) &&
               (memcpy(&word, data + at, sizeof(word)), word == 0))
            at += sizeof(word);
        while (at < left && data[at] == 0)
            at++;
        load->at += at;
        if (at < left)
            return true;
        bm_source_forget(source, load->at);
        if (source->filled == source->size || !fill(load, load->at + WINDOW))
            return false;
    }
}

static bool unpack(struct bm_load *load, size_t size, msgpack_zone *zone,
                   msgpack_object *object)
{
    const char *data = (const char *)bm_source_at(&load->source, load->at);
    msgpack_unpack_return result;
    size_t done = 0;

    msgpack_zone_clear(zone);
    result = msgpack_unpack(data, size, &done, zone, object);
    if (result == MSGPACK_UNPACK_NOMEM_ERROR)
        return bm_load_fail_memory(load);
    return result > MSGPACK_UNPACK_CONTINUE || bm_load_fail(load, no_object);
}

static bool is_magic(const msgpack_object *object)
{
    const msgpack_object_str *text = &object->via.str;

    return object->type == MSGPACK_OBJECT_STR &&
           text->size == strlen(BM_PROFILE_MAGIC) &&
           memcmp(text->ptr, BM_PROFILE_MAGIC, text->size) == 0;
}

/*
 * Looks at no more than the magic and the version, which every version of
 * the schema has in this place.
 */
static bool check_head(struct bm_load *load, const msgpack_object *object)
{
    static _Thread_local char newer[96];
    const msgpack_object *fields = object->via.array.ptr;
    uint64_t version;

    if (object->type != MSGPACK_OBJECT_ARRAY || object->via.array.size < 3 ||
        fields[0].type != MSGPACK_OBJECT_POSITIVE_INTEGER ||
        fields[0].via.u64 != BM_TAG_head || !is_magic(&fields[1]) ||
        fields[2].type != MSGPACK_OBJECT_POSITIVE_INTEGER)
        return bm_load_fail(load, no_profile);
    version = fields[2].via.u64;
    if (version <= BM_SCHEMA_VERSION)
        return true;
    snprintf(newer, sizeof(newer),
             "made by a newer benchmem (schema %" PRIu64
             ", this one reads up to %d)",
             version, BM_SCHEMA_VERSION);
    return bm_load_fail(load, newer);
}

/* A file that is cut so early tells nothing, unless what it was. */
static bool fail_in_head(struct bm_load *load)
{
    static const char start[] = {
        (char)BM_TAG_head, (char)0xa8, 'b', 'e', 'n', 'c', 'h', 'm', 'e', 'm'};
    const struct bm_source *source = &load->source;

    if (source->size > sizeof(start) &&
        memcmp(bm_source_at(source, 1), start, sizeof(start)) == 0)
        return bm_load_fail(load, "the file ends within its first record");
    return bm_load_fail(load, source->size ? no_profile : "the file is empty");
}

static bool load_head(struct bm_load *load, msgpack_zone *zone)
{
    enum bm_walk_result result;
    msgpack_object object;
    size_t size;

    if (!walk(load, &result, &size))
        return false;
    if (result == BM_WALK_CUT)
        return fail_in_head(load);
    if (result == BM_WALK_DAMAGED)
        return bm_load_fail(load, no_profile);
    if (!unpack(load, size, zone, &object) || !check_head(load, &object) ||
        !bm_load_record(load, &object))
        return false;
    load->at = size;
    return true;
}

/* A common record, without msgpack-c; *size 0: it is none of these. */
static bool load_flat(struct bm_load *load, size_t *size)
{
    const struct bm_source *source = &load->source;
    struct bm_flat flat;

    *size = 0;
    if (!fill(load,
              WINDOW < SIZE_MAX - load->at ? load->at + WINDOW : SIZE_MAX))
        return false;
    if (!bm_walk_flat(bm_source_at(source, load->at), source->filled - load->at,
                      &flat))
        return true;
    *size = flat.size;
    return bm_load_record(load, &flat.array);
}

/* Any other record; *size 0: the file ends in it. */
static bool load_other(struct bm_load *load, msgpack_zone *zone, size_t *size)
{
    const unsigned char *data;
    enum bm_walk_result result;
    msgpack_object object;
    size_t ignored;

    if (!walk(load, &result, size))
        return false;
    if (result == BM_WALK_DAMAGED)
        return bm_load_fail(load, no_object);
    if (result == BM_WALK_CUT) {
        *size = 0;
        return true;
    }
    data = bm_source_at(&load->source, load->at);
    /* A `bin` is a record that is being written. */
    if (bm_walk_bin(data, *size, &ignored) == BM_WALK_WHOLE)
        return true;
    return unpack(load, *size, zone, &object) && bm_load_record(load, &object);
}

static bool load_rest(struct bm_load *load, msgpack_zone *zone)
{
    while (skip_unused(load)) {
        size_t size;

        if (!load_flat(load, &size) ||
            (size == 0 && !load_other(load, zone, &size)))
            return false;
        if (size == 0) {
            load->profile->flags |= BM_STATE_CUT;
            return true;
        }
        load->at += size;
        bm_source_forget(&load->source, load->at);
    }
    return !load->error->why;
}

bool bm_load_records(struct bm_load *load)
{
    msgpack_zone *zone = msgpack_zone_new(ZONE_SIZE);
    bool ok = false;

    if (!zone)
        return bm_load_fail_memory(load);
    load->max_index = SIZE_MAX;
    if (!load_head(load, zone))
        goto out;
    /* A pipe is read to its end, since its size bounds the tables. */
    if (load->source.size == SIZE_MAX && !fill(load, SIZE_MAX))
        goto out;
    load->max_index = load->source.size / BYTES_AN_INDEX + FREE_INDICES;
    if (load->max_index > HIGHEST_INDEX)
        load->max_index = HIGHEST_INDEX;
    ok = load_rest(load, zone);
out:
    msgpack_zone_free(zone);
    return ok;
}
