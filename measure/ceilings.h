/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Largest values: those that a benchmark declares (max_peak and so on), and
 * `--max METRIC:LIMIT` for benchmarks that declare none of that metric. The
 * worst pass counts, and the three sites that hold most are named.
 */
#ifndef BENCHMEM_MEASURE_CEILINGS_H
#define BENCHMEM_MEASURE_CEILINGS_H

#include "measure/judge.h"

/* Whether a limit of --max is one of these: for all benchmarks alike. */
bool bm_ceilings_hold_it(const struct bm_gate *gate);

/* Says what is above its ceiling. -1 after an error. */
int bm_ceilings_hold(struct bm_session *session, struct bm_verdicts *verdicts);

#endif
