/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "operators.h"

#include "entry.h"
#include "next.h"

/* What the driver asks for. */
extern const char benchmem_operators_v1;
__attribute__((visibility("default"))) const char benchmem_operators_v1 = 1;

typedef void any_function(void);

static _Atomic(any_function *) next[BM_NR_OPERATORS];
static _Atomic bool are_own; /* of the allocator: they do not call malloc */

static const char *const names[BM_NR_OPERATORS] = {
#define NAME_NEW(symbol, kind, signature) [BM_OPERATOR##symbol] = #symbol,
#define NAME_DELETE(symbol, signature) [BM_OPERATOR##symbol] = #symbol,
    BM_OPERATORS(NAME_NEW, NAME_DELETE)};

/*
 * All threads that come here write the same. Not inlined: a local variable
 * whose address is handed out would turn the operators' jumps into calls.
 */
static __attribute__((noinline, cold)) any_function *find(enum bm_operator which)
{
    bool own;
    any_function *function =
        (any_function *)bm_next_operator(names[which], which, &own);

    atomic_store_explicit(&are_own, own, memory_order_relaxed);
    atomic_store_explicit(&next[which], function, memory_order_relaxed);
    return function;
}

static inline any_function *next_of(enum bm_operator which)
{
    any_function *function =
        atomic_load_explicit(&next[which], memory_order_relaxed);

    return __builtin_expect(function != NULL, 1) ? function : find(which);
}

static inline bool is_own(void)
{
    return __builtin_expect(
        atomic_load_explicit(&are_own, memory_order_relaxed), 0);
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

#define DEFINE_NEW(symbol, kind, signature)                                    \
    static void *bm_operator##symbol(PARAMETERS_##signature)                   \
    {                                                                          \
        void *(*real)(PARAMETERS_##signature) =                                \
            (void *(*)(PARAMETERS_##signature))next_of(BM_OPERATOR##symbol);   \
        if (!is_own())                                                         \
            return real(ARGUMENTS_##signature);                                \
        struct bm_thread *thread __attribute__((cleanup(leave_guard))) =       \
            enter_guard(__builtin_frame_address(0), true);                     \
        void *memory = real(ARGUMENTS_##signature);                            \
        if (thread) {                                                          \
            struct bm_caller caller;                                           \
            BM_CALLER_HERE(&caller);                                           \
            bm_entry_made(thread, memory, ASKED_##signature, &caller, NULL,    \
                          BM_KIND_##kind);                                     \
        }                                                                      \
        return memory;                                                         \
    }                                                                          \
    EXPORT(symbol);

#define DEFINE_DELETE(symbol, signature)                                       \
    static void bm_operator##symbol(PARAMETERS_##signature)                    \
    {                                                                          \
        void *frame = __builtin_frame_address(0);                              \
        void (*real)(PARAMETERS_##signature) =                                 \
            (void (*)(PARAMETERS_##signature))next_of(BM_OPERATOR##symbol);    \
        if (!is_own() || !memory) {                                            \
            real(ARGUMENTS_##signature);                                       \
            return;                                                            \
        }                                                                      \
        struct bm_thread *thread __attribute__((cleanup(leave_guard))) =       \
            enter_guard(frame, false);                                         \
        if (thread)                                                            \
            bm_record_free(thread, memory,                                     \
                           (uintptr_t)frame + 2 * sizeof(void *));             \
        real(ARGUMENTS_##signature);                                           \
    }                                                                          \
    EXPORT(symbol);

BM_OPERATORS(DEFINE_NEW, DEFINE_DELETE)

const struct bm_operators bm_interposed_operators = {
    .functions =
        {
#define OWN_NEW(symbol, kind, signature)                                       \
    [BM_OPERATOR##symbol] = (any_function *)bm_operator##symbol,
#define OWN_DELETE(symbol, signature)                                          \
    [BM_OPERATOR##symbol] = (any_function *)bm_operator##symbol,
            BM_OPERATORS(OWN_NEW, OWN_DELETE)},
};
