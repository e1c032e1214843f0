/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The contract between compiled code and the recorder: the tables that the
 * pass leaves in an object, and the hooks that instrumented code calls.
 *
 * Included by the pass (C++17) and the runtime (gnu17), so it holds plain
 * data only. Nothing here has a pointer: every reference is a signed 32-bit
 * distance from its own address ("self-relative", 0 means none), so the
 * tables need no dynamic relocation and cost nothing until they are read.
 *
 * Any change of layout or meaning raises BM_ABI_VERSION, and with it the
 * name of the symbol that every instrumented object refers to: a pass and a
 * runtime that do not fit each other are a link error whose text is the fix.
 */
#ifndef BENCHMEM_RUNTIME_ABI_H
#define BENCHMEM_RUNTIME_ABI_H

#include <stdint.h>

#define BM_ABI_VERSION 1
#define BM_ABI_LINK_SYMBOL "benchmem_link_with_benchmem_cc_v1"
#define benchmem_abi_link_symbol benchmem_link_with_benchmem_cc_v1

/* Hook of allocator NAME: the same arguments, then those told below. */
#define BM_ABI_HOOK_PREFIX "__benchmem_"
#define BM_ABI_ENTER "__benchmem_enter"
#define BM_ABI_LEAVE "__benchmem_leave"
#define BM_ABI_LOOP_ENTER "__benchmem_loop_enter"
#define BM_ABI_LOOP_LEAVE "__benchmem_loop_leave"
#define BM_ABI_LOOP_BEGIN "__benchmem_loop_begin"
#define BM_ABI_LOOP_END "__benchmem_loop_end"
#define BM_ABI_LOOP_PAUSE "__benchmem_loop_pause"
#define BM_ABI_NOTE "__benchmem_note"
#define BM_ABI_PUSH "__benchmem_push"
#define BM_ABI_POP "__benchmem_pop"

/*
 * Of code built with --benchmem-access alone: see struct bm_access_map. Each
 * module has its own of these, hidden.
 */
#define BM_ABI_ACCESS_VIEW "__benchmem_access_view"
#define BM_ABI_ACCESS_MARK "__benchmem_access_mark"
#define BM_ABI_ACCESS_RANGE "__benchmem_access_range"
#define BM_ABI_ACCESS_STRING "__benchmem_access_string"
#define BM_ABI_ACCESS_LANES "__benchmem_access_lanes"
#define BM_ABI_ACCESS_ESCAPE "__benchmem_access_escape"
/* A function NAME whose code is built so has a symbol of this prefix. */
#define BM_ABI_ACCESS_KNOWN_PREFIX "__benchmem_access_of_"

/*
 * Sections of an instrumented object. C identifiers, so that the linker
 * makes __start_NAME and __stop_NAME for the copy of the runtime in the same
 * executable or library.
 */
#define BM_ABI_SECTION_CALLS "benchmem_calls"     /* struct bm_call[]      */
#define BM_ABI_SECTION_USES "benchmem_uses"       /* struct bm_use[]       */
#define BM_ABI_SECTION_ELIDED "benchmem_elided"   /* struct bm_elided[]    */
#define BM_ABI_SECTION_BENCHES "benchmem_benches" /* struct bm_bench[]     */
#define BM_ABI_SECTION_LINK "benchmem_link"       /* void *: link symbol   */
#define BM_ABI_SECTION_LINKED "benchmem_linked"   /* only with the linker's code */

/* How a block was asked for: X(enumerator, name in reports, meaning). */
#define BM_KINDS(X)                                                          \
    X(CALL, "call", "a call that is no allocator: an outer frame")           \
    X(MALLOC, "malloc", "malloc")                                            \
    X(CALLOC, "calloc", "calloc")                                            \
    X(REALLOC, "realloc", "realloc, reallocarray")                           \
    X(ALIGNED, "aligned", "aligned_alloc, posix_memalign, memalign and kin") \
    X(NEW, "new", "every single-object operator new")                        \
    X(NEW_ARRAY, "new[]", "every array operator new")                        \
    X(STRING, "string", "strdup, strndup, wcsdup and kin")                   \
    X(STDIO, "stdio", "asprintf, getline, open_memstream and kin")           \
    X(VIA, "via", "inside code that benchmem-cc did not compile")            \
    X(OUTSIDE, "outside", "with no instrumented call above it")

