/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What an ELF file's sections tell of a program, beyond its kind (elf.h).
 * Nothing of the file is trusted; one that is none has no sections.
 */
#ifndef BENCHMEM_DRIVER_SECTIONS_H
#define BENCHMEM_DRIVER_SECTIONS_H

#include <stdbool.h>

bool bm_program_has_section(const char *path, const char *name);

/* Whether it has the main of benchmem.h, which reads BENCHMEM_ARGUMENTS. */
bool bm_program_has_main(const char *path);

/*
 * The strings of a section, one behind the other with "; " between them, the
 * caller's to free; NULL if there are none.
 */
char *bm_program_strings(const char *path, const char *name);

#endif
