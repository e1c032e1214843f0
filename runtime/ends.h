/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The functions of ends.inc under their internal names. Each tells the
 * recorder (process.h) and goes on to libc's. A static program has only those
 * files ends_*.c that it needs, and always ends_exit.c.
 */
#ifndef BENCHMEM_RUNTIME_ENDS_H
#define BENCHMEM_RUNTIME_ENDS_H

#include "hidden.h"

#include <sys/types.h>

void bm_interposed__exit(int status);
void bm_interposed_quick_exit(int status);
/* In assembly: it returns twice, so it must leave no frame behind. */
BM_HIDDEN pid_t bm_interposed_vfork(void);
int bm_interposed_execve(const char *path, char *const *arguments,
                         char *const *environment);
int bm_interposed_execvpe(const char *file, char *const *arguments,
                          char *const *environment);
int bm_interposed_fexecve(int fd, char *const *arguments,
                          char *const *environment);
int bm_interposed_execveat(int folder, const char *path, char *const *arguments,
                           char *const *environment, int flags);

#endif
