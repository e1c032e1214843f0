/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The recorder's unwinder against libunwind's: on random call trees, through
 * qsort, alloca, signal frames and other stacks, both must see the same
 * return addresses, whatever the cache of the last stack holds.
 */
#define UNW_LOCAL_ONLY
#include <libunwind.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include <cmocka.h>

#include "runtime/calls.h"
#include "runtime/codes.h"
#include "runtime/frames.h"
#include "runtime/memory.h"
#include "runtime/paths.h"
#include "runtime/stack.h"
#include "runtime/threads.h"

#include "no_records.h"

static struct bm_thread thread_of_paths;

#define NOINLINE __attribute__((noinline))

/* What stack.c asks of the rest of the recorder, as far as it matters here. */
bool bm_calls_is_linked(uintptr_t pc)
{
    (void)pc;
    return false;
}

uint32_t bm_frame_linked(struct bm_thread *thread, uintptr_t pc)
{
    (void)thread, (void)pc;
    return 0;
}

const struct bm_call *bm_calls_find(uintptr_t pc)
{
    (void)pc;
    return NULL;
}

uint32_t bm_frame_of_call(struct bm_thread *thread,
                          const struct bm_frame *where)
{
    (void)thread;
    (void)where;
    return 0;
}

uint32_t bm_frame_foreign(struct bm_thread *thread, uintptr_t pc, bool exact)
{
    (void)thread;
    (void)exact;
    return (uint32_t)pc;
}

bool bm_frame_is_system(uintptr_t pc)
{
    (void)pc;
    return false;
}

uintptr_t bm_jumps_called(uintptr_t pc, const struct bm_frame *where)
{
    (void)pc, (void)where;
    return 0;
}

void bm_jumps_to_function(struct bm_thread *thread, struct bm_jumps *jumps,
                          const struct bm_code *call,
                          const struct bm_code *inner)
{
    (void)thread, (void)call, (void)inner;
    jumps->nr = 0;
}

void bm_jumps_to_use(struct bm_thread *thread, struct bm_jumps *jumps,
                     const struct bm_code *call, const struct bm_use *use)
{
    (void)thread, (void)call, (void)use;
    jumps->nr = 0;
}

uint32_t bm_jumps_below(struct bm_thread *thread, uint32_t outer,
                        const struct bm_jumps *jumps)
{
    (void)thread, (void)jumps;
    return outer;
}

static struct bm_stack_cache *stack;
static unsigned nr_checked, max_checked_depth;

#define MAX_FRAMES 20000
static uintptr_t expected[MAX_FRAMES];

/* Return addresses by libunwind, from the caller of check on. */
static NOINLINE uint32_t by_libunwind(void)
{
    unw_context_t context;
    unw_cursor_t cursor;
    unw_word_t pc;
    uint32_t nr = 0;
    unw_getcontext(&context);
    unw_init_local(&cursor, &context);
    /* by_libunwind itself, then check. */
    for (int skip = 0; skip < 2; skip++)
        assert_true(unw_step(&cursor) > 0);
    do {
        unw_get_reg(&cursor, UNW_REG_IP, &pc);
        if (pc == 0)
            break;
        expected[nr++] = pc;
    } while (nr < MAX_FRAMES && unw_step(&cursor) > 0);
    return nr;
}

static NOINLINE void check(void)
{
    struct bm_caller caller;
    BM_CALLER_HERE(&caller);
    uint32_t depth = bm_stack_walk(stack, &thread_of_paths, &caller, false);
    uint32_t nr = by_libunwind();
    uint32_t path = 0;

    assert_int_equal(depth, nr);
    for (uint32_t i = 0; i < depth; i++) {
        uintptr_t pc = bm_stack_get(stack, depth - 1 - i)->pc;
        /* An interrupted instruction is kept as the address behind it. */
        if (pc != expected[i])
            assert_int_equal(pc, expected[i] + 1);
    }
    for (uint32_t i = 0; i < depth; i++)
        path = bm_path_below(&thread_of_paths, path,
                             (uint32_t)bm_stack_get(stack, i)->pc);
    assert_int_equal(bm_stack_get(stack, depth - 1)->path, path);
    nr_checked++;
    max_checked_depth = depth > max_checked_depth ? depth : max_checked_depth;
}

static unsigned long seed = 1;

static unsigned pick(unsigned n)
{
    seed = seed * 6364136223846793005ul + 1442695040888963407ul;
    return (unsigned)(seed >> 33) % n;
}

static void step(int depth);

NOINLINE static void plain(int depth)
{
    step(depth);
    check();
}

NOINLINE static void twice(int depth)
{
    step(depth);
    step(depth - 3);
    check();
}

/* A frame whose size is only known at run time. */
NOINLINE static void with_alloca(int depth)
{
    volatile char *room = __builtin_alloca(16 + pick(4000));
    room[0] = 1;
    step(depth);
    check();
    room[1] = 2;
}

