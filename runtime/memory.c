/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "memory.h"

#include "sys.h"

#include <stdatomic.h>
#include <stdint.h>

#define ARENA_CHUNK BM_CHUNK
#define ARENA_ALIGNMENT ((size_t)16)
#define LINE ((size_t)64) /* x86-64, most of aarch64 */

struct chunk {
    _Atomic size_t used; /* bytes given out, this header included */
    char pad[ARENA_ALIGNMENT - sizeof(size_t)];
};

static _Atomic(struct chunk *) current;

/*
 * From so many bytes of chunks on, more are cut from pieces of huge pages:
 * what of the last piece is not used yet is little then.
 */
#define MANY ((size_t)16 * 1024 * 1024)
#define PIECE ((uintptr_t)4 * 1024 * 1024) /* two pages of x86-64 */

static _Atomic size_t chunk_bytes;
static _Atomic uintptr_t next_in_piece; /* at a boundary of PIECE: used up */

void *bm_map(size_t size)
{
    void *memory =
        bm_sys_mmap(NULL, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return bm_sys_failed(memory) ? NULL : memory;
}

void bm_unmap(void *memory, size_t size)
{
    bm_sys_munmap(memory, size);
}

/* On a boundary of alignment, by mapping more and giving back the rest. */
static char *map_aligned(size_t size, size_t alignment)
{
    char *memory = bm_map(size + alignment);
    if (!memory)
        return NULL;

    size_t before = -(uintptr_t)memory & (alignment - 1);
    if (before)
        bm_unmap(memory, before);
    bm_unmap(memory + before + size, alignment - before);
    return memory + before;
}

/* NULL if there is no memory for another piece. */
static void *get_from_piece(size_t size)
{
    uintptr_t at = atomic_load_explicit(&next_in_piece, memory_order_relaxed);

    for (;;) {
        char *fresh = NULL;
        uintptr_t from = at;

        if ((-at & (PIECE - 1)) < size) {
            fresh = map_aligned(PIECE, PIECE);
            if (!fresh)
                return NULL;
            bm_sys_madvise(fresh, PIECE, MADV_HUGEPAGE);
            from = (uintptr_t)fresh;
        }
        if (atomic_compare_exchange_strong_explicit(
                &next_in_piece, &at, from + size, memory_order_relaxed,
                memory_order_relaxed))
            return (void *)from;
        if (fresh)
            bm_unmap(fresh, PIECE);
    }
}

void *bm_chunk_get(size_t size)
{
    void *chunk = NULL;

    if (atomic_fetch_add_explicit(&chunk_bytes, size, memory_order_relaxed) >=
        MANY)
        chunk = get_from_piece(size);
    return chunk ? chunk : map_aligned(size, BM_CHUNK);
}

static struct chunk *new_chunk(struct chunk *full)
{
    struct chunk *chunk = bm_chunk_get(ARENA_CHUNK);

    if (!chunk)
        return NULL;
    atomic_init(&chunk->used, sizeof(*chunk));
    /* Release: whoever finds the chunk finds its header filled. */
    if (atomic_compare_exchange_strong_explicit(
            &current, &full, chunk, memory_order_acq_rel, memory_order_acquire))
        return chunk;
    return full; /* another thread's; the chunk made here is left over */
}

void *bm_arena_get(size_t size)
{
    size = (size + ARENA_ALIGNMENT - 1) & ~(ARENA_ALIGNMENT - 1);
    if (size > ARENA_CHUNK / 4)
        return bm_map(size);

    /* Acquire pairs with the release in new_chunk. */
    struct chunk *chunk = atomic_load_explicit(&current, memory_order_acquire);
    for (;;) {
        if (chunk) {
            size_t at = atomic_fetch_add_explicit(&chunk->used, size,
                                                  memory_order_relaxed);
            if (at + size <= ARENA_CHUNK)
                return (char *)chunk + at;
        }
        chunk = new_chunk(chunk);
        if (!chunk)
            return NULL;
    }
}

void *bm_arena_get_lines(size_t size)
{
    char *memory = bm_arena_get(size + LINE - ARENA_ALIGNMENT);

    return memory ? memory + (-(uintptr_t)memory & (LINE - 1)) : NULL;
}
