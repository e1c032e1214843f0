/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "memory.h"

#include "sys.h"

#include <stdatomic.h>
#include <stdint.h>

#define ARENA_CHUNK ((size_t)64 * 1024)
#define ARENA_ALIGNMENT ((size_t)16)
#define LINE ((size_t)64) /* x86-64, most of aarch64 */

struct chunk {
    _Atomic size_t used; /* bytes given out, this header included */
    char pad[ARENA_ALIGNMENT - sizeof(size_t)];
};

static _Atomic(struct chunk *) current;

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

static struct chunk *new_chunk(struct chunk *full)
{
    struct chunk *chunk = bm_map(ARENA_CHUNK);

    if (!chunk)
        return NULL;
    atomic_init(&chunk->used, sizeof(*chunk));
    /* Release: whoever finds the chunk finds its header filled. */
    if (atomic_compare_exchange_strong_explicit(
            &current, &full, chunk, memory_order_acq_rel, memory_order_acquire))
        return chunk;
    bm_unmap(chunk, ARENA_CHUNK);
    return full;
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
