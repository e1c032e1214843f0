/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Made-up profiles of any size whose identities hold, for tests of the
 * reader, of the tools and of their speed. The same options give the same
 * bytes.
 */
#ifndef BENCHMEM_TEST_SYNTHETIC_H
#define BENCHMEM_TEST_SYNTHETIC_H

#include <msgpack.h>
#include <stddef.h>
#include <stdint.h>

struct synthetic {
    size_t sites;
    size_t paths; /* in all; 0: only sites are counted */
    size_t depth; /* of the deepest path, at least */
    size_t threads;
    size_t benchmarks;
    size_t passes; /* of each benchmark; beyond 1,000 in one record */
    uint64_t seed;
};

/* 0, or the error of the packer's callback. */
int synthetic_pack(msgpack_packer *packer, const struct synthetic *what);

#endif
