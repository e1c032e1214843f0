/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The return addresses of instrumented code: which call of the source a
 * return address belongs to. One slot for each executable or library with
 * tables; a slot holds the bounds, so that a module's memory is only read
 * when an address lies in it.
 *
 * Look-ups are safe on any thread at any time. Adding and removing come from
 * constructors and destructors, which the dynamic linker serializes.
 */
#ifndef BENCHMEM_RUNTIME_CALLS_H
#define BENCHMEM_RUNTIME_CALLS_H

#include "abi.h"
#include "attribute.h"

#include <stdbool.h>
#include <stdint.h>

/* False if there are too many modules; its frames are then foreign. */
bool bm_calls_add(const struct bm_image *image);
void bm_calls_remove(const struct bm_image *image);

/* Whether pc lies in a module with code of the linker, which no table has. */
bool bm_calls_is_linked(uintptr_t pc);

/* The call that returns to pc, or NULL. */
const struct bm_call *bm_calls_find(uintptr_t pc);

/*
 * The calls and jumps whose ends lie in (low, high], their number in *nr;
 * NULL if there are none, or they are in no order.
 */
const struct bm_call *bm_calls_in(uintptr_t low, uintptr_t high, size_t *nr);

/* The address behind a call or jump of the table. */
uintptr_t bm_calls_end(const struct bm_call *call);

/* Whether instrumented code lies in [low, high). */
bool bm_calls_within(uintptr_t low, uintptr_t high);

/* Follows a self-relative reference. NULL for 0. */
static inline const void *bm_abi_at(const int32_t *reference)
{
    return *reference ? (const char *)reference + *reference : NULL;
}

#endif
