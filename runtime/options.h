/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What BENCHMEM_OPTIONS says, from the one table options.inc. Read once at
 * start, before anything is recorded; constant afterwards.
 */
#ifndef BENCHMEM_RUNTIME_OPTIONS_H
#define BENCHMEM_RUNTIME_OPTIONS_H

#include "hidden.h"
#include "text.h"

#include <stdint.h>

struct bm_options {
#define BM_OPTION(name, initial, least, most, names, help) uint64_t name;
#include "options.inc"
};

extern struct bm_options bm_options BM_HIDDEN;

/*
 * Takes text apart (NULL: all defaults). What it does not understand is
 * left at its default and named in `complaint`, a sentence, empty if all is
 * well.
 */
void bm_options_read(const char *text, struct bm_line *complaint);

/* The options in effect, in the form that bm_options_read takes. */
void bm_options_show(struct bm_line *out);

#endif
