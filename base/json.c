/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/json.h"

#include "base/escape.h"
#include "base/str.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void bm_json_init(struct bm_json *json, FILE *file, unsigned lines)
{
    json->file = file;
    json->text = NULL;
    json->depth = 0;
    json->flat = lines;
    json->comma = false;
    json->keyed = false;
    json->filled = 0;
}

void bm_json_init_text(struct bm_json *json, struct bm_str *text,
                       unsigned lines)
{
    bm_json_init(json, NULL, lines);
    json->text = text;
}

static void write_out(struct bm_json *json, const char *data, size_t size)
{
    if (json->text)
        bm_str_add(json->text, data, size);
    else
        fwrite_unlocked(data, 1, size, json->file);
}

void bm_json_flush(struct bm_json *json)
{
    write_out(json, json->buffer, json->filled);
    json->filled = 0;
}

void bm_json_raw(struct bm_json *json, const char *data, size_t size)
{
    if (size > sizeof(json->buffer) - json->filled) {
        bm_json_flush(json);
        if (size > sizeof(json->buffer)) {
            write_out(json, data, size);
            return;
        }
    }
    memcpy(json->buffer + json->filled, data, size);
    json->filled += size;
}

static void put(struct bm_json *json, char c)
{
    if (json->filled == sizeof(json->buffer))
        bm_json_flush(json);
    json->buffer[json->filled++] = c;
}

static void put_text(struct bm_json *json, const char *text)
{
    bm_json_raw(json, text, strlen(text));
}

static void new_line(struct bm_json *json)
{
    if (json->depth > json->flat) {
        if (json->comma)
            put(json, ' ');
        return;
    }
    put(json, '\n');
    for (unsigned i = 0; i < json->depth; i++)
        put_text(json, "  ");
}

/* What stands in front of a value or a key. */
static void separate(struct bm_json *json)
{
    if (json->keyed) {
        json->keyed = false;
        return;
    }
    if (json->comma)
        put(json, ',');
    if (json->depth)
        new_line(json);
}

static void begin(struct bm_json *json, char bracket)
{
    separate(json);
    put(json, bracket);
    json->depth++;
    json->comma = false;
}

static void end(struct bm_json *json, char bracket)
{
    bool empty = !json->comma;

    json->comma = false;
    json->depth--;
    /* The closing bracket stands below the line that opened it. */
    if (!empty && json->depth + 1 <= json->flat)
        new_line(json);
    put(json, bracket);
    json->comma = true;
}

void bm_json_begin_object(struct bm_json *json)
{
    begin(json, '{');
}

void bm_json_end_object(struct bm_json *json)
{
    end(json, '}');
}

void bm_json_begin_array(struct bm_json *json)
{
    begin(json, '[');
}

void bm_json_end_array(struct bm_json *json)
{
    end(json, ']');
}

/* jansson knows JSON's escapes; it is asked only where there are any. */
static void write_special(struct bm_json *json, const char *value)
{
    struct bm_str clean = BM_STR_INIT;

    bm_escape_invalid(&clean, value);
    json_t *string = json_stringn_nocheck(clean.data, clean.size);
    char *text = string ? json_dumps(string, JSON_ENCODE_ANY) : NULL;
    put_text(json, text ? text : "null");
    free(text);
    json_decref(string);
    bm_str_clear(&clean);
}

static void write_string(struct bm_json *json, const char *value)
{
    const char *p = value;

    while (*p >= 0x20 && *p < 0x7f && *p != '"' && *p != '\\')
        p++;
    if (*p) {
        write_special(json, value);
        return;
    }
    put(json, '"');
    bm_json_raw(json, value, (size_t)(p - value));
    put(json, '"');
}

void bm_json_key(struct bm_json *json, const char *key)
{
    separate(json);
    put(json, '"');
    put_text(json, key);
    put_text(json, "\": ");
    json->keyed = true;
    json->comma = true;
}

void bm_json_free_key(struct bm_json *json, const char *key)
{
    separate(json);
    write_string(json, key);
    put_text(json, ": ");
    json->keyed = true;
    json->comma = true;
}

void bm_json_string(struct bm_json *json, const char *value)
{
    separate(json);
    if (value)
        write_string(json, value);
    else
        put_text(json, "null");
    json->comma = true;
}

void bm_json_uint(struct bm_json *json, uint64_t value)
{
    char digits[20]; /* 2^64 has that many */
    size_t at = sizeof(digits);

    separate(json);
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value);
    bm_json_raw(json, digits + at, sizeof(digits) - at);
    json->comma = true;
}

void bm_json_int(struct bm_json *json, int64_t value)
{
    char text[24];

    separate(json);
    snprintf(text, sizeof(text), "%" PRId64, value);
    put_text(json, text);
    json->comma = true;
}

void bm_json_bool(struct bm_json *json, bool value)
{
    separate(json);
    put_text(json, value ? "true" : "false");
    json->comma = true;
}

void bm_json_null(struct bm_json *json)
{
    bm_json_string(json, NULL);
}

void bm_json_double(struct bm_json *json, double value)
{
    char text[32];

    if (!isfinite(value)) {
        bm_json_null(json);
        return;
    }
    separate(json);
    /* 17 digits tell every double apart; most need fewer. */
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof(text), "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    put_text(json, text);
    json->comma = true;
}

void bm_json_put_string(struct bm_json *json, const char *key,
                        const char *value)
{
    bm_json_key(json, key);
    bm_json_string(json, value);
}

void bm_json_put_uint(struct bm_json *json, const char *key, uint64_t value)
{
    bm_json_key(json, key);
    bm_json_uint(json, value);
}

void bm_json_put_bool(struct bm_json *json, const char *key, bool value)
{
    bm_json_key(json, key);
    bm_json_bool(json, value);
}

void bm_json_value(struct bm_json *json, const char *data, size_t size)
{
    separate(json);
    bm_json_raw(json, data, size);
    json->comma = true;
}

void bm_json_finish(struct bm_json *json)
{
    put(json, '\n');
    bm_json_flush(json);
}
