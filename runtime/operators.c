/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "operators.h"

#include "entries.h"
#include "next.h"

#include <stdlib.h>

/* What the driver asks for. */
extern const char benchmem_operators_v1;
__attribute__((visibility("default"))) const char benchmem_operators_v1 = 1;

typedef void any_function(void);

static _Atomic(any_function *) next[BM_NR_OPERATORS];
/* The same where they call malloc, else NULL: there is nothing to be done. */
static _Atomic(any_function *) plain[BM_NR_OPERATORS];
static _Atomic bool are_libstdcxx[BM_NR_OPERATORS];

static const char *const names[BM_NR_OPERATORS] = {
#define NAME_NEW(symbol, kind, signature) [BM_OPERATOR##symbol] = #symbol,
#define NAME_DELETE(symbol, signature) [BM_OPERATOR##symbol] = #symbol,
    BM_OPERATORS(NAME_NEW, NAME_DELETE)};

/*
 * The C++ library's own, should it be in the process without its operators
 * (the linker left them out of an archive for ours): the same as libstdc++'s
 * new_op.cc, new_opa.cc and del_op.cc.
 */
extern void (*_ZSt15get_new_handlerv(void))(void) __attribute__((weak));
extern void _ZSt17__throw_bad_allocv(void) __attribute__((weak));

static void *make(size_t size, size_t alignment, bool may_throw)
{
    for (;;) {
        void *memory =
            alignment > 1 ? aligned_alloc(alignment, size) : malloc(size);
        void (*handler)(void) =
            _ZSt15get_new_handlerv ? _ZSt15get_new_handlerv() : NULL;

        if (memory)
            return memory;
        if (handler) {
            handler();
            continue;
        }
        if (may_throw && _ZSt17__throw_bad_allocv)
            _ZSt17__throw_bad_allocv();
        if (may_throw)
            abort();
        return NULL;
    }
}

static size_t asked(size_t size, size_t alignment);

static void *missing_P_S(size_t size)
{
    return make(asked(size, 1), 1, true);
}

static void *missing_P_SS(size_t size, size_t alignment)
{
    return make(asked(size, alignment), alignment, true);
}

static void *missing_P_SR(size_t size, const void *nothrow)
{
    (void)nothrow;
    return make(asked(size, 1), 1, false);
}

static void *missing_P_SSR(size_t size, size_t alignment, const void *nothrow)
{
    (void)nothrow;
    return make(asked(size, alignment), alignment, false);
}

/* What follows the block in the others' parameters is not needed. */
static void missing_delete(void *memory)
{
    free(memory);
}

