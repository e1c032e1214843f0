/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A malloc of the program's own, or of the library that this copy of the
 * recorder is linked into, where benchmem-cc compiled it: the pass has renamed
 * each definition, and what is left under its name jumps to this copy's entry
 * (pass/OwnAllocators.h). Those definitions are the next functions then.
 */
#ifndef BENCHMEM_RUNTIME_OWN_H
#define BENCHMEM_RUNTIME_OWN_H

#include <stdbool.h>

/* Puts the definitions of this module into bm_next. */
void bm_own_take(void);

/* Whether this module defines malloc so. */
bool bm_own_has_malloc(void);

#endif
