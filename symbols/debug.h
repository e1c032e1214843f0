/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The debug information of one module: which functions, inlined ones
 * included, and which lines an address belongs to.
 *
 * Compilation units are found by their own ranges, since clang writes no
 * .debug_aranges. Addresses are those of the debug information.
 */
#ifndef BENCHMEM_SYMBOLS_DEBUG_H
#define BENCHMEM_SYMBOLS_DEBUG_H

#include "symbols/module.h"

#include <elfutils/libdw.h>

struct bm_debug;

/* NULL if it holds no unit with code. dwarf is borrowed. */
struct bm_debug *bm_debug_open(Dwarf *dwarf);

/* As bm_module_places. */
unsigned bm_debug_places(const struct bm_debug *debug, Dwarf_Addr address,
                         struct bm_arena *arena,
                         struct bm_symbol_place *places);

void bm_debug_close(struct bm_debug *debug);

#endif
