/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The entries of the malloc family under their internal names: interposed
 * functions bm_interposed_NAME and hooks bm_hook_NAME. The names by which
 * programs call them are aliases (in entries.c).
 */
#ifndef BENCHMEM_RUNTIME_ENTRIES_H
#define BENCHMEM_RUNTIME_ENTRIES_H

#include "entry.h"

#define BM_FAMILY(symbol, kind, signature)                                     \
    BM_RESULT_##signature bm_interposed_##symbol(BM_PARAMETERS_##signature);   \
    BM_RESULT_##signature bm_hook_##symbol(BM_PARAMETERS_##signature,          \
                                           struct bm_use *use,                 \
                                           struct bm_stamp *stamp);
#define BM_HOOKED BM_FAMILY_OF
#include "allocators.inc"
#undef BM_FAMILY

/* Before the first event: which allocator comes next is known. */
void bm_entries_start(void);

/* Instead of that: nothing will be recorded, here or in forked children. */
void bm_entries_end(void);

void bm_interposed_free(void *memory);
int bm_interposed_dlclose(void *handle);

#endif
