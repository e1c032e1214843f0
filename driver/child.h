/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Runs the program that is measured, as if nobody stood between it and the
 * terminal: it has our streams, our environment and the signal settings that
 * we were started with; a signal that ends us meanwhile is handed to it.
 */
#ifndef BENCHMEM_DRIVER_CHILD_H
#define BENCHMEM_DRIVER_CHILD_H

#include "base/process.h"

#include <sys/types.h>

/*
 * Runs path with argv and waits. 0 with *pid and *end, or -1 with errno set
 * where it could not be started. Not to be called twice at a time.
 */
int bm_child_run(const char *path, char *const argv[], pid_t *pid,
                 struct bm_process_end *end);

#endif
