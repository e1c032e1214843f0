/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * benchmem-run --stop-at: runs a program again up to the allocation at which
 * it held most, or to its Nth. The recorder does the stopping (its options
 * stop_live and stop_allocation); here is where, and what comes of it.
 */
#ifndef BENCHMEM_DRIVER_STOP_H
#define BENCHMEM_DRIVER_STOP_H

#include "base/process.h"
#include "base/str.h"

/*
 * Appends the recorder's options for a peak of the program ("peak"), of a
 * benchmark ("peak:BENCH") or of a site ("site:FILE:LINE[:COLUMN]"). It is
 * that of the newest profile in .benchmem of the program at path, or of one
 * that is named behind the first colon ("peak:PROFILE", "peak:PROFILE:BENCH").
 * Nothing for other places. -1 with an error printed if there is none.
 */
int bm_stop_find(const char *where, const char *path, struct bm_str *recorder);

/*
 * On a terminal, becomes gdb with the program in it, which runs at once. Does
 * return where there is no terminal or no gdb: then core files are allowed.
 */
void bm_stop_debug(char *const *program, const char *path);

/* Says so if the program ended without being stopped. */
void bm_stop_tell(const char *program, const struct bm_process_end *end);

#endif
