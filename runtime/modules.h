/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Executables and libraries by address, each with a record in the profile
 * when first met. Looks them up with _dl_find_object, which takes no lock.
 * Any thread, guard held.
 */
#ifndef BENCHMEM_RUNTIME_MODULES_H
#define BENCHMEM_RUNTIME_MODULES_H

#include <stdbool.h>
#include <stdint.h>

struct bm_thread;

struct bm_module_place {
    uint32_t index;  /* of the module record, 0 if the address is in none */
    uint64_t offset; /* of the address in the module's file image */
};

struct bm_module_place bm_module_of(struct bm_thread *thread,
                                    uintptr_t address);

/* Meets the module of a site, whose code benchmem-cc compiled. */
void bm_module_meet_instrumented(struct bm_thread *thread, uintptr_t address);

/* Whether it is the C or C++ library or the dynamic linker. */
bool bm_module_is_system(uintptr_t address);

#endif
