/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A string that grows.
 *
 * data is never NULL and always ends in NUL at data[size], so it can be
 * handed to any function that takes a string. Bytes may hold NUL themselves.
 *
 *   1. struct bm_str s = BM_STR_INIT;
 *   2. bm_str_puts(&s, "..."), bm_str_printf(&s, ...) append.
 *   3. bm_str_clear(&s) frees it and leaves it as after 1, or
 *      bm_str_detach(&s) hands the bytes to the caller, who frees them.
 */
#ifndef BENCHMEM_BASE_STR_H
#define BENCHMEM_BASE_STR_H

#include <stdarg.h>
#include <stddef.h>

struct bm_str {
    char *data;
    size_t size;
    size_t room; /* 0: data is not ours to free */
};

extern char bm_str_empty[];
#define BM_STR_INIT                                                            \
    {                                                                          \
        bm_str_empty, 0, 0                                                     \
    }

void bm_str_add(struct bm_str *s, const char *data, size_t size);
void bm_str_puts(struct bm_str *s, const char *text);
void bm_str_putc(struct bm_str *s, char c);
void bm_str_printf(struct bm_str *s, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void bm_str_vprintf(struct bm_str *s, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* Cuts to its first size bytes; size may not be larger than it is. */
void bm_str_truncate(struct bm_str *s, size_t size);

void bm_str_clear(struct bm_str *s);
char *bm_str_detach(struct bm_str *s);

#endif
