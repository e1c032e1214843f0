/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "text.h"

#include <string.h>

#define DECIMAL_DIGITS 20 /* of 2^64 */

void bm_line_bytes(struct bm_line *line, const char *bytes, size_t size)
{
    size_t room = line->size - line->length - 1;

    if (size > room) {
        size = room;
        line->cut = true;
    }
    memcpy(line->text + line->length, bytes, size);
    line->length += size;
    line->text[line->length] = '\0';
}

void bm_line_text(struct bm_line *line, const char *text)
{
    bm_line_bytes(line, text, strlen(text));
}

void bm_line_number(struct bm_line *line, uint64_t number)
{
    char digits[DECIMAL_DIGITS];
    size_t at = sizeof(digits);

    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    bm_line_bytes(line, digits + at, sizeof(digits) - at);
}

bool bm_text_number(const char *text, const char *end, uint64_t *out)
{
    uint64_t number = 0;

    if (text == end)
        return false;
    for (; text < end; text++) {
        unsigned digit = (unsigned char)*text - '0';

        if (digit > 9 || number > (UINT64_MAX - digit) / 10)
            return false;
        number = number * 10 + digit;
    }
    *out = number;
    return true;
}

bool bm_text_is(const char *text, const char *end, const char *word)
{
    size_t size = (size_t)(end - text);

    return strlen(word) == size && memcmp(text, word, size) == 0;
}

const char *bm_text_env(char **environment, const char *name)
{
    size_t size = strlen(name);

    for (char **at = environment; at && *at; at++)
        if (strncmp(*at, name, size) == 0 && (*at)[size] == '=')
            return *at + size + 1;
    return NULL;
}
