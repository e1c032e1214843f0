/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Call frame information as it stands in an object: the search table, the
 * entries and their small programs. Only what cfi.c needs of it: the stack
 * pointer, the frame pointer and the return address of x86-64.
 *
 * Reads the module's own read-only tables, whose lengths it checks, and
 * touches nothing else.
 */
#ifndef BENCHMEM_RUNTIME_CFI_PROGRAM_H
#define BENCHMEM_RUNTIME_CFI_PROGRAM_H

#include "attribute.h"
#include "cfi.h"

#include <stdbool.h>
#include <stdint.h>

/* DWARF register numbers, System V ABI for AMD64, figure 3.36. */
enum {
    BM_CFI_REG_FP = 6,
    BM_CFI_REG_SP = 7,
    BM_CFI_REG_RA = 16,
    BM_CFI_NR_REGS = 17,
};

enum bm_cfi_how {
    BM_CFI_SAME,
    BM_CFI_OFFSET,     /* saved at frame address + offset */
    BM_CFI_EXPRESSION, /* saved where the expression says */
    BM_CFI_UNDEFINED,
    BM_CFI_UNKNOWN, /* a way that is not needed by any known code */
};

struct bm_cfi_value {
    uint8_t how; /* enum bm_cfi_how */
    union {
        int64_t offset;
        const uint8_t *expr; /* length as ULEB128, then the operations */
    };
};

/* The registers at one address. */
struct bm_cfi_row {
    uintptr_t start; /* of the code that has it */
    uint32_t cfa_reg;
    int64_t cfa_offset;
    const uint8_t *cfa_expr; /* NULL: register and offset */
    bool signal_frame;
    struct bm_cfi_value reg[BM_CFI_NR_REGS];
};

/* Where the code that an address lies in starts, and what is behind it. */
bool bm_cfi_find_bounds(const uint8_t *eh_frame_hdr, uintptr_t address,
                        uintptr_t *start, uintptr_t *end);

/*
 * The row for return address pc by the .eh_frame_hdr given. Where there is
 * none, its start is known all the same or as it was.
 */
bool bm_cfi_find_row(const uint8_t *eh_frame_hdr, uintptr_t pc,
                     struct bm_cfi_row *row);

/*
 * Evaluates an expression over frame's registers, with *initial on the stack
 * if it is not NULL. False for operations that no frame description uses.
 */
bool bm_cfi_evaluate(const uint8_t *expr, const struct bm_caller *frame,
                     const uintptr_t *initial, struct bm_readable *range,
                     uintptr_t *result);

#endif
