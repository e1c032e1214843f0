/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Slabs: the pieces in which the profile's file grows and is mapped. Each
 * belongs to one thread's part. Used by file.c and file_fork.c only, but for
 * the limit.
 *
 * A slab is reserved in the file (written, where the file system knows no
 * reservation) before it is mapped, so that touching it cannot fail.
 */
#ifndef BENCHMEM_RUNTIME_SLAB_H
#define BENCHMEM_RUNTIME_SLAB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bm_slab {
    char *base;
    size_t size;
    size_t used; /* bytes appended; kept up by the part that has it */
    struct bm_slab *next;
};

/*
 * The first slab, in memory; so are all others until it is settled. NULL if
 * there is none.
 */
struct bm_slab *bm_slab_begin(size_t size);

/*
 * Moves the first slab, with what is in it, into a new file of that name: of
 * the given size or, if that is all there is room for, of a smaller one. The
 * file is whole when its name appears, where the file system can do that. 0,
 * or the kernel's error (-EEXIST if the name is taken), with the slab as it
 * was.
 */
int bm_slab_settle(struct bm_slab *slab, const char *path, size_t size);

/* The next slab of the file, NULL if there is no room. */
struct bm_slab *bm_slab_new(size_t size);

/* Whether RLIMIT_FSIZE lets a file end there: beyond it, there is a signal. */
bool bm_slab_within_limit(uint64_t end);

/* Every slab there is. */
struct bm_slab *bm_slabs_first(void);

/* Forgets the file and its slabs, which stay mapped. */
void bm_slabs_forget(void);

#endif
