/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "cfi_program.h"

#include "cfi_cursor.h"


/* Pointer encodings, Linux Standard Base 5.0, section 10.5.1. */
enum {
    PE_ABSPTR = 0x00,
    PE_UDATA4 = 0x03,
    PE_SDATA4 = 0x0b,
    PE_SDATA8 = 0x0c,
    PE_PCREL = 0x10,
    PE_TABLE = 0x3b, /* data-relative, sdata4: what every linker writes */
    PE_OMIT = 0xff,
};

/* An address in the encoding given; fails on those that nobody emits. */
static uintptr_t take_encoded(struct cursor *c, uint8_t encoding)
{
    uintptr_t here = (uintptr_t)c->at;
    uintptr_t value;
    switch (encoding & 0x0f) {
    case PE_ABSPTR:
    case PE_SDATA8:
        value = take(c, 8);
        break;
    case PE_UDATA4:
        value = take(c, 4);
        break;
    case PE_SDATA4:
        value = (uintptr_t)(int64_t)(int32_t)take(c, 4);
        break;
    default:
        c->failed = true;
        return 0;
    }
    return (encoding & 0x70) == PE_PCREL ? here + value : value;
}

/* What a CIE says for its FDEs. */
struct common {
    uint64_t code_align;
    int64_t data_align;
    uint8_t fde_encoding;
    bool signal_frame;
    bool has_augmentation;
    struct cursor program;
};

/* A length-prefixed entry; at is left behind the length. */
static struct cursor entry_at(const uint8_t *at)
{
    uint32_t length;
    struct cursor c;
    memcpy(&length, at, sizeof(length));
    c.at = at + 4;
    c.failed = length == 0 || length >= 0xfffffff0;
    c.end = c.failed ? c.at : c.at + length;
    return c;
}

static void read_augmentation(struct cursor *c, const char *letters,
                              struct common *common)
{
    uint64_t size = take_uleb(c);
    const uint8_t *end = c->at + size;
    if (c->failed || size > (size_t)(c->end - c->at)) {
        c->failed = true;
        return;
    }
    for (; *letters && !c->failed; letters++) {
        if (*letters == 'R') {
            common->fde_encoding = take_byte(c);
        } else if (*letters == 'P') {
            uint8_t encoding = take_byte(c);
            take_encoded(c, encoding);
        } else if (*letters == 'L') {
            take_byte(c);
        } else if (*letters == 'S') {
            common->signal_frame = true;
        } else {
            break;
        }
    }
    c->at = end;
}

static bool read_cie(const uint8_t *at, struct common *common)
{
    struct cursor c = entry_at(at);
    *common = (struct common){0};
    if (take(&c, 4) != 0)
        return false;
    uint8_t version = take_byte(&c);
    const char *augmentation = (const char *)c.at;
    while (take_byte(&c) && !c.failed)
        continue;
    common->code_align = take_uleb(&c);
    common->data_align = take_sleb(&c);
    if (version == 1)
        take_byte(&c);
    else
        take_uleb(&c);
    if (!c.failed && augmentation[0] == 'z') {
        common->has_augmentation = true;
        read_augmentation(&c, augmentation + 1, common);
    }
    common->program = c;
    return !c.failed;
}

/* The search table: pairs of function start and FDE, relative to the header. */
static const uint8_t *find_fde(const uint8_t *header, uintptr_t pc)
{
    struct cursor c = {.at = header + 4, .end = header + 4 + 16};
    if (header[0] != 1 || header[2] == PE_OMIT || header[3] != PE_TABLE)
        return NULL;
    take_encoded(&c, header[1]);
    uint64_t count = take_encoded(&c, header[2]);
    if (c.failed || count == 0)
        return NULL;

    const int32_t *table = (const int32_t *)c.at;
    int64_t want = (int64_t)(pc - (uintptr_t)header);
    size_t low = 0, high = count;
    if (want < table[0])
        return NULL;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (table[2 * middle] <= want)
            low = middle;
        else
            high = middle;
    }
    return header + table[2 * low + 1];
}

