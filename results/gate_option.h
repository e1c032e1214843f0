/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Limits as options of a command.
 */
#ifndef BENCHMEM_RESULTS_GATE_OPTION_H
#define BENCHMEM_RESULTS_GATE_OPTION_H

#include "results/gate.h"

#include <argp.h>

/*
 * bm_gates_add, with a usage error for what is no limit. option is the one
 * that arg was given to, as in "--max".
 */
void bm_gates_option(struct bm_gates *gates, struct argp_state *state,
                     const char *option, const char *arg, bool ceiling);

#endif