enum bm_kind {
#define BM_KIND_ENUM(upper, name, meaning) BM_KIND_##upper,
    BM_KINDS(BM_KIND_ENUM)
#undef BM_KIND_ENUM
        BM_NR_KINDS
};

/* A function as one file shows it. Strings end in NUL; 0 means unknown. */
struct bm_scope {
    int32_t function;     /* qualified, template arguments, no parameters */
    int32_t linkage_name; /* mangled; 0 where equal to function */
    int32_t file;         /* as given to clang, prefix maps applied */
    int32_t dir;          /* folder of the compilation */
};

/* What the allocation is for, as far as the source tells. */
struct bm_detail {
    int32_t type;      /* "struct node" */
    int32_t size_expr; /* the size as written: "n * sizeof *p" */
    int32_t count;     /* its number of elements as written: "n" */
};

enum bm_frame_flags {
    BM_FRAME_TAIL = 1,     /* a jump: the frame is gone while the callee runs */
    BM_FRAME_INDIRECT = 2, /* the callee is a pointer: callee is 0 */
    BM_FRAME_WRAPPER = 4,  /* returns what it allocates, see docs/metrics.md */
    BM_FRAME_SYSTEM = 8,   /* the location is in a system header */
    BM_FRAME_LINKED = 16,  /* in a profile only: machine code of the linker */
    BM_FRAME_ACCESS = 32,  /* of code that also marks what it reads and writes */
};

/* One call as written, within one chain of inlining. */
struct bm_frame {
    int32_t scope;   /* struct bm_scope */
    uint32_t line;   /* from 1; 0 is unknown */
    uint32_t column; /* from 1; 0 is unknown */
    int32_t parent;  /* struct bm_frame of the call that was inlined, or 0 */
    int32_t callee;  /* name of the function called, as `function`, or 0 */
    int32_t detail;  /* struct bm_detail, or 0 */
    uint16_t kind;   /* enum bm_kind */
    uint16_t flags;  /* enum bm_frame_flags */
};

/*
 * One return address. The section is in the order of the code (it is linked
 * with SHF_LINK_ORDER to the functions), so it can be searched by bisection.
 */
struct bm_call {
    int32_t return_pc; /* address after the call instruction */
    int32_t frame;     /* struct bm_frame of the call */
    int32_t stamp;     /* of its function, from the frame address; 0: none */
};

/*
 * One compiled copy of an allocation call: the hook's last argument. The
 * only writable table; both numbers are the runtime's, 0 until first used.
 */
struct bm_use {
    uint32_t site;  /* atomic: index of the site */
    uint32_t frame; /* atomic: index of the frame with its inlining */
    int32_t where;  /* struct bm_frame */
    uint32_t reserved;
};

/*
 * A word in the frame of a function, by which the recorder knows this
 * activation of it again: while a frame lasts, the path that led to it stays
 * the same. The function sets it to BM_STAMP_EMPTY before it calls anything;
 * the recorder puts BM_STAMP_SET in the upper half, and what it knows in the
 * lower one.
 *
 * The frame address that struct bm_call measures from is the canonical frame
 * address of call frame information (DWARF 5, 6.4).
 */
struct bm_stamp {
    uint64_t path;
};

/* Unlikely to be found by chance; one fits an instruction's operand. */
#define BM_STAMP_EMPTY UINT64_C(0xffffffffa7c3e95d)
#define BM_STAMP_SET UINT32_C(0x5d9e3ca7)

/* An allocation call of the source that the optimizer removed. */
struct bm_elided {
    int32_t where; /* struct bm_frame */
};

/*
 * What code built with --benchmem-access looks at before it reads or writes:
 * the cells of the heap. A cell stands for 16 bytes of heap and has two words
 * of 32 bits: two marks for each byte (bit 0 of a pair: written, bit 1:
 * read), and the clock at the last access. Cells lie together for each region
 * of 64 MiB; a region without heap has none.
 *
 * The cell of address p is at origins[p >> 26 & mask] + (p >> 4) * 8, if that
 * origin is not 0. The code sets marks that are not set yet by a call of
 * __benchmem_access_mark, and stores the clock itself. Addresses from 2^47 on
 * share the origins of those below: no two heaps lie so far apart.
 *
 * The clock is what the process has allocated so far, in units of 64 bytes.
 */
