/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * One executable or library on disk, and what lies at an address of it.
 *
 * bm_module_open finds the file with its debug information and reads its
 * tables once; look-ups are bisections. Strings that a look-up gives live in
 * the arena. Not thread-safe.
 */
#ifndef BENCHMEM_SYMBOLS_MODULE_H
#define BENCHMEM_SYMBOLS_MODULE_H

#include "base/memory.h"
#include "profile/profile.h"

#include <stdint.h>

struct bm_symbol_module;

/*
 * NULL if the file cannot be used; *source says why, or what there is. path
 * is that of the file, as it was loaded in the folder cwd.
 */
struct bm_symbol_module *bm_module_open(const struct bm_module *module,
                                        const char *cwd,
                                        enum bm_symbol_source *source);

/* A call within a function, as frames have it. */
struct bm_symbol_place {
    const char *function;     /* demangled; NULL if unknown */
    const char *linkage_name; /* NULL where equal to function */
    const char *file;         /* NULL if unknown */
    const char *dir;          /* NULL if unknown */
    uint32_t line;
    uint32_t column;
};

/* Calls that were inlined deeper than this are left out. */
#define BM_SYMBOL_MAX_INLINED 64

/*
 * What is at the offset of a frame record: places innermost first, each
 * inlined into the next. Their number, 0 if nothing is known.
 */
unsigned bm_module_places(struct bm_symbol_module *module, uint64_t offset,
                          struct bm_arena *arena,
                          struct bm_symbol_place *places);

void bm_module_close(struct bm_symbol_module *module);

#endif
