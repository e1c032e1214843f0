/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * killed PAGE THREADS: allocates until it is killed, and publishes in a shared
 * page, before and after every call, what it has done and what it is about to
 * do. For kill.py, which knows struct page.
 *
 * Each thread keeps blocks of its own and hands others over to whatever thread
 * takes them. With one thread all calls are made inside benchmarks.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST_THREADS 8
#define KEPT 64
#define CALLS_OF_A_PASS 100

/* Calls and bytes; `next` is what the call under way adds. */
struct counts {
    uint64_t allocations, frees, allocated, freed;
};
struct published {
    struct counts done, next;
};

/* The last published is both[turn % 2]; it never changes while it is. */
struct slot {
    _Atomic uint64_t turn;
    struct published both[2];
};

struct page {
    uint64_t pid;
    uint64_t threads;
    _Atomic uint64_t passes; /* benchmarks that were left */
    uint64_t unused[5];
    struct slot slots[MOST_THREADS];
};

static struct page *page;

/* Blocks on their way to another thread; a block begins with its size. */
static _Atomic(size_t *) handed[16];

struct worker {
    struct slot *slot;
    struct counts done;
    uint64_t random;
    size_t *kept[KEPT];
};

/* Release: who sees the turn sees what it stands for. */
static void publish(struct worker *w, struct counts next)
{
    uint64_t turn =
        atomic_load_explicit(&w->slot->turn, memory_order_relaxed) + 1;

    w->slot->both[turn % 2] = (struct published){w->done, next};
    atomic_store_explicit(&w->slot->turn, turn, memory_order_release);
}

static void publish_done(struct worker *w, struct counts change)
{
    w->done.allocations += change.allocations;
    w->done.frees += change.frees;
    w->done.allocated += change.allocated;
    w->done.freed += change.freed;
    publish(w, (struct counts){0});
}

static size_t draw(struct worker *w, size_t below)
{
    w->random = w->random * UINT64_C(6364136223846793005) +
                UINT64_C(1442695040888963407);
    return (size_t)(w->random >> 33) % below;
}

static void release(struct worker *w, size_t *block)
{
    struct counts change = {.frees = 1, .freed = *block};

    publish(w, change);
    free(block);
    publish_done(w, change);
}

static size_t *allocate(struct worker *w)
{
    size_t size = sizeof(size_t) + draw(w, 2000);
    struct counts change = {.allocations = 1, .allocated = size};
    size_t *block;

    publish(w, change);
    switch (draw(w, 4)) {
    case 0:
        block = calloc(1, size);
        break;
    case 1:
        block = aligned_alloc(16, size);
        break;
    default:
        block = malloc(size);
        break;
    }
    publish_done(w, change);
    if (!block)
        _exit(3);
    *block = size;
    return block;
}

static size_t *resize(struct worker *w, size_t *block)
{
    size_t size = sizeof(size_t) + draw(w, 6000);
    struct counts change = {1, 1, size, *block};

    publish(w, change);
    block = realloc(block, size);
    publish_done(w, change);
    if (!block)
        _exit(3);
    *block = size;
    return block;
}

static void one_call(struct worker *w)
{
    size_t **kept = &w->kept[draw(w, KEPT)];
    size_t *other;

    if (!*kept) {
        *kept = allocate(w);
        return;
    }
    switch (draw(w, 4)) {
    case 0:
        *kept = resize(w, *kept);
        return;
    case 1:
        other = atomic_exchange(&handed[draw(w, 16)], *kept);
        *kept = NULL;
        if (other)
            release(w, other);
        return;
    default:
        release(w, *kept);
        *kept = NULL;
    }
}

__attribute__((noinline)) void bench_calls(struct worker *w)
{
    for (int i = 0; i < CALLS_OF_A_PASS; i++)
        one_call(w);
}

static void *work(void *worker)
{
    for (;;)
        one_call(worker);
}

int main(int argc, char **argv)
{
    static struct worker workers[MOST_THREADS];
    int fd = argc == 3 ? open(argv[1], O_RDWR | O_CLOEXEC) : -1;
    size_t nr = fd < 0 ? 0 : (size_t)atoi(argv[2]);
    pthread_t thread;

    if (nr < 1 || nr > MOST_THREADS)
        return 2;
    page = mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (page == MAP_FAILED)
        return 2;
    page->threads = nr;
    for (size_t i = 0; i < nr; i++)
        workers[i] = (struct worker){.slot = &page->slots[i], .random = i + 1};
    for (size_t i = 1; i < nr; i++)
        if (pthread_create(&thread, NULL, work, &workers[i]))
            return 2;
    page->pid = (uint64_t)getpid();
    while (nr == 1) {
        bench_calls(&workers[0]);
        atomic_fetch_add(&page->passes, 1);
    }
    work(&workers[0]);
    return 1;
}
