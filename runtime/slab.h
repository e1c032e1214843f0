/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Slabs: the pieces in which the profile's file grows and is mapped. Each
 * belongs to one thread's part. Used by file.c and file_fork.c only.
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
 * Opens path, which must be new if create. 0, or the kernel's error. Makes
 * a slab of the given size or, while the file is new, of a smaller one if
 * that is all there is room for.
 */
int bm_slab_new_file(const char *path, size_t size, struct bm_slab **out);

/* The next slab of the file, NULL if there is no room. */
struct bm_slab *bm_slab_new(size_t size);

/* Without a file: slabs are private memory from now on. */
void bm_slab_nowhere(void);

/* Every slab there is. */
struct bm_slab *bm_slabs_first(void);

/* Forgets the file and its slabs, which stay mapped. */
void bm_slabs_forget(void);

#endif
