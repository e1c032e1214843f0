/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Benchmarks of memory and time, for C (C99 and later) and C++ (C++11 and
 * later), with any compiler. Nothing here needs benchmem: built with plain gcc
 * or clang everything compiles, links and runs, and memory is not measured.
 *
 *   1. define benchmarks        BENCHMEM(bench_sort, .params = ...);
 *   2. link                     benchmem-cc -O2 bench.c -o bench
 *      without a main           (plain: cc bench.c -lbenchmem_main)
 *   3. run                      ./bench, or benchmem-run ./bench
 *
 * No definition is needed for functions whose names start with bench_,
 * benchmark_ or BM_: called from a main of your own, they are benchmarks as
 * they are. docs/harness.md shows all of it. Names that end in _ are not for
 * users.
 */
#ifndef BENCHMEM_BENCHMEM_H
#define BENCHMEM_BENCHMEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- marks and barriers ---- */

/*
 * Before a function's definition: it is a benchmark, whatever its name. Each
 * entry opens a window, its scalar arguments are its parameters.
 *
 *     BENCHMEM_BENCHMARK void sort_words(size_t n) { ... }
 *
 * BENCHMEM_NO_BENCHMARK: it is none, though its name would match.
 */
#if defined(__clang__)
#define BENCHMEM_BENCHMARK __attribute__((annotate("benchmem.benchmark")))
#define BENCHMEM_NO_BENCHMARK __attribute__((annotate("benchmem.ignore")))
#else
#define BENCHMEM_BENCHMARK
#define BENCHMEM_NO_BENCHMARK
#endif

#define BENCHMEM_MAYBE_UNUSED_ __attribute__((unused))
#if defined(__linux__)
#define BENCHMEM_RECORDER_ __attribute__((weak))
#define BENCHMEM_HAS_(function) (&(function) != NULL)
#else
/* No recorder: the calls are never made, and compiled away. */
#define BENCHMEM_RECORDER_
#define BENCHMEM_HAS_(function) false
#endif

/* What it points to may well be uninitialized. */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 11
#define BENCHMEM_ANY_MEMORY_ __attribute__((access(none, 1)))
#else
#define BENCHMEM_ANY_MEMORY_
#endif

/*
 * Optimizer barrier: the memory that pointer points to counts as read and
 * written, so that an allocation is not removed because nobody looks at it.
 */
BENCHMEM_ANY_MEMORY_ static inline void benchmem_keep(const void *pointer)
{
    __asm__ volatile("" : : "g"(pointer) : "memory");
}

/* ---- values ---- */

enum benchmem_type {
    BENCHMEM_TYPE_INT,
    BENCHMEM_TYPE_NUMBER,
    BENCHMEM_TYPE_STRING,
};

/* A parameter or label. Strings are borrowed. */
struct benchmem_value {
    const char *name; /* NULL ends a list */
    enum benchmem_type type;
    struct {
        int64_t integer;
        double number;
        const char *string;
    } is; /* the one of its type */
};

/* Exact figures of one window; bytes as asked for, see docs/metrics.md. */
struct benchmem_result {
    uint64_t peak_bytes;
    uint64_t allocated_bytes;
    uint64_t allocations;
    uint64_t retained_bytes; /* of what it allocated, live at its end */
};

/* ---- what the recorder offers ---- */

/* Of which a window's benchmark is made. */
struct benchmem_window {
    size_t size; /* of this struct */
    const char *file;
    const char *name;
    const struct benchmem_value *params; /* nr_params of them */
    uint32_t nr_params;
    uint32_t line;
    uint32_t flags; /* enum benchmem_window_flags */
};

enum benchmem_window_flags {
    /* It is left by benchmem_recorder_end alone, in whatever function. */
    BENCHMEM_WINDOW_RETURNS = 1,
};

struct benchmem_benchmark;
struct benchmem_pool;

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Absent without benchmem. begin: false if a window is open already or none
 * can be had. end: whether memory was recorded and *result holds its figures;
 * ns is the time that it took, 0 to have the recorder take it.
 */
BENCHMEM_RECORDER_ bool
benchmem_recorder_begin(const struct benchmem_window *window);
BENCHMEM_RECORDER_ bool benchmem_recorder_end(struct benchmem_result *result,
                                              uint64_t ns);
