/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Symbols of loaded modules, read from their own tables: what dlsym finds,
 * without its locks and allocations. Only default versions of defined
 * symbols count.
 *
 * The list of modules is the dynamic linker's. It is read while no other
 * thread can be loading anything: at the first call of all, or in a
 * constructor.
 */
#ifndef BENCHMEM_RUNTIME_SYMBOLS_H
#define BENCHMEM_RUNTIME_SYMBOLS_H

#include <link.h>
#include <stdbool.h>

/* In the order in which symbols are searched; NULL if there is no list. */
const struct link_map *bm_modules_first(void);

/* Whether this code belongs to the module. */
bool bm_module_is_own(const struct link_map *map);

/* The address of a symbol of one module, or NULL. */
void *bm_symbol_in(const struct link_map *map, const char *name);

#endif
