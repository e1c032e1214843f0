/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Checks one msgpack object before anything believes it: every length
 * against the bytes that are left, every count of elements too (an element
 * takes at least one byte), nesting against BM_WALK_DEPTH. Only what passed
 * is handed to msgpack-c, whose memory is then bounded by the object's size.
 * No recursion, no allocation.
 */
#ifndef BENCHMEM_PROFILE_WALK_H
#define BENCHMEM_PROFILE_WALK_H

#include <msgpack.h>
#include <stdbool.h>
#include <stddef.h>

#define BM_WALK_DEPTH 16 /* records have two levels */

enum bm_walk_result {
    BM_WALK_WHOLE,
    BM_WALK_CUT,     /* goes on behind the bytes that are left */
    BM_WALK_DAMAGED, /* no object at all */
};

/* The object at data; *size is its length if it is whole. */
enum bm_walk_result bm_walk(const void *data, size_t left, size_t *size);

/*
 * The same for a `bin` only, whose content need not be there: *size is its
 * full length. Anything else is damaged.
 */
enum bm_walk_result bm_walk_bin(const void *data, size_t left, size_t *size);

/* A record without nesting: what nearly all are. */
#define BM_FLAT_FIELDS 24
struct bm_flat {
    msgpack_object array; /* of the fields */
    size_t size;
    msgpack_object fields[BM_FLAT_FIELDS];
};

/*
 * An array of nil, whole numbers, strings and `bin` in one go, checked as
 * above. False for anything else, and for what is cut or damaged: that is
 * for bm_walk to judge. Lends pointers into data.
 */
bool bm_walk_flat(const void *data, size_t left, struct bm_flat *flat);

#endif
