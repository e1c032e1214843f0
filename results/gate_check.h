/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What gate.c and gate_lines.c share; for these alone. */
#ifndef BENCHMEM_RESULTS_GATE_CHECK_H
#define BENCHMEM_RESULTS_GATE_CHECK_H

#include "results/gate.h"

/* As it is, or as a pattern of fnmatch(3): ids have brackets in them. */
bool bm_gate_fits(const char *pattern, const char *text);

/* Adds the check of one limit; base NULL: nothing to hold it against. */
struct bm_check *bm_gate_judge(const struct bm_gates *gates,
                               const struct bm_gate *gate,
                               const struct bm_joined_row *row,
                               const long double *base, long double head,
                               struct bm_gate_report *report);

/* Limits of sites and functions. */
int bm_gate_hold_lines(const struct bm_gates *gates, const struct bm_gate *gate,
                       struct bm_joined *joined, struct bm_gate_report *report);

#endif
