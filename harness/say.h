/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Messages of the harness, on standard error: `program: text`. */
#ifndef BENCHMEM_HARNESS_SAY_H
#define BENCHMEM_HARNESS_SAY_H

#include <stdbool.h>

/* File name of the program, for messages; borrowed. */
void bm_say_set_program(const char *path);
const char *bm_say_program(void);

__attribute__((format(printf, 1, 2))) void bm_say(const char *format, ...);

/* Wrong usage: exit status 2. */
__attribute__((format(printf, 1, 2), noreturn)) void
bm_say_die(const char *format, ...);

#endif