static any_function *const missing[BM_NR_OPERATORS] = {
#define MISSING_NEW(symbol, kind, signature)                                   \
    [BM_OPERATOR##symbol] = (any_function *)missing_##signature,
#define MISSING_DELETE(symbol, signature)                                      \
    [BM_OPERATOR##symbol] = (any_function *)missing_delete,
    BM_OPERATORS(MISSING_NEW, MISSING_DELETE)};

static bool is_free(enum bm_operator which);

/*
 * All threads that come here write the same. Not inlined: a local variable
 * whose address is handed out would turn the operators' jumps into calls.
 */
static __attribute__((noinline, cold)) any_function *
find(enum bm_operator which)
{
    enum bm_next_kind kind;
    any_function *function =
        (any_function *)bm_next_operator(names[which], which, &kind);

    if (!function)
        function = missing[which];
    if (kind == BM_NEXT_LIBSTDCXX && is_free(which))
        function = (any_function *)bm_interposed_free;
    if (kind != BM_NEXT_ALLOCATOR)
        atomic_store_explicit(&plain[which], function, memory_order_relaxed);
    atomic_store_explicit(&are_libstdcxx[which], kind == BM_NEXT_LIBSTDCXX,
                          memory_order_relaxed);
    /* Release pairs with the acquire in next_of: the rest is known by then. */
    atomic_store_explicit(&next[which], function, memory_order_release);
    return function;
}

static inline any_function *next_of(enum bm_operator which)
{
    any_function *function =
        atomic_load_explicit(&next[which], memory_order_acquire);

    return __builtin_expect(function != NULL, 1) ? function : find(which);
}

static inline any_function *plain_of(enum bm_operator which)
{
    return atomic_load_explicit(&plain[which], memory_order_relaxed);
}

bool bm_operator_is_malloc(enum bm_operator which, any_function *function)
{
    return function == bm_interposed_operators.functions[which] &&
           next_of(which) &&
           atomic_load_explicit(&are_libstdcxx[which], memory_order_relaxed) &&
           bm_next_is_ours();
}

/* Also when an exception leaves the operator. */
static void leave_guard(struct bm_thread **thread)
{
    if (*thread)
        bm_guard_leave(*thread);
}

static struct bm_thread *enter_guard(void *frame, bool allocates)
{
    struct bm_thread *thread = bm_guard_enter(frame);

    return thread ? thread : bm_enter_slow(frame, allocates);
}

/*
 * What libstdc++ asks malloc or aligned_alloc for (new_op.cc, new_opa.cc), so
 * that figures do not depend on the allocator.
 */
static size_t asked(size_t size, size_t alignment)
{
    if (size == 0)
        size = 1;
    return (size + alignment - 1) & ~(alignment - 1);
}

/* An operator new of an allocator, which an exception may leave. */
struct making {
    void *frame;
    bool is_done;
};

/* The guard is not held meanwhile: an exception is a block of its own. */
static void end_making(struct making *making)
{
    struct bm_thread *thread =
        making->is_done ? NULL : enter_guard(making->frame, true);

    if (!thread)
        return;
    bm_record_failure(thread);
    bm_guard_leave(thread);
}

static void made(struct making *making, void *memory, size_t size,
                 enum bm_kind kind)
{
    struct bm_thread *thread = enter_guard(making->frame, true);
    struct bm_block block;

    making->is_done = true;
    if (!thread)
        return;
    /* It may have asked malloc after all, which has counted it then. */
    if (memory && bm_block_forget(&thread->leaves, memory, &block))
        bm_record_kept(thread, memory, &block);
    else
        bm_entry_made(thread, memory, size, making->frame, (struct bm_told){0},
                      kind);
    bm_guard_leave(thread);
}

#define PARAMETERS_P_S size_t size
#define PARAMETERS_P_SS size_t size, size_t alignment
#define PARAMETERS_P_SR size_t size, const void *nothrow
#define PARAMETERS_P_SSR size_t size, size_t alignment, const void *nothrow
#define PARAMETERS_V void *memory
#define PARAMETERS_V_S void *memory, size_t size
#define PARAMETERS_V_R void *memory, const void *nothrow
#define PARAMETERS_V_A void *memory, size_t alignment
#define PARAMETERS_V_SA void *memory, size_t size, size_t alignment
#define PARAMETERS_V_AR void *memory, size_t alignment, const void *nothrow
#define ARGUMENTS_P_S size
#define ARGUMENTS_P_SS size, alignment
#define ARGUMENTS_P_SR size, nothrow
#define ARGUMENTS_P_SSR size, alignment, nothrow
#define ARGUMENTS_V memory
#define ARGUMENTS_V_S memory, size
#define ARGUMENTS_V_R memory, nothrow
#define ARGUMENTS_V_A memory, alignment
#define ARGUMENTS_V_SA memory, size, alignment
#define ARGUMENTS_V_AR memory, alignment, nothrow
#define ASKED_P_S asked(size, 1)
#define ASKED_P_SS asked(size, alignment)
#define ASKED_P_SR asked(size, 1)
#define ASKED_P_SSR asked(size, alignment)

#define EXPORT(symbol)                                                         \
    extern __typeof(bm_operator##symbol) symbol __attribute__((                \
        weak, alias("bm_operator" #symbol), visibility("default")))

/* An operator has no frame: it jumps, be it to its own other half. */
#define OTHER static __attribute__((noinline))

#define DEFINE_NEW(symbol, kind, signature)                                    \
    typedef void *type##symbol(PARAMETERS_##signature);                        \
    OTHER void *other##symbol(PARAMETERS_##signature)                          \
    {                                                                          \
        type##symbol *real = (type##symbol *)next_of(BM_OPERATOR##symbol);     \
                                                                               \
        if (plain_of(BM_OPERATOR##symbol))                                     \
            return real(ARGUMENTS_##signature);                                \
        struct making making __attribute__((cleanup(end_making))) = {          \
            .frame = __builtin_frame_address(0)};                              \
        void *memory = real(ARGUMENTS_##signature);                            \
        made(&making, memory, ASKED_##signature, BM_KIND_##kind);              \
        return memory;                                                         \
    }                                                                          \
    static void *bm_operator##symbol(PARAMETERS_##signature)                   \
    {                                                                          \
        type##symbol *real = (type##symbol *)plain_of(BM_OPERATOR##symbol);    \
                                                                               \
        return __builtin_expect(real != NULL, 1)                               \
                   ? real(ARGUMENTS_##signature)                               \
                   : other##symbol(ARGUMENTS_##signature);                     \
    }                                                                          \
    EXPORT(symbol);

#define DEFINE_DELETE(symbol, signature)                                       \
    typedef void type##symbol(PARAMETERS_##signature);                         \
    OTHER void other##symbol(PARAMETERS_##signature)                           \
    {                                                                          \
        type##symbol *real = (type##symbol *)next_of(BM_OPERATOR##symbol);     \
                                                                               \
        if (plain_of(BM_OPERATOR##symbol) || !memory) {                        \
            real(ARGUMENTS_##signature);                                       \
            return;                                                            \
        }                                                                      \
        struct bm_thread *thread __attribute__((cleanup(leave_guard))) =       \
            enter_guard(__builtin_frame_address(0), false);                    \
        if (thread)                                                            \
            bm_record_free(thread, memory);                                    \
        real(ARGUMENTS_##signature);                                           \
    }                                                                          \
    static void bm_operator##symbol(PARAMETERS_##signature)                    \
    {                                                                          \
        type##symbol *real = (type##symbol *)plain_of(BM_OPERATOR##symbol);    \
                                                                               \
        if (__builtin_expect(real != NULL, 1))                                 \
            real(ARGUMENTS_##signature);                                       \
        else                                                                   \
            other##symbol(ARGUMENTS_##signature);                              \
    }                                                                          \
    EXPORT(symbol);

BM_OPERATORS(DEFINE_NEW, DEFINE_DELETE)

/* Whether a call of the operator comes here and then to the C++ library. */
static bool is_left_alone(enum bm_operator which, any_function *reached)
{
    enum bm_next_kind kind;

    /* Ours is weak, which the compiler may not forget. */
    __asm__("" : "+r"(reached));
    return reached == bm_interposed_operators.functions[which] &&
           bm_next_operator(names[which], which, &kind) &&
           kind == BM_NEXT_LIBSTDCXX;
}

/*
 * Whether the C++ library's operator does nothing but call this copy's free:
 * these forms call each other by name (del_ops.cc, del_opv.cc, del_opvs.cc),
 * down to free, and a program may have replaced some of them.
 */
static bool is_free(enum bm_operator which)
{
    switch (which) {
    case BM_OPERATOR_ZdlPv:
    case BM_OPERATOR_ZdaPv:
    case BM_OPERATOR_ZdlPvm:
    case BM_OPERATOR_ZdaPvm:
        return bm_next_is_ours() &&
               is_left_alone(BM_OPERATOR_ZdlPv, (any_function *)_ZdlPv) &&
               is_left_alone(BM_OPERATOR_ZdaPv, (any_function *)_ZdaPv);
    default:
        return false;
    }
}

const struct bm_operators bm_interposed_operators = {
    .functions =
        {
#define OWN_NEW(symbol, kind, signature)                                       \
    [BM_OPERATOR##symbol] = (any_function *)bm_operator##symbol,
#define OWN_DELETE(symbol, signature)                                          \
    [BM_OPERATOR##symbol] = (any_function *)bm_operator##symbol,
            BM_OPERATORS(OWN_NEW, OWN_DELETE)},
};
