/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The recorder's core without interposition, for tests: events are told to it
 * directly, with invented addresses. Keys are sites; there are no paths. The
 * profile is a real file, read back by the real reader.
 *
 * A process can hold one recorder, so each case runs in a child.
 */
#ifndef BENCHMEM_TEST_RECORDER_CORE_H
#define BENCHMEM_TEST_RECORDER_CORE_H

#include "profile/profile.h"
#include "runtime/abi.h"
#include "runtime/record.h"

#include <stdbool.h>

/* Ends the child with the place of the failure. */
void core_failed(const char *file, int line, const char *what);
#define REQUIRE(condition)                                                     \
    ((condition) ? (void)0 : core_failed(__FILE__, __LINE__, #condition))

/* Runs one case in a child; false if it failed. */
bool core_run(void (*body)(const void *parameter), const void *parameter);

/*
 * Starts the recorder in this process; the calling thread's record. With
 * threaded, every event takes the ways for many threads.
 */
struct bm_thread *core_start(bool threaded);

/* The record of a further thread. */
struct bm_thread *core_attach(void);

/* The profile as a reader finds it now; every identity holds. */
struct bm_profile *core_read(void);

/* Events, as the entries make them. */
void core_alloc(struct bm_thread *thread, void *memory, uint64_t size,
                uint32_t key, uintptr_t sp);
void core_free(struct bm_thread *thread, void *memory, uintptr_t sp);
bool core_take(struct bm_thread *thread, void *memory, struct bm_block *block);
void core_move(struct bm_thread *thread, const struct bm_block *old, void *from,
               void *to, uint64_t size, uint32_t key, uintptr_t sp);

/* Site of a key: keys are the indices of site records, from 1. */
#define CORE_SITES 16u

/* An address for block number i; neighbours are `step` bytes apart. */
static inline void *core_address(size_t i, size_t step)
{
    return (void *)(0x7f0000000000 + i * step);
}

/* A benchmark function for windows, one for each number. */
struct bm_bench *core_bench(unsigned i);
#define CORE_BENCHES 4u

#endif