#define MAX_REMEMBERED 8

/* A run of one FDE's program up to an address. */
struct run {
    struct cursor program;
    const struct common *common;
    uintptr_t location, target;
    struct bm_cfi_row row, initial;
    struct bm_cfi_row remembered[MAX_REMEMBERED];
    unsigned nr_remembered;
};

static void set_reg(struct run *run, uint64_t reg, enum bm_cfi_how how,
                    int64_t offset)
{
    if (reg >= BM_CFI_NR_REGS)
        return;
    run->row.reg[reg].how = (uint8_t)how;
    run->row.reg[reg].offset = offset;
}

static const uint8_t *take_block(struct cursor *c)
{
    const uint8_t *block = c->at;
    uint64_t size = take_uleb(c);
    if (size > (uint64_t)(c->end - c->at))
        c->failed = true;
    else
        c->at += size;
    return block;
}

static void restore_reg(struct run *run, uint64_t reg)
{
    if (reg < BM_CFI_NR_REGS)
        run->row.reg[reg] = run->initial.reg[reg];
}

static void advance(struct run *run, uint64_t delta)
{
    run->location += delta * run->common->code_align;
}

/* DW_CFA_* of DWARF 5, section 7.24: those that define the frame address. */
static bool run_cfa(struct run *run, uint8_t op)
{
    struct cursor *c = &run->program;
    struct bm_cfi_row *row = &run->row;
    switch (op) {
    case 0x0c: /* def_cfa */
        row->cfa_reg = (uint32_t)take_uleb(c);
        row->cfa_offset = (int64_t)take_uleb(c);
        row->cfa_expr = NULL;
        return true;
    case 0x0d: /* def_cfa_register */
        row->cfa_reg = (uint32_t)take_uleb(c);
        row->cfa_expr = NULL;
        return true;
    case 0x0e: /* def_cfa_offset */
        row->cfa_offset = (int64_t)take_uleb(c);
        return true;
    case 0x0f: /* def_cfa_expression */
        row->cfa_expr = take_block(c);
        return true;
    case 0x12: /* def_cfa_sf */
        row->cfa_reg = (uint32_t)take_uleb(c);
        row->cfa_offset = take_sleb(c) * run->common->data_align;
        row->cfa_expr = NULL;
        return true;
    case 0x13: /* def_cfa_offset_sf */
        row->cfa_offset = take_sleb(c) * run->common->data_align;
        return true;
    default:
        return false;
    }
}

/* ... those that say where a register is saved. */
static bool run_register(struct run *run, uint8_t op)
{
    struct cursor *c = &run->program;
    uint64_t reg;
    switch (op) {
    case 0x05: /* offset_extended */
        reg = take_uleb(c);
        set_reg(run, reg, BM_CFI_OFFSET,
                (int64_t)take_uleb(c) * run->common->data_align);
        return true;
    case 0x11: /* offset_extended_sf */
        reg = take_uleb(c);
        set_reg(run, reg, BM_CFI_OFFSET,
                take_sleb(c) * run->common->data_align);
        return true;
    case 0x06: /* restore_extended */
        restore_reg(run, take_uleb(c));
        return true;
    case 0x07: /* undefined */
        set_reg(run, take_uleb(c), BM_CFI_UNDEFINED, 0);
        return true;
    case 0x08: /* same_value */
        set_reg(run, take_uleb(c), BM_CFI_SAME, 0);
        return true;
    case 0x10: /* expression */
        reg = take_uleb(c);
        if (reg < BM_CFI_NR_REGS) {
            run->row.reg[reg].how = BM_CFI_EXPRESSION;
            run->row.reg[reg].expr = c->at;
        }
        take_block(c);
        return true;
    case 0x09: /* register */
    case 0x14: /* val_offset */
    case 0x15: /* val_offset_sf */
        set_reg(run, take_uleb(c), BM_CFI_UNKNOWN, 0);
        take_uleb(c);
        return true;
    case 0x16: /* val_expression */
        set_reg(run, take_uleb(c), BM_CFI_UNKNOWN, 0);
        take_block(c);
        return true;
    default:
        return false;
    }
}

