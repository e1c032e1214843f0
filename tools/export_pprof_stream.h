/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A profile.proto on its way into a file: gzip'd, and in parts, since protobuf
 * readers put the parts of a message together that follow each other. So
 * nothing is held but the numbers of what was written.
 *
 *   1. bm_pprof_open
 *   2. bm_pprof_put_sample, and bm_pprof_put for whatever else;
 *      bm_pprof_string, bm_pprof_function, bm_pprof_location give numbers, and
 *      write what they have not written yet.
 *   3. bm_pprof_close
 *
 * Numbers stay the same over all trees of the profile.
 */
#ifndef BENCHMEM_TOOLS_EXPORT_PPROF_STREAM_H
#define BENCHMEM_TOOLS_EXPORT_PPROF_STREAM_H

#include "profile.pb-c.h"
#include "tools/export.h"
#include "tools/export_gzip.h"
#include "tools/intern.h"

struct bm_pprof {
    const struct bm_profile *profile;
    struct bm_gzip *gzip;
    uint8_t *packed;
    size_t packed_room;
    struct bm_intern strings;
    uint32_t nr_strings;
    struct bm_intern functions;
    uint32_t nr_functions;
    struct bm_intern locations; /* id 1 is number 0 */
    struct bm_arena arena;
    uint64_t only_mapping; /* of the only instrumented module, else 0 */
};

void bm_pprof_open(struct bm_pprof *pprof, const struct bm_profile *profile,
                   FILE *file);

void bm_pprof_put(struct bm_pprof *pprof, const Pprof__Profile *part);

/* pprof->packed with room for size bytes. */
uint8_t *bm_pprof_room(struct bm_pprof *pprof, size_t size);

/* What is packed already, as it repeats in many samples. */
struct bm_pprof_bytes {
    const void *data;
    size_t size;
};

#define BM_PPROF_VARINT 10 /* bytes at most */
uint8_t *bm_pprof_put_varint(uint8_t *out, uint64_t value);

/* Appends a label as samples have them. */
void bm_pprof_pack_label(struct bm_str *out, const Pprof__Label *label);

/* A sample, all of it the caller's. */
struct bm_pprof_sample {
    struct bm_pprof_bytes locations; /* ids as varints, the leaf first */
    const int64_t *values;
    size_t nr_values;
    struct bm_pprof_bytes labels[3]; /* of bm_pprof_pack_label */
};
void bm_pprof_put_sample(struct bm_pprof *pprof,
                         const struct bm_pprof_sample *sample);

/* Index in string_table; bytes that are no UTF-8 are escaped. */
int64_t bm_pprof_string(struct bm_pprof *pprof, const char *text);

/* Id of a place's function, the same for all places of a routine. */
uint64_t bm_pprof_function(struct bm_pprof *pprof,
                           const struct bm_call_place *place);

/*
 * Id of the location of a place in a function, inlined into location `outer`;
 * 0: into none.
 */
uint32_t bm_pprof_location(struct bm_pprof *pprof,
                           const struct bm_call_place *place, uint64_t function,
                           uint64_t outer);

/* A label with a text, valid until bm_pprof_close. */
Pprof__Label *bm_pprof_label(struct bm_pprof *pprof, const char *key,
                             const char *text);

/*
 * The label of a benchmark's parameter: signed and whole values are numbers,
 * others texts. Its key is the parameter's name, unless labels of ours or
 * pprof's own have it.
 */
Pprof__Label *bm_pprof_param(struct bm_pprof *pprof,
                             const struct bm_benchmark_info *benchmark,
                             size_t number);

void bm_pprof_close(struct bm_pprof *pprof);

#endif
