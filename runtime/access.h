/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What became of the bytes of each block: written, read, when last. Only in
 * a process with code built with --benchmem-access, which marks what it reads
 * and writes in the cells of abi.h; here is what the recorder does about it.
 *
 *   1. bm_access_start, from the constructor of the first module with such
 *      code: from now on every event takes the general ways of record.h
 *      (BM_CAREFUL_ACCESS), which call what follows.
 *   2. bm_access_born, bm_access_gone, bm_access_moved: a block's cells are
 *      cleared, and summed up into its node (list `access` of schema.inc).
 *   3. bm_access_end, once, as the process exits: the blocks that are live
 *      are summed up as well; what is freed afterwards was live at the exit.
 *
 * A block is judged once, at its end, where its free is counted. realloc is
 * no end: the bytes that stay keep their marks and the block its age; what
 * it cuts off is not judged. Blocks that were there before step 1, or at the
 * fork that the process came from, are not judged at all.
 *
 * Exact for one thread, and for more that do not race for the memory that
 * they mark. A realloc that moves a block whose old place another thread gets
 * at the same moment may lose marks.
 *
 * Any thread, guard held, but for bm_access_end. Without memory for cells all
 * ends for good and BM_STATE_ACCESS_LOST says so.
 */
#ifndef BENCHMEM_RUNTIME_ACCESS_H
#define BENCHMEM_RUNTIME_ACCESS_H

#include "abi.h"
#include "nodes.h"

/* The map that code is to look at; NULL if there is no memory for it. */
struct bm_access_map *bm_access_start(void);

void bm_access_born(struct bm_thread *thread, struct bm_node *node,
                    const void *memory, uint64_t size);
void bm_access_gone(struct bm_thread *thread, struct bm_node *node,
                    const void *memory, uint64_t size);
void bm_access_moved(struct bm_thread *thread, const void *old,
                     uint64_t old_size, struct bm_node *node,
                     const void *memory, uint64_t size);

/* Needs no guard and makes no system call. */
void bm_access_end(void);

/* In a forked child, before its first event. */
void bm_access_after_fork(void);

#endif