/* ... and those that move on, remember, or mean nothing here. */
static bool run_other(struct run *run, uint8_t op)
{
    struct cursor *c = &run->program;
    switch (op) {
    case 0x00: /* nop */
        return true;
    case 0x01: /* set_loc */
        run->location = take_encoded(c, run->common->fde_encoding);
        return true;
    case 0x02: /* advance_loc1 */
    case 0x03: /* advance_loc2 */
    case 0x04: /* advance_loc4 */
        advance(run, take(c, (size_t)1 << (op - 2)));
        return true;
    case 0x0a: /* remember_state */
        if (run->nr_remembered == MAX_REMEMBERED)
            return false;
        run->remembered[run->nr_remembered++] = run->row;
        return true;
    case 0x0b: /* restore_state */
        if (run->nr_remembered == 0)
            return false;
        run->row = run->remembered[--run->nr_remembered];
        return true;
    case 0x2e: /* GNU_args_size */
        take_uleb(c);
        return true;
    default:
        return false;
    }
}

static bool run_one(struct run *run)
{
    uint8_t op = take_byte(&run->program);
    uint8_t low = op & 0x3f;
    switch (op >> 6) {
    case 1: /* advance_loc */
        advance(run, low);
        return true;
    case 2: /* offset */
        set_reg(run, low, BM_CFI_OFFSET,
                (int64_t)take_uleb(&run->program) * run->common->data_align);
        return true;
    case 3: /* restore */
        restore_reg(run, low);
        return true;
    default:
        return run_cfa(run, op) || run_register(run, op) || run_other(run, op);
    }
}

/* Runs a program as long as it speaks of addresses up to the target. */
static bool run_program(struct run *run, struct cursor program)
{
    run->program = program;
    while (run->program.at < run->program.end) {
        struct bm_cfi_row before = run->row;
        if (!run_one(run) || run->program.failed)
            return false;
        if (run->location > run->target) {
            run->row = before;
            return true;
        }
    }
    return true;
}

/* The entry of the code at an address: its bounds, and its program. */
struct entry {
    struct common common;
    uintptr_t start, size;
    struct cursor program;
};

static bool find_entry(const uint8_t *eh_frame_hdr, uintptr_t address,
                       struct entry *entry)
{
    struct common *common = &entry->common;
    const uint8_t *fde = find_fde(eh_frame_hdr, address);
    if (!fde)
        return false;

    struct cursor c = entry_at(fde);
    const uint8_t *cie_field = c.at;
    uint32_t cie_distance = (uint32_t)take(&c, 4);
    if (c.failed || cie_distance == 0 ||
        !read_cie(cie_field - cie_distance, common))
        return false;
    entry->start = take_encoded(&c, common->fde_encoding);
    entry->size = take_encoded(&c, common->fde_encoding & 0x0f);
    if (common->has_augmentation)
        take_block(&c);
    entry->program = c;
    return !c.failed && address - entry->start < entry->size;
}

bool bm_cfi_find_bounds(const uint8_t *eh_frame_hdr, uintptr_t address,
                        uintptr_t *start, uintptr_t *end)
{
    struct entry entry;
    if (!find_entry(eh_frame_hdr, address, &entry))
        return false;
    *start = entry.start;
    *end = entry.start + entry.size;
    return true;
}

bool bm_cfi_find_row(const uint8_t *eh_frame_hdr, uintptr_t pc,
                     struct bm_cfi_row *row)
{
    struct entry entry;
    struct run run = {.common = &entry.common, .target = pc - 1};
    if (!find_entry(eh_frame_hdr, pc - 1, &entry))
        return false;
    run.location = entry.start;
    row->start = entry.start;

    if (!run_program(&run, entry.common.program))
        return false;
    run.initial = run.row;
    if (!run_program(&run, entry.program))
        return false;
    *row = run.row;
    row->start = entry.start;
    row->signal_frame = entry.common.signal_frame;
    return true;
}
