/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Which benchmark of a profile a user means: the one with that id, else the
 * only one whose id has that as a part.
 */
#ifndef BENCHMEM_RESULTS_CHOOSE_H
#define BENCHMEM_RESULTS_CHOOSE_H

#include "base/str.h"
#include "profile/profile.h"

/* How well an id fits what a user wrote; the more, the better. */
enum bm_fit {
    BM_FIT_NONE,
    BM_FIT_IN_PART,
    BM_FIT_EXACTLY,
};

enum bm_fit bm_choose_fit(const char *id, const char *wanted);

/*
 * NULL if none fits, or several do; why then gets the sentence that says so,
 * with those that there are. path is the profile's, for that sentence.
 */
const struct bm_benchmark_info *
bm_choose_benchmark(const struct bm_profile *profile, const char *path,
                    const char *wanted, struct bm_str *why);

/* Appends one more of a list of names, the number-th from 0; cuts long ones. */
void bm_choose_list(struct bm_str *list, size_t number, const char *name);

#endif
