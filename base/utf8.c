/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/utf8.h"

#include <locale.h>
#include <string.h>
#include <wchar.h>

#define ELLIPSIS "\xe2\x80\xa6"

void bm_utf8_init(void)
{
    /* Built into glibc since 2.35, and musl's default. */
    if (!setlocale(LC_CTYPE, "C.UTF-8"))
        setlocale(LC_CTYPE, "");
}

size_t bm_utf8_decode(const char *s, uint32_t *code)
{
    static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *p = (const unsigned char *)s;
    size_t length;

    if (p[0] < 0x80) {
        *code = p[0];
        return p[0] ? 1 : 0;
    }
    if (p[0] >= 0xc2 && p[0] <= 0xdf)
        length = 2;
    else if ((p[0] & 0xf0) == 0xe0)
        length = 3;
    else if (p[0] >= 0xf0 && p[0] <= 0xf4)
        length = 4;
    else
        return 0;

    uint32_t c = p[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (p[i] & 0x3fu);
    }
    if (c < smallest[length] || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
        return 0;
    *code = c;
    return length;
}

bool bm_utf8_valid(const char *s)
{
    uint32_t code;

    while (*s) {
        size_t length = bm_utf8_decode(s, &code);
        if (!length)
            return false;
        s += length;
    }
    return true;
}

/* Bytes of the character at s, at least 1, and its columns. */
static size_t step(const char *s, size_t *width)
{
    uint32_t code;
    size_t length = bm_utf8_decode(s, &code);

    if (!length) {
        *width = 1;
        return 1;
    }
    int columns = code < 0x80 ? 1 : wcwidth((wchar_t)code);
    *width = columns < 0 ? 1 : (size_t)columns;
    return length;
}

size_t bm_utf8_width(const char *s)
{
    size_t total = 0, width;

    while (*s) {
        s += step(s, &width);
        total += width;
    }
    return total;
}

/* Bytes of the longest head of s that fits into width columns. */
static size_t head_that_fits(const char *s, size_t width)
{
    size_t bytes = 0, columns;

    while (s[bytes]) {
        size_t length = step(s + bytes, &columns);
        if (columns > width)
            break;
        width -= columns;
        bytes += length;
    }
    return bytes;
}

/* Where the longest tail of s begins that fits into width columns. */
static const char *tail_that_fits(const char *s, size_t width)
{
    size_t total = bm_utf8_width(s), columns;

    while (total > width) {
        s += step(s, &columns);
        total -= columns;
    }
    /* A combining mark belongs to the character that was left out. */
    while (*s) {
        size_t length = step(s, &columns);
        if (columns)
            break;
        s += length;
    }
    return s;
}

static void shorten(struct bm_str *out, const char *text, size_t width,
                    size_t tail_width)
{
    if (bm_utf8_width(text) <= width) {
        bm_str_puts(out, text);
        return;
    }
    if (!width)
        return;
    bm_str_add(out, text, head_that_fits(text, width - 1 - tail_width));
    bm_str_puts(out, ELLIPSIS);
    bm_str_puts(out, tail_that_fits(text, tail_width));
}

void bm_utf8_shorten_middle(struct bm_str *out, const char *text, size_t width)
{
    /* The end of "dir/file.c:12 function" tells more than its begin. */
    shorten(out, text, width, width ? (width - 1) * 2 / 3 : 0);
}

void bm_utf8_shorten_end(struct bm_str *out, const char *text, size_t width)
{
    shorten(out, text, width, 0);
}
