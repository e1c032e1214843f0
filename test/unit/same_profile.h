/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Comparison of two profiles in memory, member by member. */
#ifndef BENCHMEM_TEST_SAME_PROFILE_H
#define BENCHMEM_TEST_SAME_PROFILE_H

#include "profile/profile.h"

/* NULL if a and b hold the same but for their paths, else the first that
 * differs. */
const char *profiles_differ(const struct bm_profile *a,
                            const struct bm_profile *b);

/* NULL if the profile reads back equal from its small form, else why not. */
const char *small_form_differs(const struct bm_profile *profile);

#endif
