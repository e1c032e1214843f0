/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What benchmem-spawn tells benchmem-run, as bytes through a pipe.
 *
 * The kernel counts the memory of whoever starts a process into the
 * process's own maximum (ru_maxrss survives exec, and what is forked starts
 * with its parent's pages). So a program whose resident memory is measured is
 * started by a program that has next to none: with libc alone it is smaller
 * than any program that it starts.
 */
#ifndef BENCHMEM_DRIVER_SPAWN_H
#define BENCHMEM_DRIVER_SPAWN_H

#include "driver/child.h"

struct bm_spawned {
    int error; /* an errno where it could not be started, else 0 */
    struct bm_child child;
};

#endif
