/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a string of a profile may hold: UTF-8 without NUL. Every other byte
 * is written as the four characters \xNN, by the packers and, since a file
 * is not to be trusted, once more by the reader. Needs nothing but a
 * compiler, so that the recorder can use it anywhere.
 */
#ifndef BENCHMEM_PROFILE_TEXT_H
#define BENCHMEM_PROFILE_TEXT_H

#include <stddef.h>

#define BM_TEXT_ESCAPE_SIZE 4

/* The first byte's share of a character, by its length in bytes. */
static inline size_t bm_text_length_of(unsigned char first)
{
    if (first < 0x80)
        return first != 0;
    if (first < 0xc2) /* continuation bytes and overlong forms */
        return 0;
    if (first < 0xe0)
        return 2;
    if (first < 0xf0)
        return 3;
    return first < 0xf5 ? 4 : 0;
}

/* Length of the valid character at s, of which left bytes exist, or 0. */
static inline size_t bm_text_character(const unsigned char *s, size_t left)
{
    size_t length = left ? bm_text_length_of(s[0]) : 0;

    if (length <= 1)
        return length;
    if (length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    /* Overlong, surrogates, beyond U+10FFFF (Unicode 15, table 3-7). */
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
        (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return length;
}

/* Number of bytes at s that can stay as they are. */
static inline size_t bm_text_valid_prefix(const char *s, size_t size)
{
    const unsigned char *at = (const unsigned char *)s;
    size_t done = 0;

    while (done < size) {
        size_t length = bm_text_character(at + done, size - done);

        if (length == 0)
            break;
        done += length;
    }
    return done;
}

/* Writes BM_TEXT_ESCAPE_SIZE characters that stand for one byte. */
static inline void bm_text_escape(char *out, unsigned char byte)
{
    static const char digits[] = "0123456789abcdef";

    out[0] = '\\';
    out[1] = 'x';
    out[2] = digits[byte >> 4];
    out[3] = digits[byte & 15];
}

/* Size of the text once its invalid bytes are escaped. */
static inline size_t bm_text_escaped_size(const char *s, size_t size)
{
    size_t total = 0;
    size_t done = 0;

    while (done < size) {
        size_t valid = bm_text_valid_prefix(s + done, size - done);

        total += valid;
        done += valid;
        if (done < size) {
            total += BM_TEXT_ESCAPE_SIZE;
            done++;
        }
    }
    return total;
}

#endif
