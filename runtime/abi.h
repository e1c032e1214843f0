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

/* Hook of allocator NAME: the same arguments, then a struct bm_use pointer. */
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

/* An allocation call of the source that the optimizer removed. */
struct bm_elided {
    int32_t where; /* struct bm_frame */
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
 *   RET __benchmem_NAME(ARGS..., struct bm_use *use)
 *       for each allocator of allocators.inc.
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
 *   void __benchmem_note(struct bm_use *use)
 *       right before a jump (a tail call) to code that may allocate for its
 *       caller and has no hook: a jump leaves no return address.
 *   void __benchmem_push(struct bm_use *use)
 *   void __benchmem_pop(struct bm_use *use)
 *       around such a call where machine code is made by the linker, so that
 *       its return address is in no table. pop comes after the call and at
 *       the landing pad of an invoke; one that was missed is noticed by the
 *       stack pointer.
 */

#endif