/* What the benchmark of the window that closed last says of itself. */
BENCHMEM_RECORDER_ void
benchmem_recorder_describe(const struct benchmem_benchmark *benchmark,
                           const struct benchmem_value *labels,
                           uint32_t nr_labels);
BENCHMEM_RECORDER_ void benchmem_recorder_failed(const char *why);
/*
 * The number of the pass that closed last, 0 before there was one, and its
 * figures. UINT64_MAX: memory is not measured.
 */
BENCHMEM_RECORDER_ uint64_t
benchmem_recorder_last(struct benchmem_result *result);
BENCHMEM_RECORDER_ void benchmem_recorder_pause(int32_t change);
BENCHMEM_RECORDER_ void benchmem_recorder_pool(struct benchmem_pool *pool,
                                               uint64_t taken, uint64_t given);

#ifdef __cplusplus
}
#endif

/* ---- within a benchmark ---- */

/*
 * What the calling thread allocates between these is no part of the open
 * window; the process's totals hold it. They nest.
 */
static inline void benchmem_pause(void)
{
    if (BENCHMEM_HAS_(benchmem_recorder_pause))
        benchmem_recorder_pause(1);
}

static inline void benchmem_resume(void)
{
    if (BENCHMEM_HAS_(benchmem_recorder_pause))
        benchmem_recorder_pause(-1);
}

/*
 * What a pool or arena hands out of blocks that it already holds: no heap, so
 * in no total, but shown beside them under the pool's name.
 *
 *     static struct benchmem_pool nodes = BENCHMEM_POOL("nodes");
 *     benchmem_pool_take(&nodes, sizeof(*node));   // handed out
 *     benchmem_pool_give(&nodes, sizeof(*node));   // came back
 *     benchmem_pool_reset(&nodes);                 // all came back
 *
 * On any thread. The pool must stay where it is.
 */
struct benchmem_pool {
    const char *name;
    void *recorder_; /* the recorder's */
};

#define BENCHMEM_POOL(name)                                                    \
    {                                                                          \
        (name), NULL                                                           \
    }

static inline void benchmem_pool_take(struct benchmem_pool *pool, size_t bytes)
{
    if (BENCHMEM_HAS_(benchmem_recorder_pool))
        benchmem_recorder_pool(pool, bytes, 0);
}

static inline void benchmem_pool_give(struct benchmem_pool *pool, size_t bytes)
{
    if (BENCHMEM_HAS_(benchmem_recorder_pool))
        benchmem_recorder_pool(pool, 0, bytes);
}

static inline void benchmem_pool_reset(struct benchmem_pool *pool)
{
    if (BENCHMEM_HAS_(benchmem_recorder_pool))
        benchmem_recorder_pool(pool, 0, UINT64_MAX);
}

/* ---- measuring one call, as in a unit test ---- */

/*
 * Calls function(argument) in a window of its own. True, and *result holds
 * the exact figures, if memory was measured; else false, and they are 0: built
 * without benchmem, or called within a window.
 *
 *     struct benchmem_result used;
 *     if (benchmem_measure(parse, &input, &used))
 *         assert(used.allocations == 3 && used.retained_bytes == 0);
 */
#define benchmem_measure(function, argument, result)                           \
    benchmem_measure_(__FILE__, __LINE__, #function, (function), (argument),   \
                      (result))

BENCHMEM_MAYBE_UNUSED_ static __attribute__((noinline)) bool
benchmem_measure_(const char *file, uint32_t line, const char *name,
                  void (*function)(void *), void *argument,
                  struct benchmem_result *result)
{
    struct benchmem_window window;
    bool opened, measured;

    memset(&window, 0, sizeof(window));
    memset(result, 0, sizeof(*result));
    window.size = sizeof(window);
    window.file = file;
    window.line = line;
    window.name = name;
    opened = BENCHMEM_HAS_(benchmem_recorder_begin) &&
             benchmem_recorder_begin(&window);
    function(argument);
    measured = opened && benchmem_recorder_end(result, 0);
    benchmem_keep(result); /* not a tail call: the frame is the window's */
    return measured;
}

/* ---- defining benchmarks ---- */

#define BENCHMEM_MAX_PARAMS 16
#define BENCHMEM_MAX_LABELS 16

