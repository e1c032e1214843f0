/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What code built with --benchmem-access refers to: linked into each module
 * that has such code, and into no other. abi.h says what each is for.
 *
 * No function here uses anything but general registers (the file is compiled
 * so), since it is called in the middle of anything. Any
 * thread, signal handlers too; no call, no allocation.
 */
#include "access_cells.h"
#include "guard.h"
#include "runtime.h"

/* Without a region, until there is a recorder that has some. */
static struct bm_access_map no_map;

struct bm_access_map *__benchmem_access_view BM_HIDDEN = &no_map;

#define ENTRY __attribute__((visibility("hidden"), used))

/* What the symbols below do. */
ENTRY void bm_access_view_mark(uintptr_t address, uint32_t marks);
ENTRY void bm_access_view_range(uintptr_t begin, uint64_t size, uint32_t what);
ENTRY void bm_access_view_string(const char *text, uint64_t most,
                                 uint32_t what);
ENTRY void bm_access_view_lanes(uintptr_t begin, uint64_t size, uint64_t lanes,
                                uint32_t what);
ENTRY void bm_access_view_escape(uintptr_t address);

/*
 * __benchmem_access_NAME, which keeps every register but r11: nine words and
 * the return address, so that the stack is aligned again at the call.
 */
#if defined(__x86_64__)
#define PUSH(name) "push %" #name "\n.cfi_adjust_cfa_offset 8\n"
#define POP(name) "pop %" #name "\n.cfi_adjust_cfa_offset -8\n"
#define SYMBOL(name)                                                           \
    __asm__(".pushsection .text\n"                                             \
            ".globl __benchmem_access_" #name "\n"                             \
            ".hidden __benchmem_access_" #name "\n"                            \
            ".type __benchmem_access_" #name ", @function\n"                   \
            "__benchmem_access_" #name ":\n"                                   \
            ".cfi_startproc\n" PUSH(rax) PUSH(rcx) PUSH(rdx) PUSH(rsi)         \
                PUSH(rdi) PUSH(r8) PUSH(r9) PUSH(r10)                          \
                    PUSH(r11) "call bm_access_view_" #name "\n" POP(r11)       \
                        POP(r10) POP(r9) POP(r8) POP(rdi) POP(rsi) POP(rdx)    \
                            POP(rcx) POP(rax) "ret\n"                          \
                                              ".cfi_endproc\n"                 \
                                              ".size __benchmem_access_" #name \
                                              ", . - __benchmem_access_" #name \
                                              "\n"                             \
                                              ".popsection\n")
#else
#define SYMBOL(name)                                                           \
    extern __typeof(bm_access_view_##name) __benchmem_access_##name            \
        __attribute__((alias("bm_access_view_" #name), visibility("hidden")))
#endif

SYMBOL(mark);
SYMBOL(range);
SYMBOL(string);
SYMBOL(lanes);
SYMBOL(escape);

void bm_access_view_mark(uintptr_t address, uint32_t marks)
{
    const struct bm_access_map *map = __benchmem_access_view;

    /* The caller has seen its region, which stays. */
    bm_access_mark(bm_access_region(map, address), address, marks,
                   bm_access_clock(map));
}

static uint32_t marks_of(uint32_t what)
{
    return (what & BM_ACCESS_WRITE ? BM_ACCESS_WRITTEN : 0) |
           (what & BM_ACCESS_READ ? BM_ACCESS_WAS_READ : 0);
}

/* Addresses wrap where a program's own sizes are nonsense: nothing then. */
void bm_access_view_range(uintptr_t begin, uint64_t size, uint32_t what)
{
    const struct bm_access_map *map = __benchmem_access_view;
    uint32_t clock = bm_access_clock(map);
    uint32_t marks = marks_of(what);
    uintptr_t end = begin + size;
    uintptr_t next;

    for (uintptr_t at = begin; at < end; at = next) {
        struct bm_access_region *region = bm_access_region(map, at);

        next =
            bm_access_upto(at, region ? BM_ACCESS_CELL : BM_ACCESS_REGION, end);
        if (region)
            bm_access_mark(region, at, marks & bm_access_bytes(at, next),
                           clock);
    }
}

void bm_access_view_string(const char *text, uint64_t most, uint32_t what)
{
    uint64_t size = 0;

    if (!text || !bm_access_region(__benchmem_access_view, (uintptr_t)text))
        return;
    while (size < most && text[size])
        size++;
    bm_access_view_range((uintptr_t)text, size < most ? size + 1 : most, what);
}

void bm_access_view_lanes(uintptr_t begin, uint64_t size, uint64_t lanes,
                          uint32_t what)
{
    for (; lanes; lanes >>= 1, begin += size)
        if (lanes & 1)
            bm_access_view_range(begin, size, what);
}

void bm_access_view_escape(uintptr_t address)
{
    struct bm_access_region *region =
        bm_access_region(__benchmem_access_view, address);

    if (!region)
        return;
    bm_access_note(region, address, BM_ACCESS_ESCAPED);
    atomic_store_explicit(&region->escapes[bm_access_cell_index(address)], 1,
                          memory_order_relaxed);
}

/* Behind that of images.c, which has found the recorder. */
__attribute__((constructor(102))) static void begin(void)
{
    struct bm_access_map *map =
        bm_forward ? bm_forward->access_start() : bm_runtime_access_start();

    if (map)
        __benchmem_access_view = map;
}
