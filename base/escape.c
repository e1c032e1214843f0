/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/escape.h"

#include "base/utf8.h"

#include <string.h>

/*
 * Characters that change how others are shown: they could make a report say
 * what it does not (marks, overrides and isolates of the Unicode bidirectional
 * algorithm, UAX 9; line and paragraph separator; the byte order mark).
 */
static bool is_deceptive(uint32_t c)
{
    return c == 0x061c || c == 0x200e || c == 0x200f ||
           (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) ||
           c == 0xfeff;
}

/* Code points that are no characters, and that XML has no way to hold. */
static bool is_no_character(uint32_t c)
{
    return c == 0xfffe || c == 0xffff;
}

static bool is_control(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0);
}

static void add_hex(struct bm_str *out, const char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        bm_str_printf(out, "\\x%02x", (unsigned char)bytes[i]);
}

/* Bytes of s up to the first that is not plain printable ASCII. */
static size_t plain_length(const char *s)
{
    size_t n = 0;

    while (s[n] >= 0x20 && s[n] < 0x7f)
        n++;
    return n;
}

void bm_escape_terminal(struct bm_str *out, const char *text)
{
    while (*text) {
        size_t plain = plain_length(text);
        bm_str_add(out, text, plain);
        text += plain;
        if (!*text)
            break;

        uint32_t code;
        size_t length = bm_utf8_decode(text, &code);
        if (!length)
            add_hex(out, text, 1);
        else if (is_control(code) || is_deceptive(code) ||
                 is_no_character(code))
            add_hex(out, text, length);
        else
            bm_str_add(out, text, length);
        text += length ? length : 1;
    }
}

void bm_escape_invalid(struct bm_str *out, const char *text)
{
    while (*text) {
        size_t plain = plain_length(text);
        bm_str_add(out, text, plain);
        text += plain;
        if (!*text)
            break;

        uint32_t code;
        size_t length = bm_utf8_decode(text, &code);
        if (length)
            bm_str_add(out, text, length);
        else
            add_hex(out, text, 1);
        text += length ? length : 1;
    }
}

void bm_escape_csv(struct bm_str *out, const char *text)
{
    struct bm_str clean = BM_STR_INIT;

    if (*text && strchr("=+-@\t\r", *text))
        bm_str_putc(&clean, '\'');
    bm_escape_terminal(&clean, text);
    if (!strpbrk(clean.data, ",\"")) {
        bm_str_add(out, clean.data, clean.size);
    } else {
        bm_str_putc(out, '"');
        for (const char *p = clean.data, *quote; *p; p = quote + 1) {
            quote = strchr(p, '"');
            if (!quote) {
                bm_str_puts(out, p);
                break;
            }
            bm_str_add(out, p, (size_t)(quote - p));
            bm_str_puts(out, "\"\"");
        }
        bm_str_putc(out, '"');
    }
    bm_str_clear(&clean);
}

/* The text with special ASCII characters replaced, the rest as on a terminal.
 */
static void replace(struct bm_str *out, const char *text, const char *special,
                    const char *(*replacement)(char))
{
    struct bm_str clean = BM_STR_INIT;

    bm_escape_terminal(&clean, text);
    for (const char *p = clean.data; *p;) {
        size_t plain = strcspn(p, special);

        bm_str_add(out, p, plain);
        p += plain;
        if (*p)
            bm_str_puts(out, replacement(*p++));
    }
    bm_str_clear(&clean);
}

static const char *for_html(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    default:
        return "&#39;";
    }
}

static const char *for_markdown(char c)
{
    static char escaped[3] = "\\";

    if (strchr("&<>", c))
        return for_html(c);
    escaped[1] = c;
    return escaped;
}

void bm_escape_markdown(struct bm_str *out, const char *text)
{
    /* The punctuation that GitHub's has a meaning for within a line. */
    replace(out, text, "&<>\\`*_[]|~#$!", for_markdown);
}

void bm_escape_html(struct bm_str *out, const char *text)
{
    replace(out, text, "&<>\"'", for_html);
}