/* One pass of a benchmark with one set of parameters. */
struct benchmem_case {
    void *data; /* the benchmark's own, NULL before set-up */
    const struct benchmem_benchmark *benchmark;
    const struct benchmem_value *params;
    uint32_t nr_params;
    uint32_t nr_labels;
    struct benchmem_value labels[BENCHMEM_MAX_LABELS];
    const char *failure; /* NULL: none */
};

/*
 * One dimension of the parameters: a list, or a range of `count` values that
 * starts at `first`, each `add` more than the one before or `times` as large.
 */
struct benchmem_dimension {
    const char *name; /* NULL ends a list */
    enum benchmem_type type;
    size_t count;
    const int64_t *integers;
    const double *numbers;
    const char *const *strings;
    double first, add, times;
};

/*
 * A benchmark. What is 0 or NULL is not said; name and run alone must be
 * there. Each pass is: setup, window { run, `calls` times }, check, teardown.
 */
struct benchmem_benchmark {
    const char *name;
    const char *file;
    uint32_t line;
    void (*run)(struct benchmem_case *);
    const struct benchmem_dimension *params; /* every combination is run */

    void (*setup)(struct benchmem_case *);
    void (*teardown)(struct benchmem_case *);
    bool (*check)(struct benchmem_case *); /* false: the benchmark failed */

    const char *group; /* of benchmarks that belong together in tables */
    const char *suite; /* one name or several with commas: for --suite */
    const struct benchmem_value *labels;

    uint32_t calls;   /* of run in each pass: 1 */
    uint32_t repeats; /* passes, instead of as many as it takes */
    int32_t warmup;   /* unrecorded passes before; BENCHMEM_NO_WARMUP */
    bool isolate;     /* each set of parameters in a process of its own */
    bool native;      /* the same, with frames of foreign code recorded */

    /* Ceilings in bytes or calls; BENCHMEM_NOTHING is a ceiling of 0. */
    uint64_t max_peak;
    uint64_t max_allocated;
    uint64_t max_allocations;

    struct benchmem_benchmark *next_;
    void *owner_; /* the C++ object that it is part of */
};

#define BENCHMEM_NO_WARMUP (-1)
#define BENCHMEM_NOTHING UINT64_MAX

/* All of the program, in the order of files on the link line. */
#ifdef __cplusplus
extern "C" {
__attribute__((weak)) struct benchmem_benchmark *benchmem_benchmarks_;
}
#elif defined(BENCHMEM_RECORDER_SIDE_)
extern struct benchmem_benchmark *benchmem_benchmarks_;
#else
__attribute__((weak)) struct benchmem_benchmark *benchmem_benchmarks_;
#endif

/* Adds a benchmark of which the caller keeps the memory. */
static inline void benchmem_register(struct benchmem_benchmark *benchmark)
{
    struct benchmem_benchmark **at = &benchmem_benchmarks_;

    while (*at)
        at = &(*at)->next_;
    *at = benchmark;
}

/* Notes that the pass failed, from any part of it. The text is borrowed. */
static inline void benchmem_fail(struct benchmem_case *c, const char *why)
{
    if (!c->failure)
        c->failure = why;
}

/* Labels that are known only at run time; beyond 16 they are left out. */
static inline void benchmem_label(struct benchmem_case *c, const char *name,
                                  const char *text)
{
    struct benchmem_value *label = &c->labels[c->nr_labels];

    if (c->nr_labels == BENCHMEM_MAX_LABELS)
        return;
    label->name = name;
    label->type = BENCHMEM_TYPE_STRING;
    label->is.string = text;
    c->nr_labels++;
}

static inline void benchmem_label_number(struct benchmem_case *c,
                                         const char *name, double number)
{
    struct benchmem_value *label = &c->labels[c->nr_labels];

    if (c->nr_labels == BENCHMEM_MAX_LABELS)
        return;
    label->name = name;
    label->type = BENCHMEM_TYPE_NUMBER;
    label->is.number = number;
    c->nr_labels++;
}

/* A parameter that the benchmark does not have is a mistake in it: exit 2. */
static inline const struct benchmem_value *
benchmem_value_(const struct benchmem_case *c, const char *name,
                enum benchmem_type type)
{
    for (uint32_t i = 0; i < c->nr_params; i++)
        if (strcmp(c->params[i].name, name) == 0 && c->params[i].type == type)
            return &c->params[i];
    fprintf(stderr, "benchmem: %s has no parameter %s of that type\n",
            c->benchmark->name, name);
    exit(2);
}

