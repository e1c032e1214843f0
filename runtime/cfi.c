/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "cfi.h"

#include "cfi_program.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE ((uintptr_t)4096)

/* Longest distance between two frames that is believed: a large alloca. */
#define MAX_FRAME_SIZE ((uintptr_t)256 << 20)

/*
 * Whether a page can be read, without a handler or a descriptor: the kernel
 * copies the signal set before it looks at the invalid first argument, so an
 * unreadable page gives EFAULT and a readable one EINVAL.
 */
static bool page_is_readable(uintptr_t address)
{
    int saved = errno;
    long rc =
        syscall(SYS_rt_sigprocmask, ~0, address & ~(PAGE - 1), NULL, _NSIG / 8);
    bool readable = rc == 0 || errno != EFAULT;
    errno = saved;
    return readable;
}

/* Pages [from, to) one by one; false at the first that cannot be read. */
static bool pages_are_readable(uintptr_t from, uintptr_t to)
{
    for (uintptr_t page = from; page < to; page += PAGE)
        if (!page_is_readable(page))
            return false;
    return true;
}

__attribute__((noinline)) bool bm_readable_check_slow(struct bm_readable *range,
                                                      uintptr_t address)
{
    uintptr_t page = address & ~(PAGE - 1);
    if (address & 7)
        return false;
    if (range->low < range->high && page < range->low &&
        range->low - page <= MAX_FRAME_SIZE &&
        pages_are_readable(page, range->low)) {
        range->low = page;
        return true;
    }
    if (range->low < range->high && page >= range->high &&
        page - range->high <= MAX_FRAME_SIZE &&
        pages_are_readable(range->high, page + PAGE)) {
        range->high = page + PAGE;
        return true;
    }
    if (!page_is_readable(page))
        return false;
    range->low = page;
    range->high = page + PAGE;
    return true;
}

/* dlfo_eh_frame is .eh_frame_hdr; absent before glibc 2.35 and in musl. */
extern int _dl_find_object(void *, struct dl_find_object *)
    __attribute__((weak));

/* The search table of the module at an address; NULL if there is none. */
static const uint8_t *table_at(uintptr_t address)
{
    struct dl_find_object object;
    if (!_dl_find_object || _dl_find_object((void *)address, &object) != 0)
        return NULL;
    return object.dlfo_eh_frame;
}

static bool row_at(uintptr_t pc, struct bm_cfi_row *row)
{
    const uint8_t *table = table_at(pc - 1);
    return table && bm_cfi_find_row(table, pc, row);
}

bool bm_cfi_function(uintptr_t address, uintptr_t *start, uintptr_t *end)
{
    const uint8_t *table = table_at(address);
    return table && bm_cfi_find_bounds(table, address, start, end);
}

bool bm_cfi_same_module(uintptr_t a, uintptr_t b)
{
    const uint8_t *table = table_at(a);
    return table && table == table_at(b);
}

/* Whether a frame of fixed size is one, with what it says inside it. */
static bool is_within(const struct bm_cfi_rule *rule)
{
    int32_t size = rule->cfa_offset, fp = rule->fp_offset;

    if (size < 8 || size & 7 || (uintptr_t)size > MAX_FRAME_SIZE)
        return false;
    return fp == BM_CFI_FP_KEPT || (fp <= -16 && fp >= -size && !(fp & 7));
}

static struct bm_cfi_rule rule_of_row(const struct bm_cfi_row *row)
{
    struct bm_cfi_rule rule = {.kind = BM_CFI_EXPR};
    const struct bm_cfi_value *fp = &row->reg[BM_CFI_REG_FP];
    const struct bm_cfi_value *ra = &row->reg[BM_CFI_REG_RA];

    if (ra->how == BM_CFI_UNDEFINED)
        return (struct bm_cfi_rule){.kind = BM_CFI_BOTTOM};
    if (row->cfa_expr || row->signal_frame || ra->how != BM_CFI_OFFSET ||
        ra->offset != -8)
        return rule;
    if (fp->how == BM_CFI_OFFSET)
        rule.fp_offset = (int32_t)fp->offset;
    else if (fp->how == BM_CFI_SAME)
        rule.fp_offset = BM_CFI_FP_KEPT;
    else
        return rule;
    rule.cfa_offset = (int32_t)row->cfa_offset;
    if (row->cfa_reg == BM_CFI_REG_SP && is_within(&rule))
        rule.kind = BM_CFI_SP;
    else if (row->cfa_reg == BM_CFI_REG_FP)
        rule.kind = BM_CFI_FP;
    return rule;
}

