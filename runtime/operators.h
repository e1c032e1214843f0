/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * operator new and delete of allocators that have their own (jemalloc,
 * tcmalloc, mimalloc): what they hand out never passes through malloc, so
 * they are interposed too. Where the C++ library's are next, these only jump
 * on to them, and what those ask malloc for is counted there.
 *
 * An archive of their own, libbenchmem_rt_new.a, which the driver puts before
 * libbenchmem_rt.a where it links C++ dynamically, with
 *   -Wl,--undefined=benchmem_operators_v1
 * but not with -static-libstdc++, whose operators would then be left out of
 * the link for these, nor in a static program.
 */
#ifndef BENCHMEM_RUNTIME_OPERATORS_H
#define BENCHMEM_RUNTIME_OPERATORS_H

#include <stdbool.h>

/*
 * BM_OPERATORS(ON_NEW, ON_DELETE):
 *   ON_NEW(symbol, KIND, SIGNATURE)  as in allocators.inc
 *   ON_DELETE(symbol, SIGNATURE)     void (void *), then a size (S), an
 *                                 alignment (A), a const nothrow_t & (R)
 */
#define BM_OPERATORS(ON_NEW, ON_DELETE)                                        \
    ON_NEW(_Znwm, NEW, P_S)                                                    \
    ON_NEW(_Znam, NEW_ARRAY, P_S)                                              \
    ON_NEW(_ZnwmRKSt9nothrow_t, NEW, P_SR)                                     \
    ON_NEW(_ZnamRKSt9nothrow_t, NEW_ARRAY, P_SR)                               \
    ON_NEW(_ZnwmSt11align_val_t, NEW, P_SS)                                    \
    ON_NEW(_ZnamSt11align_val_t, NEW_ARRAY, P_SS)                              \
    ON_NEW(_ZnwmSt11align_val_tRKSt9nothrow_t, NEW, P_SSR)                     \
    ON_NEW(_ZnamSt11align_val_tRKSt9nothrow_t, NEW_ARRAY, P_SSR)               \
    ON_DELETE(_ZdlPv, V)                                                       \
    ON_DELETE(_ZdaPv, V)                                                       \
    ON_DELETE(_ZdlPvm, V_S)                                                    \
    ON_DELETE(_ZdaPvm, V_S)                                                    \
    ON_DELETE(_ZdlPvRKSt9nothrow_t, V_R)                                       \
    ON_DELETE(_ZdaPvRKSt9nothrow_t, V_R)                                       \
    ON_DELETE(_ZdlPvSt11align_val_t, V_A)                                      \
    ON_DELETE(_ZdaPvSt11align_val_t, V_A)                                      \
    ON_DELETE(_ZdlPvmSt11align_val_t, V_SA)                                    \
    ON_DELETE(_ZdaPvmSt11align_val_t, V_SA)                                    \
    ON_DELETE(_ZdlPvSt11align_val_tRKSt9nothrow_t, V_AR)                       \
    ON_DELETE(_ZdaPvSt11align_val_tRKSt9nothrow_t, V_AR)

enum bm_operator {
#define BM_OPERATOR_NEW(symbol, kind, signature) BM_OPERATOR##symbol,
#define BM_OPERATOR_DELETE(symbol, signature) BM_OPERATOR##symbol,
    BM_OPERATORS(BM_OPERATOR_NEW, BM_OPERATOR_DELETE)
#undef BM_OPERATOR_NEW
#undef BM_OPERATOR_DELETE
        BM_NR_OPERATORS
};

/* A copy's own functions, by which they are told from others'. */
struct bm_operators {
    void (*functions[BM_NR_OPERATORS])(void);
};

/* Absent where the driver did not ask for them. */
extern const struct bm_operators bm_interposed_operators
    __attribute__((weak, visibility("hidden")));

/*
 * Whether calling `function`, an operator new of a size alone, is nothing but
 * calling this copy's malloc for it, unless there is no memory: no program's
 * own operator stands before the GNU C++ library's. Absent with the above.
 */
bool bm_operator_is_malloc(enum bm_operator which, void (*function)(void))
    __attribute__((weak, visibility("hidden")));

#endif
