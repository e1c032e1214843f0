/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Hooks of operator new: they only name the site of what it asks malloc for.
 *
 * Apart from the other hooks, since it refers to the C++ library: the linker
 * takes it out of the archive for C++ programs only. In the shared recorder,
 * which must load into C programs too, the references are weak.
 */
#include "entry.h"

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

#define NEW_HOOK(symbol, kind, signature)                                      \
    extern REAL void *symbol(PARAMETERS_##signature);                          \
    __attribute__((visibility("default"))) void *__benchmem_##symbol(          \
        PARAMETERS_##signature, struct bm_use *use);                           \
    static __attribute__((noinline)) void *outer##symbol(                      \
        PARAMETERS_##signature, struct bm_use *use)                            \
    {                                                                          \
        struct bm_outer_scope scope __attribute__((cleanup(bm_outer_end)));    \
        struct bm_caller caller;                                               \
                                                                               \
        BM_CALLER_HERE(&caller);                                               \
        bm_outer_begin(&scope, &caller, use, BM_KIND_##kind);                  \
        void *memory = symbol(ARGUMENTS_##signature);                          \
        bm_outer_made(&scope, memory, size ? size : 1);                        \
        return memory;                                                         \
    }                                                                          \
    void *__benchmem_##symbol(PARAMETERS_##signature, struct bm_use *use)      \
    {                                                                          \
        return bm_guard_is_off() ? symbol(ARGUMENTS_##signature)               \
                                 : outer##symbol(ARGUMENTS_##signature, use);  \
    }

#define HOOK_MALLOC(symbol, signature)
#define HOOK_CALLOC(symbol, signature)
#define HOOK_REALLOC(symbol, signature)
#define HOOK_ALIGNED(symbol, signature)
#define HOOK_STRING(symbol, signature)
#define HOOK_NEW(symbol, signature) NEW_HOOK(symbol, NEW, signature)
#define HOOK_NEW_ARRAY(symbol, signature) NEW_HOOK(symbol, NEW_ARRAY, signature)
#define BM_HOOKED(symbol, kind, signature) HOOK_##kind(symbol, signature)
#include "allocators.inc"
