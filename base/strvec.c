/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/strvec.h"

#include "base/memory.h"
#include "base/str.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

char *bm_strvec_empty[1];

void bm_strvec_push_owned(struct bm_strvec *v, char *item)
{
    /* One more than count, for the NULL. */
    v->items = bm_xgrow(v->room ? v->items : NULL, v->count + 1, &v->room,
                        sizeof(*v->items));
    v->items[v->count++] = item;
    v->items[v->count] = NULL;
}

void bm_strvec_push(struct bm_strvec *v, const char *item)
{
    bm_strvec_push_owned(v, bm_xstrdup(item));
}

void bm_strvec_pushf(struct bm_strvec *v, const char *format, ...)
{
    struct bm_str s = BM_STR_INIT;
    va_list args;

    va_start(args, format);
    bm_str_vprintf(&s, format, args);
    va_end(args);
    bm_strvec_push_owned(v, bm_str_detach(&s));
}

static int compare_items(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void bm_strvec_sort(struct bm_strvec *v)
{
    if (v->count > 1)
        qsort(v->items, v->count, sizeof(*v->items), compare_items);
}

void bm_strvec_clear(struct bm_strvec *v)
{
    for (size_t i = 0; i < v->count; i++)
        free(v->items[i]);
    if (v->room)
        free(v->items);
    *v = (struct bm_strvec)BM_STRVEC_INIT;
}
