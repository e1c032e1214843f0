/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "next.h"

#include "entries.h"
#include "operators.h"
#include "own.h"
#include "runtime.h"

struct bm_next bm_next;

#ifdef BM_STATIC

#include <errno.h>

/*
 * The linker's names for what --wrap took over. The first four make it take
 * in libc's malloc or the program's own, as any program would; what comes
 * with them of the rest is used.
 */
#define FOR_EACH_BASIC(X)                                                      \
    X(malloc)                                                                  \
    X(calloc)                                                                  \
    X(realloc)                                                                 \
    X(free)

#define FOR_EACH_OTHER(X)                                                      \
    X(reallocarray)                                                            \
    X(aligned_alloc)                                                           \
    X(memalign)                                                                \
    X(posix_memalign)                                                          \
    X(valloc)                                                                  \
    X(pvalloc)

#define DECLARE(symbol) extern __typeof(*bm_next.symbol) __real_##symbol;
#define DECLARE_WEAK(symbol)                                                   \
    extern __typeof(*bm_next.symbol) __real_##symbol __attribute__((weak));
FOR_EACH_BASIC(DECLARE)
FOR_EACH_OTHER(DECLARE_WEAK)

/* glibc has it in an object file of its own. */
static void *reallocarray_by_realloc(void *old, size_t count, size_t size)
{
    if (__builtin_mul_overflow(count, size, &size)) {
        errno = ENOMEM;
        return NULL;
    }
    return bm_next.realloc(old, size);
}

void bm_next_find(void)
{
#define TAKE(symbol) bm_next.symbol = __real_##symbol;
    FOR_EACH_OTHER(TAKE)
    FOR_EACH_BASIC(TAKE)
    if (!bm_next.reallocarray)
        bm_next.reallocarray = reallocarray_by_realloc;
    bm_own_take();
}

bool bm_next_is_ours(void)
{
    return true;
}

bool bm_next_is_permanent(void)
{
    return true;
}

bool bm_next_is_glibc(void)
{
    extern const char *gnu_get_libc_version(void) __attribute__((weak));

    return gnu_get_libc_version != NULL;
}

const struct bm_runtime *bm_next_find_runtime(void)
{
    return NULL;
}

#else

#include "symbols.h"

#include <errno.h>
#include <stdatomic.h>

/* Same offsets in the table and in each copy's table of its own functions. */
struct wanted {
    const char *name;
    size_t offset;
};

