/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The course of live bytes. Moments lie in the file in the order in which
 * they were first needed; those that were joined into others are all 0.
 */
#include "load.h"

#include "records.h"

#include <stdlib.h>

void bm_timeline_init(struct bm_load *load)
{
    load->moments.row_size = sizeof(struct bm_moment_info);
}

bool bm_load_moment(struct bm_load *load, const msgpack_object *object)
{
    struct bm_moment_info *moment;

    BM_LOAD_UNPACK(moment, r);
    uint64_t allocated = bm_words_get(r.moment, BM_MOMENT_allocated);
    if (!allocated)
        return true;
    moment = bm_load_add(load, &load->moments);
    if (!moment)
        return false;
    *moment = (struct bm_moment_info){
        .allocated_bytes = allocated,
        .live_bytes = bm_words_get(r.moment, BM_MOMENT_live),
    };
    return true;
}

static int compare(const void *left, const void *right)
{
    const struct bm_moment_info *a = left, *b = right;

    return (a->allocated_bytes > b->allocated_bytes) -
           (a->allocated_bytes < b->allocated_bytes);
}

void bm_timeline_sort(struct bm_load *load)
{
    if (load->moments.nr)
        qsort(load->moments.rows, load->moments.nr,
              sizeof(struct bm_moment_info), compare);
}
