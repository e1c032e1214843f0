/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Writes JSON as a stream: for documents with hundreds of thousands of
 * objects, which a tree of jansson's values would hold in memory at once.
 * Small documents and all reading use jansson itself.
 *
 *   struct bm_json json;
 *   bm_json_init(&json, file, 2);
 *   bm_json_begin_object(&json);
 *   bm_json_key(&json, "peak_bytes"), bm_json_uint(&json, 42);
 *   bm_json_end_object(&json);
 *   bm_json_finish(&json);
 *
 * bm_json_init_text appends to a string in place of a file.
 *
 * Commas, line ends and escapes are its business; that keys and values take
 * turns is the caller's. Integers are exact over all 64 bits. Errors stay in
 * the stream: check ferror once at the end (bm_output_close does).
 */
#ifndef BENCHMEM_BASE_JSON_H
#define BENCHMEM_BASE_JSON_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define BM_JSON_BUFFER 4096

struct bm_json {
    FILE *file;          /* NULL: text */
    struct bm_str *text; /* NULL: file */
    unsigned depth;
    unsigned flat; /* depth from which all is on one line */
    bool comma;    /* the next value is not the first of its container */
    bool keyed;    /* a key was written, its value not yet */
    size_t filled; /* of buffer: what the file does not have yet */
    char buffer[BM_JSON_BUFFER];
};

/* Containers deeper than `lines` levels are written on one line each. */
void bm_json_init(struct bm_json *json, FILE *file, unsigned lines);
void bm_json_init_text(struct bm_json *json, struct bm_str *text,
                       unsigned lines);

void bm_json_begin_object(struct bm_json *json);
void bm_json_end_object(struct bm_json *json);
void bm_json_begin_array(struct bm_json *json);
void bm_json_end_array(struct bm_json *json);

/* key is a literal of the program: plain ASCII, nothing to escape. */
void bm_json_key(struct bm_json *json, const char *key);

/* null for NULL; bytes that are no UTF-8 become \xNN. */
void bm_json_string(struct bm_json *json, const char *value);
void bm_json_uint(struct bm_json *json, uint64_t value);
void bm_json_int(struct bm_json *json, int64_t value);
void bm_json_bool(struct bm_json *json, bool value);
void bm_json_null(struct bm_json *json);

/* Shortest form that reads back the same; null for NaN and infinities. */
void bm_json_double(struct bm_json *json, double value);

/* Key and value at once. */
void bm_json_put_string(struct bm_json *json, const char *key,
                        const char *value);
void bm_json_put_uint(struct bm_json *json, const char *key, uint64_t value);
void bm_json_put_bool(struct bm_json *json, const char *key, bool value);

/* A key written by the caller of a profile, so escaped as strings are. */
void bm_json_free_key(struct bm_json *json, const char *key);

/*
 * Bytes of a value or a part of one that the caller has made, with the commas
 * inside it: for what repeats a million times. bm_json_value puts what stands
 * in front of a whole one.
 */
void bm_json_value(struct bm_json *json, const char *data, size_t size);
void bm_json_raw(struct bm_json *json, const char *data, size_t size);

/* What was written so far is in the file or string. */
void bm_json_flush(struct bm_json *json);

/* The line end behind the document; flushes. */
void bm_json_finish(struct bm_json *json);

#endif