struct bm_cfi_rule bm_cfi_rule(uintptr_t pc, uintptr_t *start)
{
    struct bm_cfi_row row = {0};
    bool known = row_at(pc, &row);
    *start = row.start;
    return known ? rule_of_row(&row) : (struct bm_cfi_rule){0};
}

static bool load(struct bm_readable *range, uintptr_t address, uintptr_t *value)
{
    if (!bm_readable_check(range, address))
        return false;
    *value = *(const uintptr_t *)address;
    return true;
}

/* The value that a row gives a register: false if it cannot be had. */
static bool row_value(const struct bm_cfi_value *value, uintptr_t cfa,
                      const struct bm_caller *frame, struct bm_readable *range,
                      uintptr_t *result, const uintptr_t **slot)
{
    uintptr_t address;
    *slot = NULL;
    switch (value->how) {
    case BM_CFI_SAME:
        return true;
    case BM_CFI_OFFSET:
        address = cfa + (uintptr_t)value->offset;
        break;
    case BM_CFI_EXPRESSION:
        if (!bm_cfi_evaluate(value->expr, frame, &cfa, range, &address))
            return false;
        break;
    default:
        return false;
    }
    *slot = (const uintptr_t *)address;
    return load(range, address, result);
}

/* Frames with expressions: signal frames, realigned stacks. */
static bool step_by_expression(struct bm_readable *range,
                               struct bm_caller *frame,
                               const uintptr_t **fp_slot)
{
    struct bm_cfi_row row;
    struct bm_caller outer = *frame;
    const uintptr_t *slot;
    uintptr_t cfa;

    if (!row_at(frame->pc, &row))
        return false;
    if (row.cfa_expr) {
        if (!bm_cfi_evaluate(row.cfa_expr, frame, NULL, range, &cfa))
            return false;
    } else if (row.cfa_reg == BM_CFI_REG_SP) {
        cfa = frame->sp + (uintptr_t)row.cfa_offset;
    } else if (row.cfa_reg == BM_CFI_REG_FP) {
        cfa = frame->fp + (uintptr_t)row.cfa_offset;
    } else {
        return false;
    }
    if (!row_value(&row.reg[BM_CFI_REG_RA], cfa, frame, range, &outer.pc,
                   &slot) ||
        !row_value(&row.reg[BM_CFI_REG_FP], cfa, frame, range, &outer.fp,
                   fp_slot))
        return false;
    outer.sp = cfa;
    /* An interrupted instruction is no call: look at it, not before it. */
    if (row.signal_frame)
        outer.pc++;
    *frame = outer;
    return outer.pc > 1;
}

bool bm_cfi_step(const struct bm_cfi_rule *rule, struct bm_readable *range,
                 struct bm_caller *frame, const uintptr_t **fp_slot)
{
    uintptr_t cfa, pc, fp = frame->fp;
    *fp_slot = NULL;
    if (rule->kind == BM_CFI_SP)
        cfa = frame->sp + (uintptr_t)(intptr_t)rule->cfa_offset;
    else if (rule->kind == BM_CFI_FP)
        cfa = frame->fp + (uintptr_t)(intptr_t)rule->cfa_offset;
    else
        return rule->kind == BM_CFI_EXPR &&
               step_by_expression(range, frame, fp_slot);

    if (cfa <= frame->sp || cfa - frame->sp > MAX_FRAME_SIZE ||
        !load(range, cfa - 8, &pc) || pc == 0)
        return false;
    if (rule->fp_offset != BM_CFI_FP_KEPT) {
        uintptr_t slot = cfa + (uintptr_t)(intptr_t)rule->fp_offset;
        if (!load(range, slot, &fp))
            return false;
        *fp_slot = (const uintptr_t *)slot;
    }
    frame->pc = pc;
    frame->sp = cfa;
    frame->fp = fp;
    return true;
}
