/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "cfi_cursor.h"
#include "cfi_program.h"

#define MAX_EXPRESSION_STACK 16

struct evaluation {
    uintptr_t stack[MAX_EXPRESSION_STACK];
    unsigned depth;
    const struct bm_caller *frame;
    struct bm_readable *range;
};

static bool push(struct evaluation *e, uintptr_t value)
{
    if (e->depth == MAX_EXPRESSION_STACK)
        return false;
    e->stack[e->depth++] = value;
    return true;
}

static bool push_register(struct evaluation *e, unsigned reg, int64_t offset)
{
    switch (reg) {
    case BM_CFI_REG_FP:
        return push(e, e->frame->fp + (uintptr_t)offset);
    case BM_CFI_REG_SP:
        return push(e, e->frame->sp + (uintptr_t)offset);
    case BM_CFI_REG_RA:
        return push(e, e->frame->pc + (uintptr_t)offset);
    default:
        return false;
    }
}

static bool binary(struct evaluation *e, uint8_t op)
{
    if (e->depth < 2)
        return false;
    uintptr_t right = e->stack[--e->depth];
    uintptr_t *left = &e->stack[e->depth - 1];
    switch (op) {
    case 0x1a: /* and */
        *left &= right;
        return true;
    case 0x1c: /* minus */
        *left -= right;
        return true;
    case 0x22: /* plus */
        *left += right;
        return true;
    case 0x24: /* shl */
        *left = right < 64 ? *left << right : 0;
        return true;
    case 0x2a: /* ge */
        *left = (intptr_t)*left >= (intptr_t)right;
        return true;
    default:
        return false;
    }
}

/* DW_OP_* of DWARF 5, section 7.7: those that frame descriptions use. */
static bool evaluate_one(struct evaluation *e, struct cursor *c)
{
    uint8_t op = take_byte(c);
    if (op >= 0x30 && op <= 0x4f) /* lit0 .. lit31 */
        return push(e, op - 0x30u);
    if (op >= 0x70 && op <= 0x8f) /* breg0 .. breg31 */
        return push_register(e, op - 0x70u, take_sleb(c));
    switch (op) {
    case 0x06: /* deref */
        if (e->depth == 0 ||
            !bm_readable_check(e->range, e->stack[e->depth - 1]))
            return false;
        e->stack[e->depth - 1] = *(uintptr_t *)e->stack[e->depth - 1];
        return true;
    case 0x08: /* const1u */
        return push(e, take_byte(c));
    case 0x09: /* const1s */
        return push(e, (uintptr_t)(int8_t)take_byte(c));
    case 0x0a: /* const2u */
        return push(e, take(c, 2));
    case 0x0b: /* const2s */
        return push(e, (uintptr_t)(int16_t)take(c, 2));
    case 0x23: /* plus_uconst */
        if (e->depth == 0)
            return false;
        e->stack[e->depth - 1] += take_uleb(c);
        return true;
    default:
        return binary(e, op);
    }
}

bool bm_cfi_evaluate(const uint8_t *expr, const struct bm_caller *frame,
                     const uintptr_t *initial, struct bm_readable *range,
                     uintptr_t *result)
{
    struct evaluation e = {.frame = frame, .range = range};
    struct cursor c = {.at = expr, .end = expr + 10};
    uint64_t size = take_uleb(&c);
    c.end = c.at + size;
    if (initial)
        push(&e, *initial);
    while (c.at < c.end)
        if (!evaluate_one(&e, &c) || c.failed)
            return false;
    if (e.depth == 0)
        return false;
    *result = e.stack[e.depth - 1];
    return true;
}
