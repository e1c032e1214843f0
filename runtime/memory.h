/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The recorder's own memory: anonymous mappings, never the process's heap,
 * so that nothing here is counted and nothing here can recurse. All
 * functions are safe on any thread and in signal handlers. Memory is zeroed.
 * It is given back only by bm_unmap; arenas and chunks last until the process
 * ends. Once there are many of them, they lie in huge pages where the system
 * has those, which a small program must not pay for.
 */
#ifndef BENCHMEM_RUNTIME_MEMORY_H
#define BENCHMEM_RUNTIME_MEMORY_H

#include <stddef.h>

/* Whole pages; NULL if the system has none. errno is not changed. */
void *bm_map(size_t size);
void bm_unmap(void *memory, size_t size);

/*
 * Large pieces for tables, to be kept for ever: size is a multiple of
 * BM_CHUNK, on a boundary of which they lie. NULL if there is no memory.
 */
#define BM_CHUNK ((size_t)64 * 1024)
void *bm_chunk_get(size_t size);

/*
 * A bump allocator over mappings, lock-free: 16-byte aligned, NULL when the
 * system has no more. For things that are kept for ever.
 */
void *bm_arena_get(size_t size);

/* The same on a boundary of cache lines, for what threads write by turns. */
void *bm_arena_get_lines(size_t size);

#endif
