/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "entries.h"

#include "benchmarks.h"
#include "public.h"

#define BODY static __attribute__((noinline))
#define BEGIN static __attribute__((noinline, cold))

/*
 * An entry leads where `ways` says: to the part of it that finds the thread
 * or, once it is certain that nothing will be recorded in this process or its
 * children, to the real function, which does not see a hook's last arguments.
 * Written once, while the recorder starts.
 */
#define BM_FAMILY(symbol, kind, signature)                                     \
    WAY(interposed_##symbol, BM_RESULT_##signature,                            \
        (BM_PARAMETERS_##signature))                                           \
    WAY(hook_##symbol, BM_RESULT_##signature,                                  \
        (BM_PARAMETERS_##signature, struct bm_use * use,                       \
         struct bm_stamp * stamp))
#define FREE_WAY WAY(interposed_free, void, (void *memory))

#define WAY(name, result, parameters) static result ready_##name parameters;
#define BM_HOOKED BM_FAMILY_OF
#include "allocators.inc"
FREE_WAY
#undef WAY

#define WAY(name, result, parameters) result(*name) parameters;
static struct {
#define BM_HOOKED BM_FAMILY_OF
#include "allocators.inc"
    FREE_WAY
} ways = {
#undef WAY
#define WAY(name, result, parameters) .name = ready_##name,
#define BM_HOOKED BM_FAMILY_OF
#include "allocators.inc"
    FREE_WAY};
#undef WAY
#undef BM_FAMILY

typedef void any_function(void);

void bm_entries_end(void)
{
#define BM_FAMILY(symbol, kind, signature)                                     \
    ways.interposed_##symbol = bm_next.symbol;                                 \
    ways.hook_##symbol =                                                       \
        (__typeof(ways.hook_##symbol))(any_function *)bm_next.symbol;
#define BM_HOOKED BM_FAMILY_OF
#include "allocators.inc"
    ways.interposed_free = bm_next.free;
#undef BM_FAMILY
}

/* begin_, ready_, then bm_: the parts of an entry before its body; see
 * entry.h. */
#define PARTS(name, result, parameters, arguments, arguments_and_thread, off,  \
              pass)                                                            \
    BEGIN result begin_##name parameters                                       \
    {                                                                          \
        struct bm_thread *thread =                                             \
            bm_enter_slow(__builtin_frame_address(0), true);                   \
                                                                               \
        if (thread)                                                            \
            return body_##name arguments_and_thread;                           \
        return pass;                                                           \
    }                                                                          \
    static result ready_##name parameters                                      \
    {                                                                          \
        struct bm_thread *thread = bm_guard_ready();                           \
                                                                               \
        if (__builtin_expect(thread != NULL, 1))                               \
            return body_##name arguments_and_thread;                           \
        if (bm_guard_is_off())                                                 \
            return off;                                                        \
        return begin_##name arguments;                                         \
    }                                                                          \
    result bm_##name parameters                                                \
    {                                                                          \
        return ways.name arguments;                                            \
    }

#define BM_FAMILY(symbol, kind, signature)                                     \
    BODY BM_RESULT_##signature body_interposed_##symbol(                       \
        BM_PARAMETERS_##signature, struct bm_thread *thread)                   \
    {                                                                          \
        struct bm_told told = {0};                                             \
                                                                               \
        bm_guard_take(thread);                                                 \
        BM_BODY_##kind##_##signature(symbol, FOUND);                           \
    }                                                                          \
    /* The guard is held, of a frame that lies where this one lies. */         \
    BODY BM_RESULT_##signature rest_hook_##symbol(BM_PARAMETERS_##signature,   \
                                                  struct bm_told told,         \
                                                  struct bm_thread *thread)    \
    {                                                                          \
        if (!told.use)                                                         \
            __builtin_unreachable();                                           \
        BM_BODY_##kind##_##signature(symbol, FOUND);                           \
    }                                                                          \
    BODY BM_RESULT_##signature body_hook_##symbol(                             \
        BM_PARAMETERS_##signature, struct bm_use *use, struct bm_stamp *stamp, \
        struct bm_thread *thread)                                              \
    {                                                                          \
        struct bm_told told = {use, stamp};                                    \
        struct bm_node *node;                                                  \
                                                                               \
        bm_guard_take(thread);                                                 \
        node = bm_entry_node_told(thread, told);                               \
        if (!node)                                                             \
            return rest_hook_##symbol(BM_ARGUMENTS_##signature, told, thread); \
        BM_BODY_##kind##_##signature(symbol, KNOWN);                           \
    }                                                                          \
    PARTS(interposed_##symbol, BM_RESULT_##signature,                          \
          (BM_PARAMETERS_##signature), (BM_ARGUMENTS_##signature),             \
          (BM_ARGUMENTS_##signature, thread),                                  \
          bm_next.symbol(BM_ARGUMENTS_##signature),                            \
          bm_next.symbol(BM_ARGUMENTS_##signature))                            \
    PARTS(hook_##symbol, BM_RESULT_##signature,                                \
          (BM_PARAMETERS_##signature, struct bm_use * use,                     \
           struct bm_stamp * stamp),                                           \
          (BM_ARGUMENTS_##signature, use, stamp),                              \
          (BM_ARGUMENTS_##signature, use, stamp, thread),                      \
          bm_next.symbol(BM_ARGUMENTS_##signature),                            \
          BM_ENTRY_PASS_HOOK(symbol, BM_ARGUMENTS_##signature))                \
    BM_EXPORT_AS(BM_PUBLIC(symbol), bm_interposed_##symbol);                   \
    BM_OWN_AS(__benchmem_own_##symbol, bm_interposed_##symbol);                \
    BM_EXPORT_AS(__benchmem_##symbol, bm_hook_##symbol);
#define BM_HOOKED BM_FAMILY_OF
#include "allocators.inc"
#undef BM_FAMILY

/*
 * Allocators may call each other's functions inside a free; glibc's calls
 * nothing of the malloc family.
 */
static void free_inside(void *memory)
{
    struct bm_thread *thread = bm_guard_enter(__builtin_frame_address(0));

    bm_next.free(memory);
    if (thread)
        bm_guard_leave(thread);
}

static void (*free_last)(void *) = free_inside;

void bm_entries_start(void)
{
    if (bm_next_is_glibc())
        free_last = bm_next.free;
}

/* The real free is the last thing, and reached by a jump. */
BODY void body_interposed_free(void *memory, struct bm_thread *thread)
{
    bm_guard_take(thread);
    bm_record_free(thread, memory);
    bm_guard_leave(thread);
    free_last(memory);
}

BEGIN void begin_interposed_free(void *memory)
{
    struct bm_thread *thread = bm_enter_slow(__builtin_frame_address(0), false);

    if (thread)
        body_interposed_free(memory, thread);
    else
        bm_next.free(memory);
}

static void ready_interposed_free(void *memory)
{
    struct bm_thread *thread;

    if (!memory)
        return;
    thread = bm_guard_ready();
    if (__builtin_expect(thread != NULL, 1))
        body_interposed_free(memory, thread);
    else if (bm_guard_is_off())
        bm_next.free(memory);
    else
        begin_interposed_free(memory);
}

void bm_interposed_free(void *memory)
{
    ways.interposed_free(memory);
}
BM_EXPORT_AS(BM_PUBLIC(free), bm_interposed_free);
BM_OWN_AS(__benchmem_own_free, bm_interposed_free);

/* The path above the function is known, of what it calls something else. */
struct bm_node *bm_entry_node_below(struct bm_thread *thread,
                                    struct bm_told told)
{
    uint32_t key =
        bm_attribute_below(thread, bm_stamp_path(told.stamp), told.use);
    struct bm_node *node = bm_node_near(thread, key);

    if (__builtin_expect(!node, 0))
        node = bm_node_for(thread, key);
    if (node)
        bm_known_note(thread, told.stamp, told.use, node);
    return bm_stamp_taken(node);
}

struct bm_node *bm_entry_node_slow(struct bm_thread *thread,
                                   const struct bm_caller *caller,
                                   struct bm_use *use, enum bm_kind kind)
{
    uint32_t key = bm_entry_is_early ? BM_KEY_OTHER
                                     : bm_attribute(thread, caller, use, kind);
    struct bm_node *node = bm_node_near(thread, key);

    if (__builtin_expect(!node, 0))
        node = bm_node_for(thread, key);

#ifdef BM_CHECK_STACK
    bm_route_check_node(node);
#endif
    if (bm_route_is_due(&thread->routes) && node && node->key == key &&
        !bm_entry_is_early &&
        (use ? !thread->by_site : !bm_entry_is_told(thread)))
        bm_route_learn(thread, caller, use, bm_entry_what(use, kind), node);
    return node;
}

/* What a hook of `new` or the like asks for. */
static struct bm_node *node_of_outer(struct bm_thread *thread,
                                     const struct bm_outer *outer)
{
    struct bm_use *use = outer->use;
    struct bm_told told = {use, outer->caller.stamp};
    struct bm_node *node = NULL;

    if (thread->by_site) {
        node =
            bm_node_near(thread, __atomic_load_n(&use->site, __ATOMIC_RELAXED));
    } else if (told.stamp && bm_stamp_is_set(told.stamp)) {
        node = bm_entry_node_below(thread, told);
    } else {
        const struct bm_route *route =
            bm_route_find(&thread->routes, outer->caller.pc, outer->caller.sp,
                          (uintptr_t)use);
        if (route)
            node = route->node;
    }
    return node ? node
                : bm_entry_node_slow(thread, &outer->caller, use,
                                     (enum bm_kind)outer->kind);
}

struct bm_node *bm_entry_node_at(struct bm_thread *thread,
                                 const uintptr_t *frame, struct bm_told told,
                                 enum bm_kind kind)
{
    struct bm_caller caller = bm_entry_caller(frame, told.stamp);
    const struct bm_outer *outer = !told.use && thread->outer.use
                                       ? bm_outer_around(thread, &caller)
                                       : NULL;

    return outer ? node_of_outer(thread, outer)
                 : bm_entry_node_slow(thread, &caller, told.use, kind);
}

BM_RARE void bm_entry_made_slow(struct bm_thread *thread, void *memory,
                                uint64_t size, struct bm_told told,
                                enum bm_kind kind)
{
    struct bm_node *node;

    if (!memory) {
        bm_record_failure(thread);
        return;
    }
    node = bm_entry_node_at(thread, bm_guard_inside(thread), told, kind);
    if (node)
        bm_record_alloc(thread, memory, size, node);
    else
        bm_record_dropped(thread);
}

void bm_entry_moved_slow(struct bm_thread *thread,
                         const struct bm_entry_move *move,
                         const uintptr_t *frame, struct bm_told told)
{
    uintptr_t sp = (uintptr_t)(frame + 2);

    if (move->memory) {
        bm_record_unknown(thread, sp);
        bm_entry_made_slow(thread, move->memory, move->size, told,
                           BM_KIND_REALLOC);
        return;
    }
    /* glibc frees the block when nothing is asked for; C23 leaves it open,
     * and others return a block then. */
    if (move->is_zero && move->known)
        bm_record_gone(thread, &move->block, move->old, sp);
    else if (move->is_zero)
        bm_record_unknown(thread, sp);
    else
        bm_record_failure(thread);
    if (!move->is_zero && move->known)
        bm_record_kept(thread, move->old, &move->block);
}

#ifdef BM_STATIC
/* Volatile: clang runs simple constructors when it compiles them. */
volatile bool bm_entry_is_early = true;

__attribute__((constructor(101))) static void end_early_time(void)
{
    bm_entry_is_early = false;
}
#else
int bm_interposed_dlclose(void *handle)
{
    void *frame = __builtin_frame_address(0);
    int result;
    struct bm_thread *thread;

    if (!bm_next.dlclose)
        bm_next_find();
    result = bm_next.dlclose ? bm_next.dlclose(handle) : -1;
    thread = bm_guard_enter(frame);
    if (!thread)
        thread = bm_enter_slow(frame, false);
    if (thread) {
        bm_attribute_code_changed();
        bm_benchmarks_code_changed();
        bm_guard_leave(thread);
    }
    return result;
}
BM_EXPORT_AS(dlclose, bm_interposed_dlclose);
#endif