/* A large frame that leaves what stood there before. */
NOINLINE static void with_hole(int depth)
{
    volatile char hole[3000];
    hole[0] = 1;
    check();
    step(depth);
    hole[2999] = 2;
}

/* Many live values: the frame pointer register holds one of them. */
NOINLINE static unsigned long with_registers(int depth)
{
    unsigned long a = pick(9), b = pick(9), c = pick(9), d = pick(9),
                  e = pick(9), f = pick(9), g = pick(9);
    step(depth);
    check();
    return a * b + c * d + e * f + g + a * g;
}

/* A realigned frame. */
NOINLINE static void with_alignment(int depth)
{
    volatile char aligned[64] __attribute__((aligned(64)));
    aligned[0] = 1;
    step(depth);
    check();
    aligned[1] = 2;
}

static int compare_depth;

static int compare(const void *a, const void *b)
{
    if (pick(8) == 0)
        step(compare_depth);
    check();
    return *(const int *)a - *(const int *)b;
}

NOINLINE static void through_qsort(int depth)
{
    int values[] = {4, 2, 5, 1, 3};
    int saved = compare_depth;
    compare_depth = depth - 2;
    qsort(values, 5, sizeof(values[0]), compare);
    compare_depth = saved;
}

static void on_signal(int number)
{
    (void)number;
    check();
}

NOINLINE static void through_signal(int depth)
{
    raise(SIGUSR1);
    step(depth);
}

NOINLINE static void through_pointer(int depth)
{
    static void (*const table[])(int) = {plain, twice, with_alloca, with_hole};
    table[pick(4)](depth);
}

static void step(int depth)
{
    static void (*const table[])(int) = {
        plain,          twice,         with_alloca,    with_hole,
        with_alignment, through_qsort, through_signal, through_pointer,
    };
    if (depth <= 0)
        return;
    if (pick(9) == 0)
        with_registers(depth - 1);
    else
        table[pick(8)](depth - 1);
}

static void random_trees(void **state)
{
    (void)state;
    signal(SIGUSR1, on_signal);
    for (int i = 0; i < 300; i++)
        step(8);
    assert_true(nr_checked > 1000);
    assert_true(max_checked_depth > 12);
}

/* The same frames at the same addresses, called from another line. */
NOINLINE static void inner(void)
{
    check();
}

NOINLINE static void middle(void)
{
    inner();
    check();
}

static void other_outer_frame(void **state)
{
    (void)state;
    void (*volatile call)(void) = middle;
    for (int i = 0; i < 3; i++) {
        call();
        call();
        middle();
        middle();
    }
}

static jmp_buf out;

NOINLINE static void jumping(int depth)
{
    if (depth > 0)
        jumping(depth - 1);
    check();
    if (depth == 0)
        longjmp(out, 1);
}

static void after_longjmp(void **state)
{
    (void)state;
    for (volatile int i = 1; i < 20; i++) {
        if (!setjmp(out))
            jumping(i);
        check();
    }
}

static ucontext_t home, away;

static void coroutine(void)
{
    for (int i = 0; i < 4; i++) {
        check();
        step(4);
        swapcontext(&away, &home);
    }
}

static void other_stacks(void **state)
{
    (void)state;
    size_t size = 256 << 10;
    char *room = bm_map(size);
    getcontext(&away);
    away.uc_stack.ss_sp = room;
    away.uc_stack.ss_size = size;
    away.uc_link = &home;
    makecontext(&away, coroutine, 0);
    for (int i = 0; i < 4; i++) {
        check();
        step(3);
        swapcontext(&home, &away);
    }
    bm_unmap(room, size);
    check();
}

NOINLINE static int recurse(int depth)
{
    if (depth == 0) {
        check();
        return 0;
    }
    return recurse(depth - 1) + 1;
}

static void deep_recursion(void **state)
{
    (void)state;
    assert_int_equal(recurse(5000), 5000);
    check();
}

NOINLINE static int recurse_too_deep(int depth)
{
    struct bm_caller caller;
    BM_CALLER_HERE(&caller);
    if (depth > 0)
        return recurse_too_deep(depth - 1) + 1;
    assert_int_equal(bm_stack_walk(stack, &thread_of_paths, &caller, false), 0);
    return 0;
}

static void too_deep_is_said(void **state)
{
    (void)state;
    recurse_too_deep(20000);
    check();
}

static int make_stack(void **state)
{
    (void)state;
    bm_stack_set_native(true);
    bm_paths_init(&thread_of_paths, 1u << 20);
    stack = bm_stack_new();
    return stack ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_trees),   cmocka_unit_test(other_outer_frame),
        cmocka_unit_test(after_longjmp),  cmocka_unit_test(other_stacks),
        cmocka_unit_test(deep_recursion), cmocka_unit_test(too_deep_is_said),
    };
    return cmocka_run_group_tests(tests, make_stack, NULL);
}
