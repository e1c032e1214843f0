/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "own.h"

#include "next.h"

/*
 * Hidden where they are defined, but not here: what gold makes of a hidden
 * symbol that there is not is no null.
 */
#define BM_FAMILY(symbol, kind, signature) OWN(symbol)
#define OWN(symbol)                                                            \
    extern __typeof(*bm_next.symbol) __benchmem_body_##symbol                  \
        __attribute__((weak, visibility("default")));
#include "entry.h"
#define BM_HOOKED BM_FAMILY_OF
#include "allocators.inc"
OWN(free)
#undef OWN

void bm_own_take(void)
{
#define OWN(symbol)                                                            \
    if (__benchmem_body_##symbol)                                              \
        bm_next.symbol = __benchmem_body_##symbol;
#define BM_HOOKED BM_FAMILY_OF
#include "allocators.inc"
    OWN(free)
#undef OWN
}

bool bm_own_has_malloc(void)
{
    return __benchmem_body_malloc != NULL;
}
