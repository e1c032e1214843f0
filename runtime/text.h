/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Text put together in the caller's buffer: always terminated, never longer
 * than the buffer; `cut` tells that something was left out. For start-up and
 * notes. No libc but memory and string functions.
 */
#ifndef BENCHMEM_RUNTIME_TEXT_H
#define BENCHMEM_RUNTIME_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bm_line {
    char *text;
    size_t size;   /* of the buffer */
    size_t length; /* without the NUL */
    bool cut;
};

static inline struct bm_line bm_line_in(char *buffer, size_t size)
{
    buffer[0] = '\0';
    return (struct bm_line){.text = buffer, .size = size};
}

void bm_line_bytes(struct bm_line *line, const char *bytes, size_t size);
void bm_line_text(struct bm_line *line, const char *text);
void bm_line_number(struct bm_line *line, uint64_t number);

/* Reads decimal digits up to end; false if there is anything else. */
bool bm_text_number(const char *text, const char *end, uint64_t *out);

/* Whether the bytes from text to end are those of word. */
bool bm_text_is(const char *text, const char *end, const char *word);

/* The value of NAME in an environment, or NULL. */
const char *bm_text_env(char **environment, const char *name);

#endif
