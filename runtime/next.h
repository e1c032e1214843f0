/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The real functions: the next definitions after this copy of the recorder
 * in the order in which the dynamic linker searches. Found by reading its
 * list of modules and their symbol tables, without dlsym (which may itself
 * allocate), at the first call of any entry, before the recorder starts.
 *
 * In a static program they are what the linker's --wrap left under __real_.
 */
#ifndef BENCHMEM_RUNTIME_NEXT_H
#define BENCHMEM_RUNTIME_NEXT_H

#include "hidden.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct bm_runtime;

struct bm_next {
    void *(*malloc)(size_t);
    void (*free)(void *);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void *(*reallocarray)(void *, size_t, size_t);
    void *(*aligned_alloc)(size_t, size_t);
    void *(*memalign)(size_t, size_t);
    int (*posix_memalign)(void **, size_t, size_t);
    void *(*valloc)(size_t);
    void *(*pvalloc)(size_t);
    /* Not in a static program, where each comes with its wrapper. */
    int (*dlclose)(void *);
    void (*_exit)(int);
    void (*quick_exit)(int);
    pid_t (*vfork)(void);
    int (*execve)(const char *, char *const *, char *const *);
    int (*execvpe)(const char *, char *const *, char *const *);
    int (*fexecve)(int, char *const *, char *const *);
};

/* Complete once bm_next_find has run; constant afterwards. */
extern struct bm_next bm_next BM_HIDDEN;

/*
 * Fills bm_next. Idempotent and safe on any thread: every thread finds the
 * same. What the process does not have at all fails when called.
 */
void bm_next_find(void);

/*
 * The next definition of an operator new or delete (operators.h), looked for
 * when it is first called: the C++ library may come later than the recorder.
 */
enum bm_next_kind {
    BM_NEXT_OTHER,
    BM_NEXT_ALLOCATOR, /* the operator is the allocator's whose malloc is next
                        */
    BM_NEXT_LIBSTDCXX, /* the GNU C++ library's: asks malloc for the size */
};
void *bm_next_operator(const char *name, unsigned which,
                       enum bm_next_kind *kind);

/* Whether the process's malloc is this copy's. */
bool bm_next_is_ours(void);

/* Whether this copy stays loaded until the process ends. */
bool bm_next_is_permanent(void);

/* Whether the next malloc is the GNU C library's. */
bool bm_next_is_glibc(void);

/* The first copy of the recorder in the process; NULL if this is it. */
const struct bm_runtime *bm_next_find_runtime(void);

#endif
