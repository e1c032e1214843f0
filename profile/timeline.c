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
    struct bm_record_moment r;
    struct bm_moment_info *moment;

    if (!bm_unpack_moment(object, &r))
        return bm_load_fail(
            load, "damaged: a field of this record has the wrong type");
    uint64_t allocated = bm_words_get(r.moment, BM_MOMENT_allocated);
    if (!allocated)
        return true;
    moment = bm_rows_add(&load->moments);
    if (!moment)
        return bm_load_fail_memory(load);
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
