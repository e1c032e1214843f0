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
    *json = (struct bm_json){.file = file, .flat = lines};
}

static void new_line(struct bm_json *json)
{
    if (json->depth > json->flat) {
        if (json->comma)
            putc_unlocked(' ', json->file);
        return;
    }
    putc_unlocked('\n', json->file);
    for (unsigned i = 0; i < json->depth; i++)
        fputs_unlocked("  ", json->file);
}

/* What stands in front of a value or a key. */
static void separate(struct bm_json *json)
{
    if (json->keyed) {
        json->keyed = false;
        return;
    }
    if (json->comma)
        putc_unlocked(',', json->file);
    if (json->depth)
        new_line(json);
}

static void begin(struct bm_json *json, char bracket)
{
    separate(json);
    putc_unlocked(bracket, json->file);
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
    putc_unlocked(bracket, json->file);
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
static void write_special(FILE *file, const char *value)
{
    struct bm_str clean = BM_STR_INIT;

    bm_escape_invalid(&clean, value);
    json_t *string = json_stringn_nocheck(clean.data, clean.size);
    char *text = string ? json_dumps(string, JSON_ENCODE_ANY) : NULL;
    fputs_unlocked(text ? text : "null", file);
    free(text);
    json_decref(string);
    bm_str_clear(&clean);
}

static void write_string(FILE *file, const char *value)
{
    const char *p = value;

    while (*p >= 0x20 && *p < 0x7f && *p != '"' && *p != '\\')
        p++;
    if (*p) {
        write_special(file, value);
        return;
    }
    putc_unlocked('"', file);
    fwrite_unlocked(value, 1, (size_t)(p - value), file);
    putc_unlocked('"', file);
}

void bm_json_key(struct bm_json *json, const char *key)
{
    separate(json);
    putc_unlocked('"', json->file);
    fputs_unlocked(key, json->file);
    fputs_unlocked("\": ", json->file);
    json->keyed = true;
    json->comma = true;
}

void bm_json_free_key(struct bm_json *json, const char *key)
{
    separate(json);
    write_string(json->file, key);
    fputs_unlocked(": ", json->file);
    json->keyed = true;
    json->comma = true;
}

void bm_json_string(struct bm_json *json, const char *value)
{
    separate(json);
    if (value)
        write_string(json->file, value);
    else
        fputs_unlocked("null", json->file);
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
    fwrite_unlocked(digits + at, 1, sizeof(digits) - at, json->file);
    json->comma = true;
}

void bm_json_int(struct bm_json *json, int64_t value)
{
    separate(json);
    fprintf(json->file, "%" PRId64, value);
    json->comma = true;
}

void bm_json_bool(struct bm_json *json, bool value)
{
    separate(json);
    fputs_unlocked(value ? "true" : "false", json->file);
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
    fputs_unlocked(text, json->file);
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

void bm_json_finish(struct bm_json *json)
{
    putc_unlocked('\n', json->file);
}
