/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Programs and files beside this one. Strings returned are the caller's to
 * free; NULL where there is no such file.
 */
#ifndef BENCHMEM_DRIVER_FIND_H
#define BENCHMEM_DRIVER_FIND_H

#include <stdbool.h>

/* Real path of this program, links followed; argv0 helps where /proc lacks. */
char *bm_find_self(const char *argv0);

/*
 * An executable file: name as it is where it holds a slash, else the first of
 * that name on the PATH that is not self (a path, may be NULL). A program
 * may stand on the PATH under the name of the one that it runs.
 */
char *bm_find_program(const char *name, const char *self);

/* The real path of a file relative to the folder that program lies in. */
char *bm_find_beside(const char *program, const char *relative);

#endif
