/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "entries.h"

#include "benchmarks.h"
#include "public.h"

#define BM_FAMILY(symbol, kind, signature)                                     \
    BM_RESULT_##signature bm_interposed_##symbol(BM_PARAMETERS_##signature)    \
    {                                                                          \
        BM_BODY_##kind##_##signature(                                          \
            symbol, bm_next.symbol(BM_ARGUMENTS_##signature), NULL);           \
    }                                                                          \
    BM_RESULT_##signature bm_hook_##symbol(BM_PARAMETERS_##signature,          \
                                           struct bm_use *use)                 \
    {                                                                          \
        BM_BODY_##kind##_##signature(                                          \
            symbol, BM_ENTRY_PASS_HOOK(symbol, BM_ARGUMENTS_##signature),      \
            use);                                                              \
    }                                                                          \
    BM_EXPORT_AS(BM_PUBLIC(symbol), bm_interposed_##symbol);                         \
    BM_EXPORT_AS(__benchmem_##symbol, bm_hook_##symbol);
#define BM_HOOKED BM_FAMILY_OF
#include "allocators.inc"
#undef BM_FAMILY

void bm_interposed_free(void *memory)
{
    void *frame = __builtin_frame_address(0);
    struct bm_thread *thread;

    if (!memory)
        return;
    thread = bm_guard_enter(frame);
    if (__builtin_expect(!thread, 0)) {
        thread = bm_enter_slow(frame, false);
        if (!thread) {
            bm_next.free(memory);
            return;
        }
    }
    bm_record_free(thread, memory, (uintptr_t)frame + 2 * sizeof(void *));
    bm_next.free(memory);
    bm_guard_leave(thread);
}
BM_EXPORT_AS(BM_PUBLIC(free), bm_interposed_free);

void bm_entry_moved(struct bm_thread *thread, const struct bm_entry_move *move,
                    const struct bm_caller *caller, struct bm_use *use)
{
    if (!move->memory) {
        /* glibc frees the block when nothing is asked for; C23 leaves it
         * open, and others return a block then. */
        if (move->is_zero && move->known)
            bm_record_gone(thread, &move->block, move->old, caller->sp);
        else if (move->is_zero && move->old)
            bm_record_unknown(thread, caller->sp);
        else
            bm_record_failure(thread);
        if (!move->is_zero && move->known)
            bm_record_kept(thread, move->old, &move->block);
        return;
    }
    uint32_t key = bm_entry_attribute(thread, caller, use, BM_KIND_REALLOC);
    if (move->known) {
        bm_record_moved(thread, &move->block, move->old, move->memory,
                        move->size, key, caller->sp);
        return;
    }
    if (move->old)
        bm_record_unknown(thread, caller->sp);
    bm_record_alloc_slow(thread, move->memory, move->size, key, caller->sp);
}

#ifdef BM_STATIC
/* Volatile: clang runs simple constructors when it compiles them. */
volatile bool bm_entry_is_early = true;

__attribute__((constructor(101))) static void end_early_time(void)
{
    bm_entry_is_early = false;
}
#else
int bm_interposed_dlclose(void *handle)
{
    void *frame = __builtin_frame_address(0);
    int result;
    struct bm_thread *thread;

    if (!bm_next.dlclose)
        bm_next_find();
    result = bm_next.dlclose ? bm_next.dlclose(handle) : -1;
    thread = bm_guard_enter(frame);
    if (!thread)
        thread = bm_enter_slow(frame, false);
    if (thread) {
        bm_attribute_code_changed();
        bm_benchmarks_code_changed();
        bm_guard_leave(thread);
    }
    return result;
}
BM_EXPORT_AS(dlclose, bm_interposed_dlclose);
#endif
