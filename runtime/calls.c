/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "calls.h"

#include "cfi.h"

#include <stdatomic.h>

#define MAX_IMAGES 1024

enum order {
    ORDER_SORTED,
    ORDER_MIXED, /* a relocatable link can mix the functions: search them all */
};

/*
 * high is 0 while a slot is empty. It is stored last when a slot is filled
 * and first when it is emptied, so a reader that sees an address inside
 * [low, high] sees the rest of the slot too.
 */
struct slot {
    _Atomic uintptr_t low, high;
    _Atomic(const struct bm_call *) calls;
    _Atomic size_t nr_calls;
    _Atomic int order;
};

static struct slot slots[MAX_IMAGES];
static _Atomic unsigned nr_slots;

static uintptr_t return_pc(const struct bm_call *call)
{
    return (uintptr_t)&call->return_pc + (uintptr_t)(intptr_t)call->return_pc;
}

static enum order order_of(const struct bm_call *calls, size_t nr_calls)
{
    for (size_t i = 1; i < nr_calls; i++)
        if (return_pc(&calls[i]) < return_pc(&calls[i - 1]))
            return ORDER_MIXED;
    return ORDER_SORTED;
}

static void bounds_of(const struct bm_call *calls, size_t nr_calls,
                      uintptr_t *low, uintptr_t *high)
{
    *low = UINTPTR_MAX;
    *high = 0;
    for (size_t i = 0; i < nr_calls; i++) {
        uintptr_t pc = return_pc(&calls[i]);
        *low = pc < *low ? pc : *low;
        *high = pc > *high ? pc : *high;
    }
}

static struct slot *free_slot(void)
{
    unsigned nr = atomic_load_explicit(&nr_slots, memory_order_relaxed);
    for (unsigned i = 0; i < nr; i++)
        if (!atomic_load_explicit(&slots[i].high, memory_order_relaxed))
            return &slots[i];
    if (nr == MAX_IMAGES)
        return NULL;
    return &slots[nr];
}

/*
 * Modules with code that is in no table, by their copies' images. An entry is
 * emptied, not moved, so that a reader sees an image or none.
 */
static _Atomic(const struct bm_image *) linked[MAX_IMAGES];
static _Atomic unsigned nr_linked;

static bool add_linked(const struct bm_image *image)
{
    unsigned nr = atomic_load_explicit(&nr_linked, memory_order_relaxed);
    unsigned i = 0;
    while (i < nr && atomic_load_explicit(&linked[i], memory_order_relaxed))
        i++;
    if (i == MAX_IMAGES)
        return false;
    /*
     * Pairs with the acquire in bm_calls_is_linked. The number orders nothing:
     * who sees it before the entry finds an empty one.
     */
    atomic_store_explicit(&linked[i], image, memory_order_release);
    if (i == nr)
        atomic_store_explicit(&nr_linked, nr + 1, memory_order_relaxed);
    return true;
}

bool bm_calls_is_linked(uintptr_t pc)
{
    unsigned nr = atomic_load_explicit(&nr_linked, memory_order_relaxed);
    for (unsigned i = 0; i < nr; i++) {
        /* Pairs with the release in add_linked. */
        const struct bm_image *image =
            atomic_load_explicit(&linked[i], memory_order_acquire);
        if (image && bm_cfi_same_module(pc, (uintptr_t)image))
            return true;
    }
    return false;
}

bool bm_calls_add(const struct bm_image *image)
{
    size_t nr_calls = (size_t)(image->calls_end - image->calls);
    if (image->linked && !add_linked(image))
        return false;
    if (nr_calls == 0)
        return true;
    struct slot *slot = free_slot();
    if (!slot)
        return false;

    uintptr_t low, high;
    bounds_of(image->calls, nr_calls, &low, &high);
    atomic_store_explicit(&slot->calls, image->calls, memory_order_relaxed);
    atomic_store_explicit(&slot->nr_calls, nr_calls, memory_order_relaxed);
    atomic_store_explicit(&slot->order, order_of(image->calls, nr_calls),
                          memory_order_relaxed);
    atomic_store_explicit(&slot->low, low, memory_order_relaxed);
    /* Pairs with the acquires of high. The number is as that of `linked`. */
    atomic_store_explicit(&slot->high, high, memory_order_release);
    if (slot == &slots[atomic_load_explicit(&nr_slots, memory_order_relaxed)])
        atomic_fetch_add_explicit(&nr_slots, 1, memory_order_relaxed);
    return true;
}

