/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A list of strings that grows, with the NULL behind the last one that exec
 * wants: items can be handed over as an argv at any time.
 *
 *   1. struct bm_strvec v = BM_STRVEC_INIT;
 *   2. bm_strvec_push copies, bm_strvec_push_owned takes.
 *   3. bm_strvec_clear frees all of it and leaves it as after 1.
 */
#ifndef BENCHMEM_BASE_STRVEC_H
#define BENCHMEM_BASE_STRVEC_H

#include <stddef.h>

struct bm_strvec {
    char **items;
    size_t count;
    size_t room; /* 0: items is not ours to free */
};

extern char *bm_strvec_empty[];
#define BM_STRVEC_INIT                                                         \
    {                                                                          \
        bm_strvec_empty, 0, 0                                                  \
    }

void bm_strvec_push(struct bm_strvec *v, const char *item);
void bm_strvec_push_owned(struct bm_strvec *v, char *item);
void bm_strvec_pushf(struct bm_strvec *v, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* By byte value. */
void bm_strvec_sort(struct bm_strvec *v);

void bm_strvec_clear(struct bm_strvec *v);

#endif