static inline int64_t benchmem_int(const struct benchmem_case *c,
                                   const char *name)
{
    return benchmem_value_(c, name, BENCHMEM_TYPE_INT)->is.integer;
}

static inline double benchmem_number(const struct benchmem_case *c,
                                     const char *name)
{
    return benchmem_value_(c, name, BENCHMEM_TYPE_NUMBER)->is.number;
}

static inline const char *benchmem_string(const struct benchmem_case *c,
                                          const char *name)
{
    return benchmem_value_(c, name, BENCHMEM_TYPE_STRING)->is.string;
}

#ifdef __cplusplus

#include "benchmem_cxx.h"

#else

/*
 * Makes `void function(struct benchmem_case *)` a benchmark. Further arguments
 * are fields of struct benchmem_benchmark.
 *
 *     BENCHMEM(bench_insert, .calls = 50,
 *              .params = BENCHMEM_PARAMS(BENCHMEM_INTS("n", 100, 1000),
 *                                        BENCHMEM_STRINGS("kind", "tree")));
 */
#define BENCHMEM(...) BENCHMEM_DEFINE_(__VA_ARGS__, .file = __FILE__)
#define BENCHMEM_DEFINE_(function, ...)                                        \
    static struct benchmem_benchmark benchmem_of_##function = {                \
        .name = #function, .line = __LINE__, .run = function, __VA_ARGS__};    \
    __attribute__((constructor)) static void benchmem_add_##function(void)     \
    {                                                                          \
        benchmem_register(&benchmem_of_##function);                            \
    }                                                                          \
    struct benchmem_benchmark

#define BENCHMEM_PARAMS(...)                                                   \
    (const struct benchmem_dimension[])                                        \
    {                                                                          \
        __VA_ARGS__,                                                           \
        {                                                                      \
            .name = NULL                                                       \
        }                                                                      \
    }

/* Dimensions: lists, and ranges that hold both ends if they meet the last. */
#define BENCHMEM_INTS(name_, ...)                                              \
    {                                                                          \
        .name = name_, .type = BENCHMEM_TYPE_INT,                              \
        .integers = (const int64_t[]){__VA_ARGS__},                            \
        .count = sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)      \
    }
#define BENCHMEM_NUMBERS(name_, ...)                                           \
    {                                                                          \
        .name = name_, .type = BENCHMEM_TYPE_NUMBER,                           \
        .numbers = (const double[]){__VA_ARGS__},                              \
        .count = sizeof((const double[]){__VA_ARGS__}) / sizeof(double)        \
    }
#define BENCHMEM_STRINGS(name_, ...)                                           \
    {                                                                          \
        .name = name_, .type = BENCHMEM_TYPE_STRING,                           \
        .strings = (const char *const[]){__VA_ARGS__},                         \
        .count = sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)   \
    }
/* from, from + step, ... up to and with `to` */
#define BENCHMEM_RANGE(name_, from, to, step)                                  \
    {                                                                          \
        .name = name_, .type = BENCHMEM_TYPE_INT, .first = (from),             \
        .add = (step), .count = (size_t)(((to) - (from)) / (step) + 1)         \
    }
/* count numbers: from, from + step, ... */
#define BENCHMEM_STEPS(name_, from, step, count_)                              \
    {                                                                          \
        .name = name_, .type = BENCHMEM_TYPE_NUMBER, .first = (from),          \
        .add = (step), .count = (count_)                                       \
    }
/* count integers: from, from * factor, from * factor * factor, ... */
#define BENCHMEM_POWERS(name_, from, factor, count_)                           \
    {                                                                          \
        .name = name_, .type = BENCHMEM_TYPE_INT, .first = (from),             \
        .times = (factor), .count = (count_)                                   \
    }

#define BENCHMEM_LABELS(...)                                                   \
    (const struct benchmem_value[])                                            \
    {                                                                          \
        __VA_ARGS__,                                                           \
        {                                                                      \
            .name = NULL                                                       \
        }                                                                      \
    }
#define BENCHMEM_TEXT(name_, text)                                             \
    {                                                                          \
        .name = name_, .type = BENCHMEM_TYPE_STRING, .is.string = (text)       \
    }
#define BENCHMEM_VALUE(name_, value)                                           \
    {                                                                          \
        .name = name_, .type = BENCHMEM_TYPE_NUMBER, .is.number = (value)      \
    }

#endif

#endif
