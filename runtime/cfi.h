/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How to leave a function at one of its return addresses, from the call frame
 * information (.eh_frame) that every x86-64 object carries for exceptions.
 *
 * bm_cfi_rule finds and interprets it, which is slow and needed once for each
 * address; bm_cfi_step applies a rule. Neither allocates, locks or calls the
 * dynamic linker: the tables are found with _dl_find_object, which glibc
 * made for unwinding in signal handlers. Safe on any thread.
 *
 * Formats: the Linux Standard Base's description of .eh_frame and
 * .eh_frame_hdr, DWARF 5 section 6.4.
 */
#ifndef BENCHMEM_RUNTIME_CFI_H
#define BENCHMEM_RUNTIME_CFI_H

#include "attribute.h"

#include <stdbool.h>
#include <stdint.h>

enum bm_cfi_kind {
    BM_CFI_END,    /* nothing is known */
    BM_CFI_BOTTOM, /* the outermost frame: its function has no caller */
    BM_CFI_SP,     /* frame address = stack pointer + offset; see below */
    BM_CFI_FP,     /* frame address = frame pointer + offset */
    BM_CFI_EXPR,   /* interpreted anew at each step */
};

/*
 * Of BM_CFI_SP frames, cfa_offset is a multiple of 8 from 8 on, and the frame
 * pointer is saved, if at all, on 8 bytes between the stack pointer and the
 * return address: a step needs no check but that of the memory.
 */
#define BM_CFI_FP_KEPT INT32_MIN /* the function left the register alone */

struct bm_cfi_rule {
    int32_t cfa_offset;
    int32_t fp_offset; /* where it is saved, from the frame address */
    uint8_t kind;      /* enum bm_cfi_kind */
};

/* Memory of a stack that was found readable: [low, high). */
struct bm_readable {
    uintptr_t low, high;
};

/* True if the 8 bytes at address can be read; extends the range. */
bool bm_readable_check_slow(struct bm_readable *range, uintptr_t address);

static inline bool bm_readable_check(struct bm_readable *range,
                                     uintptr_t address)
{
    if (address >= range->low && address < range->high && !(address & 7))
        return true;
    return bm_readable_check_slow(range, address);
}

/* Bounds of the function that an address lies in; false if it has no entry. */
bool bm_cfi_function(uintptr_t address, uintptr_t *start, uintptr_t *end);

/* Whether two addresses lie in one executable or library with such tables. */
bool bm_cfi_same_module(uintptr_t a, uintptr_t b);

/* The rule at a return address; *start is its function's, 0: not known. */
struct bm_cfi_rule bm_cfi_rule(uintptr_t pc, uintptr_t *start);

/*
 * Goes from one frame to its caller's: *frame is replaced and *fp_slot is
 * where its fp was loaded from (NULL if it is the inner frame's). False at
 * the outermost frame, or where the stack does not fit the rule.
 */
bool bm_cfi_step(const struct bm_cfi_rule *rule, struct bm_readable *range,
                 struct bm_caller *frame, const uintptr_t **fp_slot);

#endif
