/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Outer calls: hooks of functions that only name the site of what they ask
 * malloc for (operator new, strdup). The hook says who called it, calls the
 * real function, and the malloc inside is charged to it. The innermost
 * instrumented call wins: a hook of malloc itself brings its own use.
 *
 * A scope ends also when an exception leaves the hook. A hook that was left
 * by longjmp is recognized: its return address no longer stands where it
 * stood, or it lies further in than the caller.
 */
#ifndef BENCHMEM_RUNTIME_OUTER_H
#define BENCHMEM_RUNTIME_OUTER_H

#include "threads.h"

struct bm_outer_scope {
    struct bm_thread *thread; /* NULL: nothing is recorded */
    struct bm_outer before;
};

void bm_outer_begin(struct bm_outer_scope *scope,
                    const struct bm_caller *caller, struct bm_use *use,
                    enum bm_kind kind);
void bm_outer_end(struct bm_outer_scope *scope);

/*
 * What the real function returned, or NULL. Where the process's malloc is
 * not the recorder's, the malloc inside was not seen: it is counted here.
 */
void bm_outer_made(struct bm_outer_scope *scope, void *memory, size_t size);

/* The outer call that an unhooked malloc from `caller` is inside of, or NULL.
 */
const struct bm_outer *bm_outer_around(struct bm_thread *thread,
                                       const struct bm_caller *caller);

#endif
