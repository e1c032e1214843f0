/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/str.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Shared by all empty strings; its one byte is never written. */
char bm_str_empty[1];

/* Room for size more bytes and the NUL behind them. */
static void reserve(struct bm_str *s, size_t size)
{
    size_t needed = s->size + size + 1;

    if (needed < size)
        bm_die("out of memory: %zu bytes", size);
    if (needed <= s->room)
        return;
    size_t room = s->room + s->room / 2;
    if (room < needed)
        room = needed < 64 ? 64 : needed;
    char *data = realloc(s->room ? s->data : NULL, room);
    if (!data)
        bm_die("out of memory: %zu bytes", room);
    data[s->size] = 0;
    s->data = data;
    s->room = room;
}

void bm_str_add(struct bm_str *s, const char *data, size_t size)
{
    if (!size)
        return;
    reserve(s, size);
    memcpy(s->data + s->size, data, size);
    s->size += size;
    s->data[s->size] = 0;
}

void bm_str_puts(struct bm_str *s, const char *text)
{
    bm_str_add(s, text, strlen(text));
}

void bm_str_putc(struct bm_str *s, char c)
{
    bm_str_add(s, &c, 1);
}

void bm_str_vprintf(struct bm_str *s, const char *format, va_list args)
{
    va_list again;

    va_copy(again, args);
    int size = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (size < 0)
        BM_BUG("format %s", format);
    reserve(s, (size_t)size);
    vsnprintf(s->data + s->size, (size_t)size + 1, format, args);
    s->size += (size_t)size;
}

void bm_str_printf(struct bm_str *s, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    bm_str_vprintf(s, format, args);
    va_end(args);
}

void bm_str_truncate(struct bm_str *s, size_t size)
{
    if (size > s->size)
        BM_BUG("string of %zu bytes cut to %zu", s->size, size);
    s->size = size;
    if (s->room)
        s->data[size] = 0;
}

void bm_str_clear(struct bm_str *s)
{
    if (s->room)
        free(s->data);
    *s = (struct bm_str)BM_STR_INIT;
}

char *bm_str_detach(struct bm_str *s)
{
    reserve(s, 0);
    char *data = s->data;
    *s = (struct bm_str)BM_STR_INIT;
    return data;
}
