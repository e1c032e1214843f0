/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a thread knows of the return addresses that it met on its stacks:
 * which call each is, how its function is left, and what was found out about
 * two functions that lie beside each other on a stack. All of it is found out
 * once, which is slow, and then looked up in some ten instructions.
 *
 * One table per thread, used by that thread alone, guard held. Memory is from
 * bm_map. A code does not move and is valid until bm_codes_sync says that
 * everything was forgotten.
 */
#ifndef BENCHMEM_RUNTIME_CODES_H
#define BENCHMEM_RUNTIME_CODES_H

#include "cfi.h"
#include "hidden.h"
#include "jumps.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct bm_thread;

/* One return address. */
struct bm_code {
    uintptr_t pc;
    uintptr_t function;           /* where that of pc starts, 0: not known */
    uintptr_t called;             /* what a direct call called, 0: not known */
    const struct bm_frame *where; /* NULL: not compiled by benchmem-cc */
    struct bm_cfi_rule rule;
    uint32_t frame; /* of `where`, or of the module; 0: none */
    /* The path that its frame made last, and below which other one. */
    uint32_t outer, path;
    bool own;      /* a hook's return address: stands for no frame */
    bool linked;   /* instrumented, and told by its address */
    bool depends;  /* its caller is found by its frame pointer */
    int32_t stamp; /* of its function, from the frame's end; 0: none */
} __attribute__((aligned(64)));

/* No path: what `outer` of a code is at first. */
#define BM_CODE_NO_OUTER (UINT32_MAX - 1)

struct bm_code_slot {
    uintptr_t pc; /* 0: empty */
    struct bm_code *code;
};

struct bm_code_block;
struct bm_passage;

/* All zero at first. */
struct bm_codes {
    struct bm_code_slot *slots; /* open addressing by pc, NULL at first */
    unsigned shift;             /* of the hash, to a slot's number */
    uint32_t nr, max;           /* codes; before there are more slots */
    unsigned generation;
    struct bm_code_block *blocks, *block; /* all; the one being filled */
    uint32_t nr_in_block;
    struct bm_passage *passages; /* mapped when first needed */
    struct bm_code unknown;      /* lent out where there is no memory */
};

/* False if there is no memory. */
bool bm_codes_init(struct bm_codes *codes);

/* Code was unmapped: return addresses may mean something else. Any thread. */
void bm_codes_changed(void);
extern _Atomic unsigned bm_codes_generation BM_HIDDEN;

void bm_codes_forget(struct bm_codes *codes);

/*
 * Before a look at a stack: forgets everything if code was unmapped since the
 * last one, or if there is too much of it. True if it did.
 */
static inline bool bm_codes_sync(struct bm_codes *codes)
{
    /* Pairs with the release in bm_codes_changed. */
    if (__builtin_expect(codes->generation ==
                             atomic_load_explicit(&bm_codes_generation,
                                                  memory_order_acquire),
                         1))
        return false;
    bm_codes_forget(codes);
    return true;
}

/* Record foreign frames one by one (native=1) from now on. */
void bm_codes_set_native(bool native);

struct bm_code *bm_code_get_slow(struct bm_codes *codes,
                                 struct bm_thread *thread, uintptr_t pc);

/* 2^64 / golden ratio: Knuth's multiplicative hashing. */
static inline struct bm_code_slot *bm_code_slot(const struct bm_codes *codes,
                                                uintptr_t pc)
{
    return &codes->slots[(pc * UINT64_C(0x9e3779b97f4a7c15)) >> codes->shift];
}

/* The facts of one return address. */
static inline struct bm_code *
bm_code_get(struct bm_codes *codes, struct bm_thread *thread, uintptr_t pc)
{
    const struct bm_code_slot *slot = bm_code_slot(codes, pc);

    return __builtin_expect(slot->pc == pc, 1)
               ? slot->code
               : bm_code_get_slow(codes, thread, pc);
}

/*
 * The functions that were left by jumps on the way from a call to what it led
 * to: the function of the next frame, or the one that a use is in. Valid
 * until the next of these calls.
 */
const struct bm_jumps *bm_code_jumps_slow(struct bm_codes *codes,
                                          struct bm_thread *thread,
                                          const struct bm_code *call,
                                          const struct bm_code *inner);
const struct bm_jumps *bm_code_jumps_to_use(struct bm_codes *codes,
                                            struct bm_thread *thread,
                                            const struct bm_code *call,
                                            const struct bm_use *use);

/* The same; NULL where there are surely none. */
static inline const struct bm_jumps *bm_code_jumps(struct bm_codes *codes,
                                                   struct bm_thread *thread,
                                                   const struct bm_code *call,
                                                   const struct bm_code *inner)
{
    if (!call->called || call->called == inner->function || !inner->function)
        return NULL;
    return bm_code_jumps_slow(codes, thread, call, inner);
}

#endif
