/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Runs the program that is measured, as if nobody stood between it and the
 * terminal: it has our streams, our environment and the signal settings that
 * we were started with; a signal that ends us meanwhile is handed to it.
 */
#ifndef BENCHMEM_DRIVER_CHILD_H
#define BENCHMEM_DRIVER_CHILD_H

#include "base/process.h"

#include <stdint.h>
#include <sys/types.h>

struct bm_child {
    pid_t pid;
    struct bm_process_end end;
    uint64_t ns;             /* from its start to its end */
    uint64_t peak_rss_bytes; /* ru_maxrss: no less than ours at its start */
};

/*
 * Runs path with argv and waits. stdout_fd is its standard output, -1: ours.
 * 0 with *child, or -1 with errno set where it could not be started. Not to
 * be called twice at a time.
 */
int bm_child_run(const char *path, char *const argv[], int stdout_fd,
                 struct bm_child *child);

#endif
