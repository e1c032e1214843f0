/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The command that runs in the place of the driver: the user's words as they
 * were, in order, and ours behind them (before a "--"). Pure.
 */
#ifndef BENCHMEM_DRIVER_PLAN_H
#define BENCHMEM_DRIVER_PLAN_H

#include "base/strvec.h"
#include "driver/line.h"
#include "driver/scan.h"
#include "driver/toolchain.h"

/*
 * Appends the compiler and its arguments to command. A response file stays
 * as it is, unless it holds an option of ours, which clang must not see, or
 * was read from a pipe: then its words stand in its place.
 */
void bm_plan(struct bm_strvec *command, char **argv, const struct bm_line *line,
             const struct bm_scan *scan, const struct bm_decision *decision,
             const struct bm_toolchain *toolchain);

/* One line for a shell, each word quoted where it has to be. */
void bm_plan_print(const struct bm_strvec *command);

#endif
