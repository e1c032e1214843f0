/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "symbols/demangle.h"

#include <libiberty/demangle.h>
#include <stdlib.h>

const char *bm_demangle(struct bm_arena *arena, const char *name)
{
    /* _Z is C++ and older Rust, _R is newer Rust. */
    if (name[0] != '_' || (name[1] != 'Z' && name[1] != 'R'))
        return NULL;
    char *plain = cplus_demangle(name, DMGL_AUTO);
    if (!plain)
        return NULL;
    const char *kept = bm_arena_strdup(arena, plain);
    free(plain);
    return kept;
}
