/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "codes.h"

#include "calls.h"
#include "frames.h"
#include "memory.h"

#include <stdatomic.h>
#include <string.h>

#define MIN_SLOTS_BITS 9
#define MAX_CODES (1u << 20)

/* A page of codes. */
#define CODES_IN_BLOCK (4096 / sizeof(struct bm_code) - 1)

struct bm_code_block {
    struct bm_code_block *next;
    struct bm_code codes[CODES_IN_BLOCK];
};

/*
 * From a call's return address to what it led to, and the jumps between.
 * Direct-mapped; lost at a collision. nr is that of no chain where the chain
 * is empty, which `pc` tells from no passage.
 */
#define PASSAGE_BITS 10

struct bm_passage {
    uintptr_t pc, what;
    struct bm_jumps jumps;
};

_Atomic unsigned bm_codes_generation;
static bool native_frames;

void bm_codes_set_native(bool native)
{
    native_frames = native;
}

void bm_codes_changed(void)
{
    /* Pairs with the acquire in bm_codes_sync. */
    atomic_fetch_add_explicit(&bm_codes_generation, 1, memory_order_release);
}

static size_t nr_slots(const struct bm_codes *codes)
{
    return (size_t)1 << (64 - codes->shift);
}

bool bm_codes_init(struct bm_codes *codes)
{
    codes->shift = 64 - MIN_SLOTS_BITS;
    codes->slots = bm_map(nr_slots(codes) * sizeof(*codes->slots));
    codes->max = (uint32_t)(nr_slots(codes) / 2);
    return codes->slots != NULL;
}

void bm_codes_forget(struct bm_codes *codes)
{
    memset(codes->slots, 0, nr_slots(codes) * sizeof(*codes->slots));
    if (codes->passages)
        memset(codes->passages, 0, sizeof(*codes->passages) << PASSAGE_BITS);
    codes->nr = 0;
    codes->block = NULL;
    codes->generation =
        atomic_load_explicit(&bm_codes_generation, memory_order_acquire);
}

/* The slot of pc, or the empty one where it belongs. */
static struct bm_code_slot *find_slot(struct bm_codes *codes, uintptr_t pc)
{
    struct bm_code_slot *slot = bm_code_slot(codes, pc);
    struct bm_code_slot *end = codes->slots + nr_slots(codes);

    while (slot->pc && slot->pc != pc)
        if (++slot == end)
            slot = codes->slots;
    return slot;
}

/* Twice as many slots; without memory, those there are are filled further. */
static void grow(struct bm_codes *codes)
{
    struct bm_code_slot *old = codes->slots;
    size_t nr_old = nr_slots(codes);
    struct bm_code_slot *fresh = bm_map(2 * nr_old * sizeof(*fresh));

    if (!fresh) {
        codes->max = (uint32_t)(nr_old - 1);
        return;
    }
    codes->slots = fresh;
    codes->shift--;
    codes->max = (uint32_t)nr_old;
    for (size_t i = 0; i < nr_old; i++)
        if (old[i].pc)
            *find_slot(codes, old[i].pc) = old[i];
    bm_unmap(old, nr_old * sizeof(*old));
}

/* Room for a code that stays where it is; NULL if there is none. */
static struct bm_code *new_code(struct bm_codes *codes)
{
    struct bm_code_block **next =
        codes->block ? &codes->block->next : &codes->blocks;

    if (codes->block && codes->nr_in_block < CODES_IN_BLOCK)
        return &codes->block->codes[codes->nr_in_block++];
    if (!*next)
        *next = bm_map(sizeof(**next));
    if (!*next)
        return NULL;
    codes->block = *next;
    codes->nr_in_block = 1;
    return &codes->block->codes[0];
}

static void learn(struct bm_code *code, struct bm_thread *thread, uintptr_t pc)
{
    const struct bm_call *call = bm_calls_find(pc);

    *code = (struct bm_code){.pc = pc, .outer = BM_CODE_NO_OUTER};
    if (call) {
        code->where = bm_abi_at(&call->frame);
        code->stamp = call->stamp;
    }
    code->rule = bm_cfi_rule(pc, &code->function);
    code->depends = code->rule.kind >= BM_CFI_FP;
    if (code->where) {
        code->frame = bm_frame_of_call(thread, code->where);
        code->called = bm_jumps_called(pc, code->where);
    } else if (code->rule.kind > BM_CFI_BOTTOM && bm_calls_is_linked(pc)) {
        code->frame = bm_frame_linked(thread, pc);
        code->linked = true;
    } else if (native_frames) {
        code->frame = bm_frame_foreign(thread, pc, true);
    }
}

__attribute__((noinline)) struct bm_code *
bm_code_get_slow(struct bm_codes *codes, struct bm_thread *thread, uintptr_t pc)
{
    struct bm_code_slot *slot = find_slot(codes, pc);

    if (slot->pc)
        return slot->code;
    if (codes->nr >= codes->max)
        grow(codes);
    struct bm_code *code = codes->nr < codes->max ? new_code(codes) : NULL;
    if (!code) {
        codes->unknown = (struct bm_code){.pc = pc, .outer = BM_CODE_NO_OUTER};
        return &codes->unknown;
    }
    learn(code, thread, pc);
    if (++codes->nr >= MAX_CODES)
        codes->generation--; /* as none is: the next look begins anew */
    *find_slot(codes, pc) = (struct bm_code_slot){pc, code};
    return code;
}

/* The place of a passage; NULL if there is no memory. */
static struct bm_passage *passage_at(struct bm_codes *codes, uintptr_t pc,
                                     uintptr_t what)
{
    uint64_t hash = (pc ^ what * UINT64_C(0x9e3779b97f4a7c15)) *
                    UINT64_C(0xff51afd7ed558ccd);

    if (!codes->passages)
        codes->passages = bm_map(sizeof(*codes->passages) << PASSAGE_BITS);
    return codes->passages ? &codes->passages[hash >> (64 - PASSAGE_BITS)]
                           : NULL;
}

static const struct bm_jumps no_jumps;

const struct bm_jumps *bm_code_jumps_slow(struct bm_codes *codes,
                                          struct bm_thread *thread,
                                          const struct bm_code *call,
                                          const struct bm_code *inner)
{
    struct bm_passage *passage = passage_at(codes, call->pc, inner->function);

    if (!passage)
        return &no_jumps;
    if (passage->pc != call->pc || passage->what != inner->function) {
        bm_jumps_to_function(thread, &passage->jumps, call, inner);
        passage->pc = call->pc;
        passage->what = inner->function;
    }
    return &passage->jumps;
}

const struct bm_jumps *bm_code_jumps_to_use(struct bm_codes *codes,
                                            struct bm_thread *thread,
                                            const struct bm_code *call,
                                            const struct bm_use *use)
{
    struct bm_passage *passage = passage_at(codes, call->pc, (uintptr_t)use);

    if (!call->called || !passage)
        return &no_jumps;
    if (passage->pc != call->pc || passage->what != (uintptr_t)use) {
        bm_jumps_to_use(thread, &passage->jumps, call, use);
        passage->pc = call->pc;
        passage->what = (uintptr_t)use;
    }
    return &passage->jumps;
}
