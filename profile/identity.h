/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A number for a benchmark, by which one run finds the benchmark of another
 * again: of its file, its name and its parameters, all as they are in a
 * profile. What is text may have bytes that a profile has escaped, or not
 * yet; both give the same number. Never 0.
 *
 * Begin, add the parameters in their order, end. Needs nothing but a compiler,
 * so that the recorder can use it anywhere.
 */
#ifndef BENCHMEM_PROFILE_IDENTITY_H
#define BENCHMEM_PROFILE_IDENTITY_H

#include "text.h"

#include <stdint.h>
#include <string.h>

/* FNV-1a, 64 bits. */
static inline uint64_t bm_identity_bytes(uint64_t hash, const void *bytes,
                                         size_t size)
{
    const unsigned char *at = bytes;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* A text as the packers write it; no text is another one than an empty one. */
static inline uint64_t bm_identity_text(uint64_t hash, const char *text)
{
    size_t size = text ? strlen(text) : 0;

    hash = bm_identity_bytes(hash, text ? "s" : "n", 1);
    for (size_t done = 0; done < size;) {
        size_t valid = bm_text_valid_prefix(text + done, size - done);
        char escape[BM_TEXT_ESCAPE_SIZE];

        hash = bm_identity_bytes(hash, text + done, valid);
        done += valid;
        if (done == size)
            break;
        bm_text_escape(escape, (unsigned char)text[done++]);
        hash = bm_identity_bytes(hash, escape, sizeof(escape));
    }
    return bm_identity_bytes(hash, "", 1);
}

static inline uint64_t bm_identity_begin(const char *file, const char *name)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);

    return bm_identity_text(bm_identity_text(hash, file), name);
}

/* A parameter that is no string has bits, a string has text, perhaps NULL. */
static inline uint64_t bm_identity_param(uint64_t hash, const char *name,
                                         uint64_t bits, const char *text)
{
    hash = bm_identity_text(hash, name);
    for (unsigned shift = 0; shift < 64; shift += 8) {
        unsigned char byte = (unsigned char)(bits >> shift);

        hash = bm_identity_bytes(hash, &byte, 1);
    }
    return bm_identity_text(hash, text);
}

static inline uint64_t bm_identity_end(uint64_t hash)
{
    return hash ? hash : 1;
}

#endif
