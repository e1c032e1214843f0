/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Hooks of strdup and its kin: they only name the site of what it asks malloc
 * for. Nothing is thrown through them, so that no unwinder is needed.
 */
#include "entry.h"

#include <string.h>
#include <wchar.h>

#define PARAMETERS_P_C const char *text
#define PARAMETERS_P_CS const char *text, size_t size
#define ARGUMENTS_P_C text
#define ARGUMENTS_P_CS text, size

/* What each must have asked malloc for. */
#define SIZE_strdup(made) (strlen(made) + 1)
#define SIZE___strdup SIZE_strdup
#define SIZE_strndup SIZE_strdup
#define SIZE___strndup SIZE_strdup
#define SIZE_wcsdup(made)                                                      \
    ((wcslen((const wchar_t *)(const void *)(made)) + 1) * sizeof(wchar_t))

/* The same functions under names that every libc has. */
#define NAME_strdup "strdup"
#define NAME___strdup "strdup"
#define NAME_strndup "strndup"
#define NAME___strndup "strndup"
#define NAME_wcsdup "wcsdup"

/*
 * Declared under another name: <string.h> has the real types. Not weak: in a
 * static program nothing else may take the function out of libc.a.
 */
#define STRING_HOOK(symbol, signature)                                         \
    extern char *real_##symbol(PARAMETERS_##signature) __asm__(NAME_##symbol); \
    __attribute__((visibility("default"))) char *__benchmem_##symbol(          \
        PARAMETERS_##signature, struct bm_use *use, struct bm_stamp *stamp);   \
    static __attribute__((noinline)) char *outer_##symbol(                     \
        PARAMETERS_##signature, struct bm_use *use, struct bm_stamp *stamp)    \
    {                                                                          \
        struct bm_outer_scope scope;                                           \
        struct bm_caller caller;                                               \
                                                                               \
        BM_CALLER_HERE(&caller);                                               \
        caller.stamp = stamp;                                                  \
        bm_outer_begin(&scope, &caller, use, BM_KIND_STRING);                  \
        char *made = real_##symbol(ARGUMENTS_##signature);                     \
        bm_outer_made(&scope, made, made ? SIZE_##symbol(made) : 0);           \
        bm_outer_end(&scope);                                                  \
        return made;                                                           \
    }                                                                          \
    char *__benchmem_##symbol(PARAMETERS_##signature, struct bm_use *use,      \
                              struct bm_stamp *stamp)                          \
    {                                                                          \
        return bm_guard_is_off()                                               \
                   ? real_##symbol(ARGUMENTS_##signature)                      \
                   : outer_##symbol(ARGUMENTS_##signature, use, stamp);        \
    }

#define HOOK_MALLOC(symbol, signature)
#define HOOK_CALLOC(symbol, signature)
#define HOOK_REALLOC(symbol, signature)
#define HOOK_ALIGNED(symbol, signature)
#define HOOK_NEW(symbol, signature)
#define HOOK_NEW_ARRAY(symbol, signature)
#define HOOK_STRING STRING_HOOK
#define BM_HOOKED(symbol, kind, signature) HOOK_##kind(symbol, signature)
#include "allocators.inc"
