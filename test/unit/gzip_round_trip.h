/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What goes through gzip comes out again, in one member. For the programs of
 * export_gzip_zlib.c and export_gzip_isal.c.
 */
#ifndef BENCHMEM_TEST_ROUND_TRIP_H
#define BENCHMEM_TEST_ROUND_TRIP_H

#include "tools/export_gzip.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include <cmocka.h>

#define MIB ((size_t)1 << 20)
#define MOST_BYTES (5 * MIB)

/* Bytes that neither repeat nor resist. */
static inline void fill(uint8_t *bytes, size_t size)
{
    uint64_t random = 1;

    for (size_t i = 0; i < size; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        bytes[i] = (uint8_t)(random >> 59);
    }
}

/* Writes size bytes in pieces and holds what gunzip makes of it against them.
 */
static inline void check_round_trip(const uint8_t *bytes, size_t size,
                                    size_t piece)
{
    struct bm_gzip *gzip;
    char *packed = NULL;
    size_t packed_size;
    FILE *file = open_memstream(&packed, &packed_size);
    uint8_t *plain = calloc(1, MOST_BYTES);

    assert_non_null(file);
    assert_non_null(plain);
    gzip = bm_gzip_open(file);
    for (size_t at = 0; at < size; at += piece)
        bm_gzip_write(gzip, bytes + at, size - at < piece ? size - at : piece);
    bm_gzip_close(gzip);
    fclose(file);

    z_stream stream = {
        .next_in = (Bytef *)packed,
        .avail_in = (uInt)packed_size,
        .next_out = plain,
        .avail_out = (uInt)MOST_BYTES,
    };
    assert_int_equal(inflateInit2(&stream, 15 + 16), Z_OK);
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_int_equal(stream.total_out, size);
    assert_int_equal(stream.avail_in, 0);
    inflateEnd(&stream);
    assert_memory_equal(plain, bytes, size);
    free(packed);
    free(plain);
}

static inline void check_sizes(void)
{
    static const size_t sizes[] = {0,       1,           MIB - 1, MIB,
                                   MIB + 1, 3 * MIB + 7, 4 * MIB, 5 * MIB};
    static const size_t pieces[] = {1000, 3 * MIB};
    uint8_t *bytes = calloc(1, MOST_BYTES);

    assert_non_null(bytes);
    fill(bytes, MOST_BYTES);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        for (size_t j = 0; j < sizeof(pieces) / sizeof(pieces[0]); j++)
            check_round_trip(bytes, sizes[i], pieces[j]);
    }
    free(bytes);
}

#endif
