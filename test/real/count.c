/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A second witness: counts what the process's allocator hands out, knowing
 * nothing of benchmem. Preload it into a plainly built program:
 *
 *   LD_PRELOAD=libcount.so COUNT_OUTPUT=FILE program args
 *
 * FILE holds struct counters, mapped while the program runs, so that it is
 * right however the program ends. Sizes are those requested. A realloc that
 * succeeds is one free and one allocation and never counts both blocks at
 * once. A forked child stops counting. Thread-safe: one lock guards counters
 * and table. No thread-local storage: it would change the size of the
 * blocks that libc allocates for each thread.
 */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void *__libc_valloc(size_t size);
void *__libc_pvalloc(size_t size);
void __libc_free(void *block);

/* Read by test/real/witness.py in this order. */
struct counters {
    uint64_t allocations;
    uint64_t frees;
    uint64_t allocated_bytes;
    uint64_t live_bytes;
    uint64_t peak_bytes;
    uint64_t unknown_frees;
    uint64_t failed_allocations;
    uint64_t zero_sized;
};

struct entry {
    uintptr_t block; /* 0: never used */
    size_t size;     /* FREED: no block is there now */
};

/* An address keeps its slot, so that reuse of addresses fills no table. */
#define FREED SIZE_MAX

static struct counters early;
static struct counters *counters = &early;
static struct entry *table;
static size_t nr_slots, nr_used;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static bool stopped;

static void take(void)
{
    /* Acquire and release of `lock` guard every static of this file. */
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
        sched_yield();
}

static void give(void)
{
    atomic_flag_clear_explicit(&lock, memory_order_release);
}

static struct entry *find(struct entry *in, size_t slots, uintptr_t block)
{
    /* Fibonacci hashing: the high half of the product is well mixed. */
    size_t i = (block * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (slots - 1);

    while (in[i].block && in[i].block != block)
        i = (i + 1) & (slots - 1);
    return &in[i];
}

static void grow(void)
{
    size_t slots = nr_slots ? 2 * nr_slots : (size_t)1 << 16;
    struct entry *bigger =
        mmap(NULL, slots * sizeof(*bigger), PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (bigger == MAP_FAILED)
        abort();
    nr_used = 0;
    for (size_t i = 0; i < nr_slots; i++) {
        if (!table[i].block || table[i].size == FREED)
            continue;
        *find(bigger, slots, table[i].block) = table[i];
        nr_used++;
    }
    if (table)
        munmap(table, nr_slots * sizeof(*table));
    table = bigger;
    nr_slots = slots;
}

static void put(void *block, size_t size)
{
    if (2 * nr_used >= nr_slots)
        grow();
    struct entry *entry = find(table, nr_slots, (uintptr_t)block);
    if (!entry->block)
        nr_used++;
    *entry = (struct entry){.block = (uintptr_t)block, .size = size};
    counters->live_bytes += size;
}

static bool remove_block(void *block, size_t *size)
{
    struct entry *entry =
        table ? find(table, nr_slots, (uintptr_t)block) : NULL;

    if (!entry || !entry->block || entry->size == FREED)
        return false;
    *size = entry->size;
    entry->size = FREED;
    counters->live_bytes -= *size;
    return true;
}

static void *learn(void *block, size_t size)
{
    int saved = errno;

    take();
    if (stopped) {
        give();
        return block;
    }
    if (block) {
        put(block, size);
        counters->allocations++;
        counters->allocated_bytes += size;
        counters->zero_sized += size == 0;
        if (counters->peak_bytes < counters->live_bytes)
            counters->peak_bytes = counters->live_bytes;
    } else {
        counters->failed_allocations++;
    }
    give();
    errno = saved;
    return block;
}

/* False for a block that was never seen. */
static bool forget(void *block, size_t *size)
{
    take();
    bool known = !stopped && remove_block(block, size);
    if (known)
        counters->frees++;
    else if (!stopped)
        counters->unknown_frees++;
    give();
    return known;
}

void *malloc(size_t size)
{
    return learn(__libc_malloc(size), size);
}

void *calloc(size_t n, size_t size)
{
    return learn(__libc_calloc(n, size), n * size);
}

void free(void *block)
{
    size_t size;

    if (block)
        forget(block, &size);
    __libc_free(block);
}

void *realloc(void *block, size_t size)
{
    size_t old = 0;

    if (!block)
        return malloc(size);
    bool known = forget(block, &old);
    void *moved = __libc_realloc(block, size);
    if (moved || size == 0)
        return moved ? learn(moved, size) : NULL;

    take();
    if (known && !stopped) {
        put(block, old);
        counters->frees--;
    }
    counters->failed_allocations += !stopped;
    give();
    return NULL;
}

void *reallocarray(void *block, size_t n, size_t size)
{
    size_t bytes;

    if (!__builtin_mul_overflow(n, size, &bytes))
        return realloc(block, bytes);
    errno = ENOMEM;
    return learn(NULL, 0);
}

void *memalign(size_t alignment, size_t size)
{
    return learn(__libc_memalign(alignment, size), size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return learn(__libc_memalign(alignment, size), size);
}

int posix_memalign(void **out, size_t alignment, size_t size)
{
    bool power = alignment && !(alignment & (alignment - 1));
    int saved = errno;

    if (!power || alignment % sizeof(void *)) {
        learn(NULL, 0);
        return EINVAL;
    }
    void *block = learn(__libc_memalign(alignment, size), size);
    errno = saved;
    if (!block)
        return ENOMEM;
    *out = block;
    return 0;
}

void *valloc(size_t size)
{
    return learn(__libc_valloc(size), size);
}

void *pvalloc(size_t size)
{
    return learn(__libc_pvalloc(size), size);
}

static void stop_in_child(void)
{
    stopped = true;
    give();
}

__attribute__((constructor)) static void start(void)
{
    const char *path = getenv("COUNT_OUTPUT");
    int fd =
        path ? open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;

    if (fd < 0 || ftruncate(fd, sizeof(*counters)))
        return;
    struct counters *mapped =
        mmap(NULL, sizeof(*mapped), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (mapped == MAP_FAILED)
        return;
    take();
    *mapped = *counters;
    counters = mapped;
    give();
    pthread_atfork(take, give, stop_in_child);
}
