/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "outputs.h"

#include "base/utf8.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

void demand(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "does not hold: %s\n", what);
    abort();
}

char *written(void (*write)(FILE *file, void *context), void *context,
              size_t *size)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, size);

    demand(file != NULL, "memory for a stream");
    write(file, context);
    demand(!ferror(file), "writes without an error");
    fclose(file);
    return text;
}

struct bm_profile *parse_input(const uint8_t *data, size_t size)
{
    struct bm_profile_error error;

    bm_utf8_init();
    return bm_profile_parse(data, size, "fuzz.bmem", &error);
}

unsigned choose(const uint8_t *data, size_t size, unsigned below)
{
    uint32_t hash = 2166136261u; /* FNV-1a */

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ data[i]) * 16777619u;
    return hash % below;
}

static bool turns_direction(uint32_t c)
{
    return c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) ||
           (c >= 0x2066 && c <= 0x2069);
}

void demand_plain(const char *text, size_t size, const char *what)
{
    uint32_t code;

    demand(strlen(text) == size, what);
    for (const char *p = text; *p;) {
        size_t length = bm_utf8_decode(p, &code);

        demand(length > 0, what);
        demand(code == '\n' || code >= 0x20, what);
        demand(code < 0x7f || code >= 0xa0, what);
        demand(!turns_direction(code), what);
        p += length;
    }
}

void demand_json(const char *text, size_t size, const char *what)
{
    json_error_t error;
    /* jansson's own integers are signed: ours go up to 2^64 - 1. */
    json_t *json = json_loadb(text, size, JSON_DECODE_INT_AS_REAL, &error);

    if (!json)
        fprintf(stderr, "line %d, column %d: %s\n", error.line, error.column,
                error.text);
    demand(json != NULL, what);
    json_decref(json);
}

void demand_json_lines(const char *text, size_t size, const char *what)
{
    const char *end = text + size;

    while (text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));

        demand(stop != NULL, what);
        demand_json(text, (size_t)(stop - text), what);
        text = stop + 1;
    }
}

/* Behind the field at p, which may be quoted. */
static const char *csv_field(const char *p, const char *what)
{
    bool quoted = *p == '"';

    p += quoted;
    demand(!*p || !strchr("=+-@\t\r", *p) || p[-quoted] == ' ', what);
    if (!quoted) {
        demand(!memchr(p, '"', strcspn(p, ",\n")), what);
        return p + strcspn(p, ",\n");
    }
    for (;; p += 2) {
        p += strcspn(p, "\"");
        demand(*p == '"', what);
        if (p[1] != '"')
            return p + 1;
    }
}

void demand_csv(const char *text, size_t size, const char *what)
{
    size_t columns = 0;

    demand_plain(text, size, what);
    for (const char *p = text; *p;) {
        size_t fields = 0;
        bool empty = *p == '\n';

        for (; !empty; p++) {
            p = csv_field(p, what);
            fields++;
            demand(*p == ',' || *p == '\n', what);
            if (*p == '\n')
                break;
        }
        p++;
        demand(empty || !columns || fields == columns, what);
        columns = fields;
    }
}

void demand_svg(const char *text, size_t size)
{
    static const char *const begins[] = {
        "?xml ",  "svg ",   "/svg>",   "rect ", "text ",
        "/text>", "title>", "/title>", "g>",    "g ",
        "/g>",    "desc>",  "/desc>",  "path ", "line ",
    };
    uint32_t code;

    demand_plain(text, size, "SVG is plain text");
    for (const char *p = text; *p; p += bm_utf8_decode(p, &code)) {
        bool known = *p != '<';

        for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++)
            known |= !strncmp(p + 1, begins[i], strlen(begins[i]));
        demand(known, "SVG has our elements alone");
        bm_utf8_decode(p, &code);
        demand(code != 0xfffe && code != 0xffff, "SVG has XML's characters");
    }
}
