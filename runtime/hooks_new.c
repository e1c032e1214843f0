/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Hooks of operator new: they only name the site of what it asks malloc for.
 * Where it is sure to ask for the size and nothing more, they ask malloc
 * themselves; should there be no memory, the operator does what it does then.
 *
 * Apart from the other hooks, since it refers to the C++ library: the linker
 * takes it out of the archive for C++ programs only. In the shared recorder,
 * which must load into C programs too, the references are weak.
 */
#include "entry.h"
#include "operators.h"

#ifdef BM_SHARED
#define REAL __attribute__((weak))
#else
#define REAL
#endif

#define PARAMETERS_P_S size_t size
#define PARAMETERS_P_SS size_t size, size_t alignment
#define PARAMETERS_P_SR size_t size, const void *nothrow
#define PARAMETERS_P_SSR size_t size, size_t alignment, const void *nothrow
#define ARGUMENTS_P_S size
#define ARGUMENTS_P_SS size, alignment
#define ARGUMENTS_P_SR size, nothrow
#define ARGUMENTS_P_SSR size, alignment, nothrow

/* The general half of a hook: an outer call, see outer.h. */
#define NEW_OUTER(symbol, kind, signature)                                     \
    extern REAL void *symbol(PARAMETERS_##signature);                          \
    __attribute__((visibility("default"))) void *__benchmem_##symbol(          \
        PARAMETERS_##signature, struct bm_use *use, struct bm_stamp *stamp);   \
    static __attribute__((noinline)) void *outer##symbol(                      \
        PARAMETERS_##signature, struct bm_use *use, struct bm_stamp *stamp)    \
    {                                                                          \
        struct bm_outer_scope scope __attribute__((cleanup(bm_outer_end)));    \
        struct bm_caller caller;                                               \
                                                                               \
        BM_CALLER_HERE(&caller);                                               \
        caller.stamp = stamp;                                                  \
        bm_outer_begin(&scope, &caller, use, BM_KIND_##kind);                  \
        void *memory = symbol(ARGUMENTS_##signature);                          \
        bm_outer_made(&scope, memory, size ? size : 1);                        \
        return memory;                                                         \
    }

#define NEW_HOOK(symbol, kind, signature)                                      \
    NEW_OUTER(symbol, kind, signature)                                         \
    void *__benchmem_##symbol(PARAMETERS_##signature, struct bm_use *use,      \
                              struct bm_stamp *stamp)                          \
    {                                                                          \
        return bm_guard_is_off()                                               \
                   ? symbol(ARGUMENTS_##signature)                             \
                   : outer##symbol(ARGUMENTS_##signature, use, stamp);         \
    }

/* What is known of an operator; all threads find out the same. */
enum { UNKNOWN, IS_MALLOC, IS_OTHER };

static __attribute__((noinline, cold)) int find_out(enum bm_operator which,
                                                    void (*function)(void))
{
    return bm_operator_is_malloc && bm_operator_is_malloc(which, function)
               ? IS_MALLOC
               : IS_OTHER;
}

/* After malloc; without memory the operator is asked after all. */
#define MADE(symbol, kind, way)                                                \
    thread = bm_guard_taken();                                                 \
    if (__builtin_expect(memory != NULL, 1))                                   \
        BM_MADE_##way(memory, size, BM_KIND_##kind);                           \
    bm_guard_leave(thread);                                                    \
    return __builtin_expect(memory != NULL, 1)                                 \
               ? memory                                                        \
               : outer##symbol(size, told.use, NULL)

/* A hook in parts, as in entry.h; `known` needs no order: it stands alone. */
#define NEW_HOOK_P_S(symbol, kind)                                             \
    NEW_OUTER(symbol, kind, P_S)                                               \
    static _Atomic int known##symbol;                                          \
    static __attribute__((noinline)) void *rest##symbol(                       \
        size_t size, struct bm_told told, struct bm_thread *thread)            \
    {                                                                          \
        if (!told.use)                                                         \
            __builtin_unreachable();                                           \
        void *memory = bm_next.malloc(size);                                   \
        MADE(symbol, kind, FOUND);                                             \
    }                                                                          \
    static __attribute__((noinline)) void *body##symbol(                       \
        size_t size, struct bm_told told, struct bm_thread *thread)            \
    {                                                                          \
        struct bm_node *node;                                                  \
                                                                               \
        size += size == 0;                                                     \
        bm_guard_take(thread);                                                 \
        node = bm_entry_node_told(thread, told);                               \
        if (!node)                                                             \
            return rest##symbol(size, told, thread);                           \
        void *memory = bm_next.malloc(size);                                   \
        MADE(symbol, kind, KNOWN);                                             \
    }                                                                          \
    static __attribute__((noinline)) void *begin##symbol(                      \
        size_t size, struct bm_use *use, struct bm_stamp *stamp)               \
    {                                                                          \
        if (atomic_load_explicit(&known##symbol, memory_order_relaxed) ==      \
            UNKNOWN)                                                           \
            atomic_store_explicit(                                             \
                &known##symbol,                                                \
                find_out(BM_OPERATOR##symbol, (void (*)(void))symbol),         \
                memory_order_relaxed);                                         \
        return outer##symbol(size, use, stamp);                                \
    }                                                                          \
    void *__benchmem_##symbol(size_t size, struct bm_use *use,                 \
                              struct bm_stamp *stamp)                          \
    {                                                                          \
        struct bm_thread *thread = bm_guard_ready();                           \
                                                                               \
        if (__builtin_expect(thread && atomic_load_explicit(                   \
                                           &known##symbol,                     \
                                           memory_order_relaxed) == IS_MALLOC, \
                             1))                                               \
            return body##symbol(size, (struct bm_told){use, stamp}, thread);   \
        return bm_guard_is_off() ? symbol(size)                                \
                                 : begin##symbol(size, use, stamp);            \
    }

#define NEW_HOOK_P_SS(symbol, kind) NEW_HOOK(symbol, kind, P_SS)
#define NEW_HOOK_P_SR(symbol, kind) NEW_HOOK(symbol, kind, P_SR)
#define NEW_HOOK_P_SSR(symbol, kind) NEW_HOOK(symbol, kind, P_SSR)

#define HOOK_MALLOC(symbol, signature)
#define HOOK_CALLOC(symbol, signature)
#define HOOK_REALLOC(symbol, signature)
#define HOOK_ALIGNED(symbol, signature)
#define HOOK_STRING(symbol, signature)
#define HOOK_NEW(symbol, signature) NEW_HOOK_##signature(symbol, NEW)
#define HOOK_NEW_ARRAY(symbol, signature)                                      \
    NEW_HOOK_##signature(symbol, NEW_ARRAY)
#define BM_HOOKED(symbol, kind, signature) HOOK_##kind(symbol, signature)
#include "allocators.inc"
