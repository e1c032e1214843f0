/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The name of the profile: BENCHMEM_OUTPUT, a pattern, or a file in
 * .benchmem/ under the folder where the program started. Never replaces a
 * file: where the name is taken, the process id is put before its suffix,
 * then a number.
 */
#ifndef BENCHMEM_RUNTIME_OUTPUT_H
#define BENCHMEM_RUNTIME_OUTPUT_H

#include <stdbool.h>

struct bm_launch;
struct bm_thread;

/* The user's pattern, or NULL. */
const char *bm_output_pattern(const struct bm_launch *launch);

/*
 * Makes the file of what was begun in memory. On failure, false, and if the
 * user named an output, one line on stderr.
 */
bool bm_output_settle(struct bm_thread *thread, const struct bm_launch *launch);

#endif
