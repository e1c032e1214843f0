/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Whether a run holds: the ceilings that benchmarks declare and that the
 * command line sets, growth over a base, the exponents of growth laws. And
 * what is kept of a run that was judged: profiles of single benchmarks.
 */
#ifndef BENCHMEM_MEASURE_JUDGE_H
#define BENCHMEM_MEASURE_JUDGE_H

#include "measure/session.h"

struct bm_verdicts {
    size_t nr_failed;
    struct bm_strvec regressed; /* ids of benchmarks beyond a limit */
    bool has_regressions; /* they were looked for: --fail-on with a base */
};

/*
 * Loads the base of --compare, before anything is saved under its name. -1
 * where it is required and not there, or cannot be read; *base may be NULL.
 */
int bm_judge_load_base(const struct bm_session *session, struct bm_run **base);

/* Says what does not hold. -1 after an error where it cannot be told. */
int bm_judge(struct bm_session *session, struct bm_run *base, FILE *file,
             struct bm_verdicts *verdicts);

/* --profile: files of the benchmarks, and the command to look at each. */
int bm_judge_keep_profiles(struct bm_session *session,
                           const struct bm_verdicts *verdicts, FILE *file);

void bm_verdicts_clear(struct bm_verdicts *verdicts);

#endif
