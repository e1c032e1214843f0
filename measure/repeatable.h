/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Which sites did not do the same in all repetitions, by name: what makes a
 * figure vary, instead of a hint to use the minimum.
 *
 * Repetitions that are runs are compared run by run. Passes within one run
 * have figures but no sites of their own; where they differ, the program is
 * run again with one pass more each time, since the difference of two such
 * runs is what the last pass did.
 */
#ifndef BENCHMEM_MEASURE_REPEATABLE_H
#define BENCHMEM_MEASURE_REPEATABLE_H

#include "measure/session.h"

/* Fills session->differences. parts are the profiles of memory, in order. */
void bm_find_differences(struct bm_session *session,
                         const struct bm_profile *const *parts, size_t count);

#endif
