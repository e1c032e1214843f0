/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Names for foreign frames: code that benchmem-cc did not compile is recorded
 * as a module and an address in it, and gets its names here, once the process
 * has ended and on the machine where it ran.
 *
 * An address becomes its function with the calls that were inlined into it,
 * each with file, line and column, where debug information is found: in the
 * module, or in the files that its build id and its .gnu_debuglink point to
 * under /usr/lib/debug. Else it becomes the name of its symbol, and in a
 * stripped module that of its dynamic symbol or "near SYMBOL" for the one
 * before it. C++ and Rust names are demangled. A file that is not the one
 * that ran, by its build id, is not looked at. Nothing uses the network.
 *
 *   1. bm_symbols_resolve changes a profile that was read; what it added
 *      lives as long as what it returns.
 *   2. bm_symbols_hints says which modules have no names, and the fix.
 *   3. bm_symbols_free after the profile was freed.
 *
 * Dies without memory. Not thread-safe.
 */
#ifndef BENCHMEM_SYMBOLS_H
#define BENCHMEM_SYMBOLS_H

#include "base/strvec.h"
#include "profile/profile.h"

struct bm_symbols;

/*
 * Names what has no names yet and sets the modules' `symbols`. NULL if there
 * is nothing to name. Frames, and paths, may lie elsewhere afterwards.
 */
struct bm_symbols *bm_symbols_resolve(struct bm_profile *profile);

/*
 * Appends one line for each module whose frames show no names of functions,
 * or only those of dynamic symbols: the module, its build id and the fix.
 */
void bm_symbols_hints(const struct bm_profile *profile,
                      struct bm_strvec *hints);

void bm_symbols_free(struct bm_symbols *symbols);

#endif