#define BM_ACCESS_REGION_BITS 26
#define BM_ACCESS_ADDRESS_BITS 47
#define BM_ACCESS_CELL_BITS 4
#define BM_ACCESS_CLOCK_BITS 6
#define BM_ACCESS_NR_REGIONS \
    (1u << (BM_ACCESS_ADDRESS_BITS - BM_ACCESS_REGION_BITS))

struct bm_access_map {
    uint32_t clock;
    uint32_t reserved;
    uint64_t origins[BM_ACCESS_NR_REGIONS];
};

/* What an access does, as arguments of the functions below. */
enum bm_access_what {
    BM_ACCESS_WRITE = 1,
    BM_ACCESS_READ = 2,
};

enum bm_param_type {
    BM_PARAM_SIGNED,
    BM_PARAM_UNSIGNED,
    BM_PARAM_DOUBLE,
    BM_PARAM_BOOL,
    BM_PARAM_STRING, /* const char *, read at entry only, may be NULL */
};

struct bm_param {
    int32_t name;
    uint32_t type; /* enum bm_param_type */
};

/* A benchmark function: __benchmem_enter's first argument. */
struct bm_bench {
    int32_t where;  /* struct bm_frame: name and line of the definition */
    int32_t params; /* struct bm_param[nr_params], or 0 */
    uint32_t nr_params;
    uint32_t reserved; /* 0 in objects; the runtime's own have BM_BENCH_MADE */
};

/* Of a benchmark that was defined at run time: its name is no function's. */
#define BM_BENCH_MADE 1u

/*
 * The hooks, defined by the runtime:
 *
 *   RET __benchmem_NAME(ARGS..., struct bm_use *use, struct bm_stamp *stamp)
 *       for each allocator of allocators.inc. stamp is that of the calling
 *       function, NULL if it has none or jumps to the hook.
 *   void __benchmem_enter(struct bm_bench *bench, const uint64_t *values)
 *       at a benchmark function's entry; values[i] holds parameter i:
 *       integers extended to 64 bits, floating point as the bits of a
 *       double, strings as the pointer. Read before it returns.
 *   void __benchmem_leave(struct bm_bench *bench)
 *       before it returns or is left by an exception.
 *   void __benchmem_loop_enter(struct bm_bench *bench,
 *                              const uint64_t *values, const void *range)
 *   void __benchmem_loop_leave(struct bm_bench *bench)
 *       the same of a function of Google Benchmark, whose loop alone is the
 *       window. range is a std::vector of its arguments: begin and end.
 *   void __benchmem_loop_begin(void)
 *   void __benchmem_loop_end(void)
 *   void __benchmem_loop_pause(int32_t change)
 *       after State::StartKeepRunning, before State::FinishKeepRunning, and
 *       around what PauseTiming (1) and ResumeTiming (-1) are for.
 *   void __benchmem_note(struct bm_use *use, const uintptr_t *slot)
 *       right before a jump (a tail call) to code that may allocate for its
 *       caller and has no hook: a jump leaves no return address.
 *   void __benchmem_push(struct bm_use *use)
 *   void __benchmem_pop(struct bm_use *use)
 *       around such a call where machine code is made by the linker, so that
 *       its return address is in no table. pop comes after the call and at
 *       the landing pad of an invoke; one that was missed is noticed by the
 *       stack pointer.
 *
 * With --benchmem-access, defined in each module by the archive; `what` is
 * enum bm_access_what. On x86-64 they keep every register but r11 and the
 * flags (LLVM's preserve_all).
 *
 *   struct bm_access_map *__benchmem_access_view
 *       never NULL; one without regions until the recorder has begun.
 *   void __benchmem_access_mark(const void *p, uint32_t marks)
 *       sets marks of the cell of p.
 *   void __benchmem_access_range(const void *p, uint64_t size, uint32_t what)
 *   void __benchmem_access_string(const void *p, uint64_t most, uint32_t what)
 *       the bytes through the terminator, `most` of them at most.
 *   void __benchmem_access_lanes(const void *p, uint64_t size, uint64_t lanes,
 *                                uint32_t what)
 *       element i of `size` bytes where bit i of lanes is set.
 *   void __benchmem_access_escape(const void *p)
 *       the block that p points into is given to code that is not built so.
 */

#endif
