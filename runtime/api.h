/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What <benchmem/benchmem.h> and the harness call: windows by request, what a
 * benchmark says of itself, pauses and pools. Any thread, at any time; without
 * a recorder that runs every call does nothing and says so.
 *
 * The public functions are those of this copy of the runtime. In one that is
 * not the recorder they hand on through this table.
 */
#ifndef BENCHMEM_RUNTIME_API_H
#define BENCHMEM_RUNTIME_API_H

#include "attribute.h"
#include "hidden.h"

#include <stdbool.h>
#include <stdint.h>

struct benchmem_benchmark;
struct benchmem_pool;
struct benchmem_result;
struct benchmem_value;
struct benchmem_window;

struct bm_api {
    bool (*begin)(const struct bm_caller *, const struct benchmem_window *);
    bool (*end)(const struct bm_caller *, struct benchmem_result *, uint64_t);
    void (*describe)(const struct benchmem_benchmark *,
                     const struct benchmem_value *, uint32_t);
    void (*failed)(const char *);
    uint64_t (*last)(struct benchmem_result *);
    void (*pause)(int32_t);
    void (*pool)(struct benchmem_pool *, uint64_t, uint64_t);
    int (*mode)(int);
    void (*loop_enter)(const struct bm_caller *, const struct bm_bench *,
                       const uint64_t *, const void *);
    void (*loop_leave)(const struct bm_bench *);
    void (*loop_begin)(void);
    void (*loop_end)(void);
};

extern const struct bm_api bm_api BM_HIDDEN;

/* What the pass calls in functions of Google Benchmark: see abi.h. */
void __benchmem_loop_enter(struct bm_bench *bench, const uint64_t *values,
                           const void *range)
    __attribute__((visibility("default"), noinline));
void __benchmem_loop_leave(struct bm_bench *bench)
    __attribute__((visibility("default")));
void __benchmem_loop_begin(void) __attribute__((visibility("default")));
void __benchmem_loop_end(void) __attribute__((visibility("default")));
void __benchmem_loop_pause(int32_t change)
    __attribute__((visibility("default")));

#endif
