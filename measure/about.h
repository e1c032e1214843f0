/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Where figures come from: revision of the source, compiler, machine and the
 * part of the environment that can change them. Asked for once, of the current
 * folder and the program; what is not known is NULL.
 */
#ifndef BENCHMEM_MEASURE_ABOUT_H
#define BENCHMEM_MEASURE_ABOUT_H

#include "results/results.h"

/* Fills in the run's `about`, but for what is there; program: its file. */
void bm_about_fill(struct bm_run *run, const char *program);

/* "Linux 6.1.0 x86_64, 4 CPUs, 4096-byte pages". In the run's arena. */
const char *bm_about_platform(struct bm_run *run);

#endif