#define WANTED(symbol, kind, signature)                                        \
    {#symbol, offsetof(struct bm_next, symbol)},
static const struct wanted wanted[] = {
#define BM_FAMILY WANTED
#define BM_HOOKED BM_FAMILY_OF
#include "allocators.inc"
#undef BM_FAMILY
    WANTED(free, , ) WANTED(dlclose, , ) WANTED(_exit, , )
        WANTED(quick_exit, , ) WANTED(vfork, , ) WANTED(execve, , )
            WANTED(execvpe, , ) WANTED(fexecve, , )};

#define NR_WANTED (sizeof(wanted) / sizeof(wanted[0]))

typedef void any_function(void);

static any_function *slot_get(const struct bm_next *table, size_t offset)
{
    return *(any_function *const *)(const void *)((const char *)table + offset);
}

/*
 * All threads that come here write the same. Nobody acquires it: the first
 * call comes before there is a second thread.
 */
static void slot_set(size_t offset, any_function *function)
{
    atomic_store_explicit(
        (_Atomic uintptr_t *)(void *)((char *)&bm_next + offset),
        (uintptr_t)function, memory_order_relaxed);
}

static const struct bm_runtime *runtime_of(const struct link_map *map)
{
    return bm_symbol_in(map, BM_RUNTIME_SYMBOL);
}

/* What a module defines, unless it is a recorder's own. */
static any_function *real_in(const struct link_map *map,
                             const struct wanted *want)
{
    any_function *function = (any_function *)bm_symbol_in(map, want->name);
    const struct bm_runtime *runtime = function ? runtime_of(map) : NULL;

    if (runtime && slot_get(&runtime->interposed, want->offset) == function)
        return NULL;
    return function == slot_get(&bm_runtime.interposed, want->offset)
               ? NULL
               : function;
}

static any_function *first_real(const struct link_map *map,
                                const struct wanted *want)
{
    any_function *function = NULL;

    for (; map && !function; map = map->l_next)
        function = real_in(map, want);
    return function;
}

/* Our own module and, from it, the others in search order. */
static const struct link_map *own_map(void)
{
    const struct link_map *map = bm_modules_first();

    while (map && !bm_module_is_own(map))
        map = map->l_next;
    return map;
}

static void *no_memory(void)
{
    errno = ENOMEM;
    return NULL;
}

static void nothing(void)
{
}

/* Stands in for what the process does not have: nobody can call it then. */
static any_function *missing(const struct wanted *want)
{
    if (want->offset == offsetof(struct bm_next, free))
        return nothing;
    if (want->offset == offsetof(struct bm_next, dlclose))
        return NULL;
    return (any_function *)no_memory;
}

void bm_next_find(void)
{
    const struct link_map *first = bm_modules_first();
    const struct link_map *from = bm_next_is_ours() ? own_map() : first;

    for (size_t i = 0; i < NR_WANTED; i++) {
        any_function *function = first_real(from, &wanted[i]);

        if (!function)
            function = first_real(first, &wanted[i]);
        slot_set(wanted[i].offset, function ? function : missing(&wanted[i]));
    }
    bm_own_take();
}

static bool is_interposed_operator(const struct link_map *map,
                                   any_function *function, unsigned which)
{
    const struct bm_runtime *runtime = runtime_of(map);

    return (runtime && runtime->operators &&
            runtime->operators->functions[which] == function) ||
           (&bm_interposed_operators &&
            bm_interposed_operators.functions[which] == function);
}

static enum bm_next_kind kind_of(const struct link_map *map)
{
    const char *name = strrchr(map->l_name, '/');

    if (bm_symbol_in(map, "malloc") == (void *)bm_next.malloc)
        return BM_NEXT_ALLOCATOR;
    name = name ? name + 1 : map->l_name;
    return strncmp(name, "libstdc++.so", strlen("libstdc++.so")) == 0
               ? BM_NEXT_LIBSTDCXX
               : BM_NEXT_OTHER;
}

void *bm_next_operator(const char *name, unsigned which,
                       enum bm_next_kind *kind)
{
    const struct link_map *map =
        bm_next_is_ours() ? own_map() : bm_modules_first();

    for (; map; map = map->l_next) {
        any_function *function = (any_function *)bm_symbol_in(map, name);

        if (!function || is_interposed_operator(map, function, which))
            continue;
        *kind = kind_of(map);
        return (void *)function;
    }
    *kind = BM_NEXT_OTHER;
    return NULL;
}

/* The module whose malloc the process calls. */
bool bm_next_is_ours(void)
{
    for (const struct link_map *map = bm_modules_first(); map;
         map = map->l_next) {
        void *function = bm_symbol_in(map, "malloc");

        if (function)
            return function == (void *)bm_interposed_malloc ||
                   (bm_module_is_own(map) && bm_own_has_malloc());
    }
    return false;
}

/* Who interposes malloc was there at the start, as the program itself. */
bool bm_next_is_permanent(void)
{
    const struct link_map *first = bm_modules_first();

    return bm_next_is_ours() || (first && bm_module_is_own(first));
}

bool bm_next_is_glibc(void)
{
    for (const struct link_map *map = bm_modules_first(); map;
         map = map->l_next)
        if (bm_symbol_in(map, "malloc") == (void *)bm_next.malloc)
            return bm_symbol_in(map, "gnu_get_libc_version") != NULL;
    return false;
}

const struct bm_runtime *bm_next_find_runtime(void)
{
    for (const struct link_map *map = bm_modules_first(); map;
         map = map->l_next) {
        const struct bm_runtime *runtime = runtime_of(map);

        if (runtime)
            return runtime == &bm_runtime ? NULL : runtime;
    }
    return NULL;
}

#endif
