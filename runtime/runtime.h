/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * One recorder for each process. Every executable and library that
 * benchmem-cc links holds a copy of it; the first in the dynamic linker's
 * list is the recorder, the others find it by its exported symbol and hand
 * everything on through this table.
 *
 * The driver links the archive last, and exports the symbol:
 *   -Wl,--undefined=benchmem_copy_v1                   (see images.c)
 *   -Wl,--export-dynamic-symbol=benchmem_runtime_v1   (not for -static)
 *   -Wl,--undefined=benchmem_operators_v1             (see operators.h)
 * and a static program with libbenchmem_rt_static.a instead, and
 *   -Wl,--wrap=NAME   for each malloc-family function of allocators.inc, for
 *                     free, and for the functions of ends.inc.
 */
#ifndef BENCHMEM_RUNTIME_RUNTIME_H
#define BENCHMEM_RUNTIME_RUNTIME_H

#include "abi.h"
#include "announce.h"
#include "attribute.h"
#include "next.h"
#include "outer.h"

#include <stdbool.h>

struct bm_access_map;
struct bm_api;
struct bm_operators;
struct bm_exec;

/* The hooks of the malloc family. */
struct bm_hooks {
    void *(*malloc)(size_t, struct bm_use *, struct bm_stamp *);
    void *(*calloc)(size_t, size_t, struct bm_use *, struct bm_stamp *);
    void *(*realloc)(void *, size_t, struct bm_use *, struct bm_stamp *);
    void *(*reallocarray)(void *, size_t, size_t, struct bm_use *,
                          struct bm_stamp *);
    void *(*aligned_alloc)(size_t, size_t, struct bm_use *, struct bm_stamp *);
    void *(*memalign)(size_t, size_t, struct bm_use *, struct bm_stamp *);
    int (*posix_memalign)(void **, size_t, size_t, struct bm_use *,
                          struct bm_stamp *);
    void *(*valloc)(size_t, struct bm_use *, struct bm_stamp *);
    void *(*pvalloc)(size_t, struct bm_use *, struct bm_stamp *);
};

/*
 * A copy that hands on to the recorder. If the recorder itself is unloaded
 * (it came with a plugin of a plain program), it stops its followers.
 */
struct bm_follower {
    void (*stop)(void);
    struct bm_follower *next;
};

struct bm_runtime {
    struct bm_next interposed;            /* this copy's own malloc and so on */
    const struct bm_operators *operators; /* NULL if it has none */
    struct bm_hooks hooks;
    void (*outer_begin)(struct bm_outer_scope *, const struct bm_caller *,
                        struct bm_use *, enum bm_kind);
    void (*outer_end)(struct bm_outer_scope *);
    void (*outer_made)(struct bm_outer_scope *, void *, size_t);
    void (*enter)(const struct bm_caller *, struct bm_bench *,
                  const uint64_t *);
    void (*leave)(const struct bm_caller *, const struct bm_bench *);
    void (*announce)(enum bm_announcement, const struct bm_caller *,
                     struct bm_use *);
    /* See process.h. */
    void (*exits)(int status, const void *frame, bool may_be_child);
    void (*becomes)(struct bm_exec *, const char *name);
    void (*stays)(const struct bm_exec *);
    void (*image_add)(struct bm_image *);
    void (*image_remove)(struct bm_image *);
    /* From constructors and destructors alone, which are serialized. */
    void (*follow)(struct bm_follower *);
    void (*unfollow)(struct bm_follower *);
    const struct bm_api *api; /* of benchmem.h */
    struct bm_access_map *(*access_start)(void);
};

/* The symbol may be resolved to another copy's; bm_runtime is this one's. */
#define BM_RUNTIME_SYMBOL "benchmem_runtime_v1"
extern const struct bm_runtime bm_runtime BM_HIDDEN;

/* Another copy that is the recorder; NULL in the recorder itself. */
extern const struct bm_runtime *bm_forward BM_HIDDEN;

/*
 * The slow way in: starts the recorder, attaches the thread, or finds that
 * nothing is to be recorded (NULL). frame is the entry's own; allocates says
 * what is lost then, should it be a signal handler's call. Once it has
 * returned, bm_next and bm_forward are set.
 */
BM_RARE struct bm_thread *bm_enter_slow(void *frame, bool allocates);

/*
 * For windows, also while nothing else is measured: the thread with its guard
 * held, or NULL. bm_guard_leave ends it.
 */
struct bm_thread *bm_enter_window(void *frame);

/* What the pass calls at a benchmark function's entry and exit. */
void __benchmem_enter(struct bm_bench *bench, const uint64_t *values)
    __attribute__((visibility("default"), noinline));
void __benchmem_leave(struct bm_bench *bench)
    __attribute__((visibility("default"), noinline));

/* As the recorder's module is unloaded, and as a follower is told so. */
void bm_runtime_stop(void);
void bm_runtime_stop_following(void);

/* bm_access_start of access.h, or NULL where nothing is recorded. */
struct bm_access_map *bm_runtime_access_start(void);

/* The images of the process; also through the table above. */
void bm_runtime_image_add(struct bm_image *image);
void bm_runtime_image_remove(struct bm_image *image);

#endif
