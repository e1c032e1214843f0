/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Reads little-endian numbers and LEB128 (DWARF 5, section 7.6) out of call
 * frame information. A cursor that ran past its end stays failed and gives
 * zeros, so that callers check once.
 */
#ifndef BENCHMEM_RUNTIME_CFI_CURSOR_H
#define BENCHMEM_RUNTIME_CFI_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct cursor {
    const uint8_t *at, *end;
    bool failed;
};

static inline uint64_t take(struct cursor *c, size_t size)
{
    uint64_t value = 0;
    if (c->failed || (size_t)(c->end - c->at) < size) {
        c->failed = true;
        return 0;
    }
    memcpy(&value, c->at, size);
    c->at += size;
    return value;
}

static inline uint8_t take_byte(struct cursor *c)
{
    return (uint8_t)take(c, 1);
}

/* The bits of a number and how many there are; *last is its last byte. */
static inline uint64_t take_leb(struct cursor *c, unsigned *nr_bits,
                                uint8_t *last)
{
    uint64_t value = 0;
    *nr_bits = 0;
    do {
        *last = take_byte(c);
        if (*nr_bits < 64)
            value |= (uint64_t)(*last & 0x7f) << *nr_bits;
        *nr_bits += 7;
    } while ((*last & 0x80) && !c->failed);
    return value;
}

static inline uint64_t take_uleb(struct cursor *c)
{
    unsigned nr_bits;
    uint8_t last;
    return take_leb(c, &nr_bits, &last);
}

static inline int64_t take_sleb(struct cursor *c)
{
    unsigned nr_bits;
    uint8_t last;
    uint64_t value = take_leb(c, &nr_bits, &last);
    if (nr_bits < 64 && (last & 0x40))
        value |= ~(uint64_t)0 << nr_bits;
    return (int64_t)value;
}

#endif
