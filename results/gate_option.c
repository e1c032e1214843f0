/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "results/gate_option.h"

void bm_gates_option(struct bm_gates *gates, struct argp_state *state,
                     const char *option, const char *arg, bool ceiling)
{
    const char *why = bm_gates_add(gates, arg, ceiling);

    if (why)
        argp_error(state, "%s %s: %s", option, arg, why);
}