void bm_calls_remove(const struct bm_image *image)
{
    unsigned nr = atomic_load_explicit(&nr_linked, memory_order_relaxed);
    for (unsigned i = 0; i < nr; i++)
        if (atomic_load_explicit(&linked[i], memory_order_relaxed) == image)
            atomic_store_explicit(&linked[i], NULL, memory_order_relaxed);
    /* An empty entry or slot tells nothing, so that its store orders nothing.
     */
    nr = atomic_load_explicit(&nr_slots, memory_order_relaxed);
    for (unsigned i = 0; i < nr; i++)
        if (atomic_load_explicit(&slots[i].calls, memory_order_relaxed) ==
            image->calls)
            atomic_store_explicit(&slots[i].high, 0, memory_order_relaxed);
}

/* The number of calls that end before pc, out of nr in order. */
static size_t nr_before(const struct bm_call *calls, size_t nr, uintptr_t pc)
{
    size_t low = 0, high = nr;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (return_pc(&calls[middle]) < pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const struct bm_call *bisect(const struct bm_call *calls, size_t nr,
                                    uintptr_t pc)
{
    size_t i = nr_before(calls, nr, pc);
    return i < nr && return_pc(&calls[i]) == pc ? &calls[i] : NULL;
}

static const struct bm_call *search(const struct bm_call *calls, size_t nr,
                                    uintptr_t pc)
{
    for (size_t i = 0; i < nr; i++)
        if (return_pc(&calls[i]) == pc)
            return &calls[i];
    return NULL;
}

static const struct bm_call *find_in(struct slot *slot, uintptr_t pc)
{
    const struct bm_call *calls =
        atomic_load_explicit(&slot->calls, memory_order_relaxed);
    size_t nr = atomic_load_explicit(&slot->nr_calls, memory_order_relaxed);
    int order = atomic_load_explicit(&slot->order, memory_order_relaxed);

    return order == ORDER_SORTED ? bisect(calls, nr, pc)
                                 : search(calls, nr, pc);
}

const struct bm_call *bm_calls_find(uintptr_t pc)
{
    unsigned nr = atomic_load_explicit(&nr_slots, memory_order_relaxed);
    for (unsigned i = 0; i < nr; i++) {
        /* Pairs with the release in bm_calls_add. */
        uintptr_t high =
            atomic_load_explicit(&slots[i].high, memory_order_acquire);
        uintptr_t low =
            atomic_load_explicit(&slots[i].low, memory_order_relaxed);
        if (pc < low || pc > high)
            continue;
        const struct bm_call *call = find_in(&slots[i], pc);
        if (call)
            return call;
    }
    return NULL;
}

static const struct bm_call *calls_within(struct slot *slot, uintptr_t low,
                                          uintptr_t high, size_t *nr)
{
    const struct bm_call *calls =
        atomic_load_explicit(&slot->calls, memory_order_relaxed);
    size_t all = atomic_load_explicit(&slot->nr_calls, memory_order_relaxed);
    if (atomic_load_explicit(&slot->order, memory_order_relaxed) !=
        ORDER_SORTED)
        return NULL;
    size_t first = nr_before(calls, all, low + 1);
    *nr = nr_before(calls, all, high + 1) - first;
    return *nr ? calls + first : NULL;
}

const struct bm_call *bm_calls_in(uintptr_t low, uintptr_t high, size_t *nr)
{
    unsigned nr_images = atomic_load_explicit(&nr_slots, memory_order_relaxed);
    for (unsigned i = 0; i < nr_images; i++) {
        /* Pairs with the release in bm_calls_add. */
        uintptr_t last =
            atomic_load_explicit(&slots[i].high, memory_order_acquire);
        uintptr_t first =
            atomic_load_explicit(&slots[i].low, memory_order_relaxed);
        if (high < first || low >= last)
            continue;
        const struct bm_call *calls = calls_within(&slots[i], low, high, nr);
        if (calls)
            return calls;
    }
    return NULL;
}

uintptr_t bm_calls_end(const struct bm_call *call)
{
    return return_pc(call);
}

bool bm_calls_within(uintptr_t low, uintptr_t high)
{
    unsigned nr = atomic_load_explicit(&nr_slots, memory_order_relaxed);
    for (unsigned i = 0; i < nr; i++) {
        /* Pairs with the release in bm_calls_add. */
        uintptr_t last =
            atomic_load_explicit(&slots[i].high, memory_order_acquire);
        if (last > low && last <= high)
            return true;
    }
    return false;
}
